package org.avm4j.eval;

import java.util.ArrayList;
import java.util.List;
import org.avm4j.Features;
import org.avm4j.OnlineLearner;
import org.avm4j.Prediction;
import org.avm4j.Status;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.pipeline.Calibration;

/**
 * The online setting of Section 9: each instance is answered first and learned then, and the
 * answers given along the way are what counts. The curve is inspected at the numbers with at most
 * three significant binary digits: 1 to 8, 10, 12, 14, 16, 20 and so on, four to each doubling;
 * from 8,192 on with at most six, 32 to each doubling.
 */
public final class Prequential {
  private final OnlineLearner learner;
  private final Metrics total;
  private Metrics recent;
  private double seconds;
  private long startedAt = System.nanoTime();
  private final List<Inspection> curve = new ArrayList<>();
  private final boolean isCalibrated;
  private double[] scores = {};

  /** Begins with a learner and metrics that are at their start. */
  public Prequential(OnlineLearner learner, Metrics metrics) {
    this.learner = learner;
    this.total = metrics;
    this.recent = metrics.fresh();
    isCalibrated = learner.isCalibrated();
  }

  /**
   * Answers and learns one instance of weight 1.
   *
   * @return whether this is a point of the curve
   */
  public boolean step(Features x, double y) {
    return step(x, y, 1);
  }

  /**
   * Answers and learns one instance; the weight counts in what is learned, not in the figures.
   *
   * @return whether this is a point of the curve
   */
  public boolean step(Features x, double y, double weight) {
    scores = scores.length == learner.columns() ? scores : new double[learner.columns()];
    learner.score(x, scores);
    double answer = learner.predict(x);
    Prediction calibrated = isCalibrated ? learner.answer(x) : null;
    learner.learn(x, y, weight);
    if (calibrated != null) {
      addProbabilities(y, calibrated);
    }
    total.add(y, answer, scores);
    recent.add(y, answer, scores);
    return isInspected(total.instances()) && inspect();
  }

  /** The scores of the last instance, from before it was learned. */
  public double[] scores() {
    return scores;
  }

  /** The learner. */
  public OnlineLearner learner() {
    return learner;
  }

  /** The figures over the whole stream. */
  public Metrics metrics() {
    return total;
  }

  /** The curve so far. */
  public List<Inspection> curve() {
    return List.copyOf(curve);
  }

  /** The last point of the curve; there is one after the first instance. */
  public Inspection lastInspection() {
    return curve.get(curve.size() - 1);
  }

  /** The time spent, all resumed parts together. */
  public double seconds() {
    return seconds + (System.nanoTime() - startedAt) / 1e9;
  }

  /** Ends the curve at the last instance. */
  public void finish() {
    if (recent.instances() > 0) {
      inspect();
    }
  }

  /** Appends all but the learner. */
  public void encode(Encoder out) {
    total.encode(out);
    recent.encode(out);
    out.float64(seconds());
    out.int32(curve.size());
    for (Inspection point : curve) {
      out.int64(point.instances());
      out.float64(point.metric());
      out.float64(point.recent());
      out.int32(point.size());
      out.float64(point.seconds());
      out.float64(point.memory());
      out.int64(point.drifts());
    }
  }

  /** Goes on with a learner from what was appended. */
  public static Prequential decode(Decoder in, OnlineLearner learner) throws ModelFileException {
    Prequential run = new Prequential(learner, Metrics.decode(in));
    run.recent = Metrics.decode(in);
    run.seconds = in.finite("the time spent");
    int points = in.int32("the points of the curve", 1 << 16);
    for (int i = 0; i < points; i++) {
      run.curve.add(
          new Inspection(
              in.int64(),
              in.float64(),
              in.float64(),
              in.int32(),
              in.float64(),
              in.float64(),
              in.int64()));
    }
    run.startedAt = System.nanoTime();
    return run;
  }

  private void addProbabilities(double y, Prediction answer) {
    double[] classes = answer.classes();
    double[] plain = Calibration.uncalibrated(answer.scores(), classes);
    total.addProbabilities(y, classes, answer.probabilities(), plain);
    recent.addProbabilities(y, classes, answer.probabilities(), plain);
  }

  private boolean inspect() {
    Status status = learner.status();
    curve.add(
        new Inspection(
            total.instances(),
            total.value(),
            recent.value(),
            learner.size(),
            seconds(),
            status.forgets() ? status.memory() : total.instances(),
            status.drifts()));
    recent = total.fresh();
    return true;
  }

  private static boolean isInspected(long t) {
    int digits = 64 - Long.numberOfLeadingZeros(t) - Long.numberOfTrailingZeros(t);
    return digits <= (t < 8192 ? 3 : 6);
  }
}
