package org.avm4j.pipeline;

import java.util.TreeMap;
import org.avm4j.Features;
import org.avm4j.Prediction;
import org.avm4j.Predictor;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * Counts how often each class was learned, to answer rows that are far from every core point: all
 * kernel values vanish there, and so do all scores. The answer is then the most frequent class; of
 * equally frequent ones, the one that scores of 0 stand for. A model saved without counts answers
 * by the rounding errors of its scores.
 *
 * <p>In a file: n (4), n× class label (8), ascending, and weight of the instances learned (8).
 */
public final class ClassPrior {
  private static final String SECTION = "prior";

  private final boolean isKept;

  /** The weight of the instances of each class. */
  private final TreeMap<Double, Double> weights = new TreeMap<>();

  private ClassPrior(boolean isKept) {
    this.isKept = isKept;
  }

  /** A prior that counts classes. */
  public static ClassPrior counting() {
    return new ClassPrior(true);
  }

  /** A prior that counts nothing and changes no answer. */
  public static ClassPrior none() {
    return new ClassPrior(false);
  }

  void count(double label, double weight) {
    if (isKept) {
      weights.merge(label + 0.0, weight, Double::sum);
    }
  }

  /** Forgets all counts. */
  void clear() {
    weights.clear();
  }

  ClassPrior copy() {
    ClassPrior copy = new ClassPrior(isKept);
    copy.weights.putAll(weights);
    return copy;
  }

  /** The label for a row; the predictor computes scores only if they can matter. */
  double predict(Predictor predictor, Features x) {
    return isAsked(predictor.task())
        ? answer(predictor.answer(x), predictor.task()).label()
        : predictor.predict(x);
  }

  /** The answer for a row, from that of the predictor. */
  Prediction answer(Prediction given, Task task) {
    if (!isAsked(task) || !given.isFar()) {
      return given;
    }
    return given.withLabel(majority(given.label(), task, given.classes()));
  }

  private boolean isAsked(Task task) {
    return !weights.isEmpty() && hasClasses(task);
  }

  private double majority(double label, Task task, double[] among) {
    return among.length == 0 ? label : among[majority(task, among)];
  }

  static boolean hasClasses(Task task) {
    return task.kind() == Task.Kind.BINARY || task.kind() == Task.Kind.MULTICLASS;
  }

  /** The index of the most frequent class. */
  private int majority(Task task, double[] among) {
    boolean isPair = task.kind() == Task.Kind.BINARY;
    int best = isPair ? 1 : 0;
    for (int c = 0; c < among.length; c++) {
      best = weight(among[c]) > weight(among[best]) ? c : best;
    }
    return best;
  }

  private double weight(double label) {
    return weights.getOrDefault(label + 0.0, 0.0);
  }

  /**
   * Scores so small that they decide only far rows: {@link Prediction#NOTHING} for the most
   * frequent class, as a signed value if two classes share one score, and 0 for all others.
   */
  double[] scores(Task task, double[] among) {
    double[] scores = new double[task.kind() == Task.Kind.MULTICLASS ? among.length : 1];
    if (isAsked(task) && among.length > 0) {
      int best = majority(task, among);
      boolean isLower = task.kind() == Task.Kind.BINARY && best == 0;
      scores[scores.length == 1 ? 0 : best] = isLower ? -Prediction.NOTHING : Prediction.NOTHING;
    }
    return scores;
  }

  /** Appends a section if classes are counted. */
  void append(Encoder out) {
    if (isKept) {
      out.section(SECTION, this::encode);
    }
  }

  /** Reads the next section if it is a prior; else returns a prior that counts nothing. */
  static ClassPrior next(Decoder in) throws ModelFileException {
    return in.optional(SECTION, ClassPrior::decode).orElse(none());
  }

  private void encode(Encoder out) {
    out.byLabel(weights, (weight, to) -> to.float64(weight));
  }

  private static ClassPrior decode(Decoder in) throws ModelFileException {
    ClassPrior prior = counting();
    int count = in.int32("the counted classes", Integer.MAX_VALUE);
    for (int i = 0; i < count; i++) {
      double label = in.finite("a class label");
      double weight = in.finite("the weight of a class");
      Decoder.check(weight > 0, "the weight of a class must be > 0", weight);
      boolean isNext = prior.weights.isEmpty() || prior.weights.lastKey() < label;
      Decoder.check(isNext, "class labels must ascend", label);
      prior.count(label, weight);
    }
    return prior;
  }
}
