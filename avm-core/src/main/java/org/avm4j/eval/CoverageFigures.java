package org.avm4j.eval;

import java.util.ArrayList;
import java.util.List;
import org.avm4j.Certainty;
import org.avm4j.Certainty.Interval;
import org.avm4j.Prediction;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * How often intervals or sets of labels held the true label, and how large they were: over all
 * answers, and over windows of {@value #WINDOW} answers, in bounded memory.
 *
 * <p>In a file: the level (8), whether answers are sets (1), answers (8), those covered (8), the
 * sum of finite sizes (8), their number (8), empty ones (8), the lowest and the highest number
 * covered in a window (4 each, -1 if there was none), the last answers as bits from the oldest (4,
 * 1 each), the points of the curve (4, 24 each), and what counts since the last of them (8 each).
 */
public final class CoverageFigures {
  /** Number of answers in a window. */
  public static final int WINDOW = 1000;

  /**
   * Answers before the first window that counts, because nothing can be promised for the first
   * ones.
   */
  private static final int FIRST = 1000;

  private static final int MOST_POINTS = 1 << 16;
  private static final int NONE = -1;

  private final double level;
  private boolean areSets;
  private long answers;
  private long covered;
  private double sizes;
  private long sized;
  private long empty;
  private int lowest = NONE;
  private int highest = NONE;
  private final boolean[] window = new boolean[WINDOW];
  private int windowCovered;
  private final List<Point> curve = new ArrayList<>();
  private double recentSizes;
  private long recentSized;

  /**
   * A point of the curve.
   *
   * @param instances how many answers had been given
   * @param coverage the fraction of the last answers that were covered, at most {@value #WINDOW} of
   *     them
   * @param size the mean width, or number of labels, since the point before; NaN if none was finite
   */
  public record Point(long instances, double coverage, double size) {}

  /** Figures without answers. */
  public CoverageFigures(double level) {
    this.level = Certainty.checkLevel(level);
  }

  /**
   * Adds an answer that says how sure it is, and the true label. A missing answer covers nothing.
   * If automatic mode changes its task from numbers to classes, sizes count from there.
   */
  public void add(double label, Prediction answer) {
    boolean hasClasses = answer.classes().length > 0;
    if (hasClasses != areSets) {
      areSets = hasClasses;
      sizes = 0;
      sized = 0;
    }
    if (Double.isNaN(answer.label())) {
      add(false, Double.POSITIVE_INFINITY);
    } else if (hasClasses) {
      double[] labels = answer.labels(level);
      boolean isCovered = false;
      for (double each : labels) {
        isCovered |= each == label;
      }
      add(isCovered, labels.length);
      empty += labels.length == 0 ? 1 : 0;
    } else {
      Interval interval = answer.interval(level);
      add(interval.contains(label), interval.width());
    }
  }

  private void add(boolean isCovered, double size) {
    int at = (int) (answers % WINDOW);
    windowCovered += (isCovered ? 1 : 0) - (window[at] ? 1 : 0);
    window[at] = isCovered;
    answers++;
    covered += isCovered ? 1 : 0;
    if (size < Double.POSITIVE_INFINITY) {
      sizes += size;
      sized++;
      recentSizes += size;
      recentSized++;
    }
    if (answers >= FIRST + WINDOW) {
      lowest = lowest == NONE ? windowCovered : Math.min(lowest, windowCovered);
      highest = Math.max(highest, windowCovered);
    }
  }

  /** Adds a point to the curve. */
  public void inspect() {
    curve.add(
        new Point(
            answers,
            windowCovered / (double) Math.max(1, Math.min(answers, WINDOW)),
            recentSizes / recentSized));
    recentSizes = 0;
    recentSized = 0;
  }

  /** Whether answers are sets of labels, and not intervals. */
  public boolean areSets() {
    return areSets;
  }

  /** The level that is promised. */
  public double level() {
    return level;
  }

  /** The number of answers. */
  public long answers() {
    return answers;
  }

  /** The fraction of all answers that held the true label; NaN before the first. */
  public double coverage() {
    return covered / (double) answers;
  }

  /**
   * The coverage of that window of {@value #WINDOW} answers that is farthest from the level, among
   * those behind the first {@value #FIRST}; NaN if there is none.
   */
  public double worstWindow() {
    if (lowest == NONE) {
      return Double.NaN;
    }
    double low = lowest / (double) WINDOW;
    double high = highest / (double) WINDOW;
    return level - low > high - level ? low : high;
  }

  /** The mean width of finite intervals, or the mean number of labels; NaN before the first. */
  public double meanSize() {
    return sizes / sized;
  }

  /** The fraction of sets without a label; 0 for numbers. */
  public double emptyPart() {
    return empty / (double) Math.max(1, answers);
  }

  /** The curve so far. */
  public List<Point> curve() {
    return List.copyOf(curve);
  }

  void encode(Encoder out) {
    out.float64(level);
    out.bool(areSets);
    out.int64(answers);
    out.int64(covered);
    out.float64(sizes);
    out.int64(sized);
    out.int64(empty);
    out.int32(lowest);
    out.int32(highest);
    int filled = (int) Math.min(answers, WINDOW);
    out.int32(filled);
    for (long i = answers - filled; i < answers; i++) {
      out.bool(window[(int) (i % WINDOW)]);
    }
    out.int32(curve.size());
    for (Point point : curve) {
      out.int64(point.instances);
      out.float64(point.coverage);
      out.float64(point.size);
    }
    out.float64(recentSizes);
    out.int64(recentSized);
  }

  static CoverageFigures decode(Decoder in) throws ModelFileException {
    double level = in.finite("a level");
    Decoder.check(level > 0 && level < 1, "a level must be above 0 and below 1", level);
    CoverageFigures figures = new CoverageFigures(level);
    figures.areSets = in.bool();
    figures.answers = in.count("the answers");
    figures.covered = in.count("the covered answers");
    figures.sizes = in.float64();
    figures.sized = in.count("the finite answers");
    figures.empty = in.count("the empty sets");
    figures.lowest = in.int32();
    figures.highest = in.int32();
    int filled = in.int32("the last answers", WINDOW);
    Decoder.check(
        filled == Math.min(figures.answers, WINDOW),
        "the window must hold all recent answers",
        filled);
    for (long i = figures.answers - filled; i < figures.answers; i++) {
      boolean isCovered = in.bool();
      figures.window[(int) (i % WINDOW)] = isCovered;
      figures.windowCovered += isCovered ? 1 : 0;
    }
    int points = in.int32("the points of the curve", MOST_POINTS);
    for (int i = 0; i < points; i++) {
      figures.curve.add(new Point(in.int64(), in.float64(), in.float64()));
    }
    figures.recentSizes = in.float64();
    figures.recentSized = in.count("the recent sizes");
    return figures;
  }
}
