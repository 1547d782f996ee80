package org.avm4j.run;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.avm4j.Certainty.Interval;
import org.avm4j.Prediction;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * The latest numeric answers, each with its interval and the true label, for drawing them as a line
 * with a band.
 *
 * <p>In a checkpoint: the level (8), and the answers that are kept (4, and of each the row, the
 * label, the answer and both ends of its interval, 8 each).
 */
public final class AnswerBand {
  /** The number of answers that are kept; more could not be distinguished in a drawing. */
  public static final int MOST = 200;

  private final double level;
  private final Deque<Point> points = new ArrayDeque<>();

  /**
   * An answer in its interval.
   *
   * @param row its number in the stream, counted from 1
   * @param label the true label
   * @param answer the answer, given before the label was known
   * @param low the lower end, which may be infinite
   * @param high the upper end, which may be infinite
   */
  public record Point(long row, double label, double answer, double low, double high) {
    /** Whether the interval holds the label. */
    public boolean isCovered() {
      return low <= label && label <= high;
    }
  }

  /** An empty band with intervals of a level above 0 and below 1. */
  public AnswerBand(double level) {
    this.level = level;
  }

  /** Adds an answer with an interval; answers that are classes or NaN are ignored. */
  public void add(long row, double label, Prediction answer) {
    if (answer.classes().length > 0 || Double.isNaN(answer.label())) {
      return;
    }
    if (points.size() == MOST) {
      points.removeFirst();
    }
    Interval interval = answer.interval(level);
    points.add(new Point(row, label, answer.label(), interval.low(), interval.high()));
  }

  /** The level of the intervals. */
  public double level() {
    return level;
  }

  /** The latest answers, the oldest first; empty if answers are classes. */
  public List<Point> points() {
    return List.copyOf(points);
  }

  void encode(Encoder out) {
    out.float64(level);
    out.int32(points.size());
    for (Point point : points) {
      out.int64(point.row);
      out.float64(point.label);
      out.float64(point.answer);
      out.float64(point.low);
      out.float64(point.high);
    }
  }

  static AnswerBand decode(Decoder in) throws ModelFileException {
    AnswerBand band = new AnswerBand(in.finite("a level"));
    int count = in.int32("the answers that are kept", MOST);
    for (int i = 0; i < count; i++) {
      band.points.add(
          new Point(in.int64(), in.float64(), in.float64(), in.float64(), in.float64()));
    }
    return band;
  }
}
