package org.avm4j.pipeline;

import java.util.Arrays;
import org.avm4j.Features;
import org.avm4j.Prediction;
import org.avm4j.Predictor;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * How often each class was learned, and from that the answer to rows that a model knows nothing
 * about. Far from every core point all kernel values vanish, and so do all scores. The answer is
 * then the most frequent class; of equally frequent ones, the one that scores of 0 stand for. A
 * model saved without counts answers by the rounding errors of its scores.
 *
 * <p>In a file: n (4), n× class label (8), ascending, and weight of the instances learned (8).
 */
public final class ClassPrior {
  private static final String SECTION = "prior";

  private final boolean isKept;

  /** The labels of the classes in ascending order; the array may be longer than their number. */
  private double[] labels = new double[2];

  private double[] weights = new double[2];
  private int classes;

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

  /** Counts an instance. */
  void count(double label, double weight) {
    if (isKept) {
      int place = place(label);
      if (place < 0) {
        insert(-1 - place, label + 0.0, weight);
      } else {
        weights[place] += weight;
      }
    }
  }

  /**
   * The index of a class or, as {@link Arrays#binarySearch} returns it, -1 minus its insertion
   * point.
   */
  private int place(double label) {
    return Arrays.binarySearch(labels, 0, classes, label + 0.0);
  }

  private void insert(int place, double label, double weight) {
    if (classes == labels.length) {
      labels = Arrays.copyOf(labels, 2 * classes);
      weights = Arrays.copyOf(weights, 2 * classes);
    }
    System.arraycopy(labels, place, labels, place + 1, classes - place);
    System.arraycopy(weights, place, weights, place + 1, classes - place);
    labels[place] = label;
    weights[place] = weight;
    classes++;
  }

  /** Forgets all counts. */
  void clear() {
    classes = 0;
  }

  ClassPrior copy() {
    ClassPrior copy = new ClassPrior(isKept);
    copy.labels = labels.clone();
    copy.weights = weights.clone();
    copy.classes = classes;
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
    return classes > 0 && hasClasses(task);
  }

  private double majority(double label, Task task, double[] among) {
    return among.length == 0 ? label : among[majority(task, among)];
  }

  /** Whether classes are predicted. */
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
    int place = place(label);
    return place < 0 ? 0 : weights[place];
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
    return in.hasSection(SECTION) ? in.section(SECTION, ClassPrior::decode) : none();
  }

  private void encode(Encoder out) {
    out.int32(classes);
    for (int c = 0; c < classes; c++) {
      out.float64(labels[c]);
      out.float64(weights[c]);
    }
  }

  private static ClassPrior decode(Decoder in) throws ModelFileException {
    ClassPrior prior = counting();
    int count = in.int32("the counted classes", Integer.MAX_VALUE);
    for (int i = 0; i < count; i++) {
      double label = in.finite("a class label");
      double weight = in.finite("the weight of a class");
      Decoder.check(weight > 0, "the weight of a class must be > 0", weight);
      boolean isNext = prior.place(label) == -1 - prior.classes;
      Decoder.check(isNext, "class labels must ascend", label);
      prior.count(label, weight);
    }
    return prior;
  }
}
