package org.avm4j;

import java.util.Arrays;
import java.util.Objects;
import java.util.OptionalDouble;
import org.avm4j.Certainty.Interval;

/**
 * An answer: the predicted label and its scores; the probability of each class, if the predictor is
 * calibrated; and how sure the answer is, if that was asked for. An immutable value.
 */
public final class Prediction {
  /**
   * Scores of at most this say nothing about a row. Far from every core point scores vanish: kernel
   * values end at about 1e-38 in single precision and at 1e-308 in double precision. 1e-25 leaves
   * room for large coefficients.
   */
  public static final double NOTHING = 1e-25;

  private static final double[] UNCALIBRATED = {};

  private final double label;
  private final double[] classes;
  private final double[] scores;
  private final double[] probabilities;
  private final Certainty certainty;
  private final boolean isFar;
  private final boolean isWorthAsking;

  /** An answer without probabilities. */
  public Prediction(double label, double[] classes, double[] scores) {
    this(label, classes, scores, UNCALIBRATED);
  }

  /**
   * An answer with probabilities.
   *
   * @param label the predicted class, or number
   * @param classes the class labels in ascending order; none for regression
   * @param scores one score, or one for each class
   * @param probabilities one for each class, or none
   */
  public Prediction(double label, double[] classes, double[] scores, double[] probabilities) {
    this(
        label,
        classes.clone(),
        scores.clone(),
        probabilities.clone(),
        null,
        areNothing(scores),
        false);
  }

  private static boolean areNothing(double[] scores) {
    return scores.length > 0 && Arrays.stream(scores).allMatch(score -> Math.abs(score) <= NOTHING);
  }

  private Prediction(
      double label,
      double[] classes,
      double[] scores,
      double[] probabilities,
      Certainty certainty,
      boolean isFar,
      boolean isWorthAsking) {
    this.label = label;
    this.classes = classes;
    this.scores = scores;
    this.probabilities = probabilities;
    this.certainty = certainty;
    this.isFar = isFar;
    this.isWorthAsking = isWorthAsking;
  }

  /** A copy with a certainty. */
  public Prediction with(Certainty known) {
    return new Prediction(label, classes, scores, probabilities, known, isFar, isWorthAsking);
  }

  /** A copy with another label. */
  public Prediction withLabel(double other) {
    return new Prediction(other, classes, scores, probabilities, certainty, isFar, isWorthAsking);
  }

  /** A copy that says whether the row is {@linkplain #isFar far} from everything learned. */
  public Prediction withFar(boolean far) {
    return new Prediction(label, classes, scores, probabilities, certainty, far, isWorthAsking);
  }

  /** The same answer to a row whose label is, or is not, worth asking for. */
  public Prediction withAsking(boolean worth) {
    return new Prediction(label, classes, scores, probabilities, certainty, isFar, worth);
  }

  /** The predicted class, or number; NaN before any class is known. */
  public double label() {
    return label;
  }

  /** The class labels in ascending order; none for regression. */
  public double[] classes() {
    return classes.clone();
  }

  /** The scores: one for each class in the order of {@link #classes}, or one. */
  public double[] scores() {
    return scores.clone();
  }

  /**
   * Whether the row is so far from everything learned that its scores mean nothing. The answer is
   * then the most frequent class or, for numbers, the starting value of the learner: the mean of
   * the labels if it centres them, else 0. A near row whose answer happens to be exactly this value
   * looks the same, such as all rows if all labels are equal.
   */
  public boolean isFar() {
    return isFar;
  }

  /**
   * Whether the label of the row is worth its price: a learner with the option {@code ask} says so
   * of the rows by column name that its budget allows for; false everywhere else.
   */
  public boolean isWorthAsking() {
    return isWorthAsking;
  }

  /** Whether there are probabilities. */
  public boolean isCalibrated() {
    return probabilities.length > 0;
  }

  /** The probability of each class in the order of {@link #classes}; empty if uncalibrated. */
  public double[] probabilities() {
    return probabilities.clone();
  }

  /** The probability of a class, 0 if the class is unknown. */
  public double probabilityOf(double wanted) {
    if (!isCalibrated()) {
      throw new IllegalStateException("the predictor was not calibrated, it has no probabilities");
    }
    int at = Arrays.binarySearch(classes, wanted);
    return at < 0 ? 0 : probabilities[at];
  }

  /** The level that was asked for; empty if it is not known how sure the answer is. */
  public OptionalDouble certaintyLevel() {
    return certainty == null ? OptionalDouble.empty() : OptionalDouble.of(certainty.level());
  }

  /**
   * The interval that holds the true number with probability {@code level}; infinite before
   * anything was learned.
   *
   * @param level above 0 and below 1, such as 0.9
   * @throws IllegalStateException if the predictor does not know how sure it is, or answers classes
   */
  public Interval interval(double level) {
    if (classes.length > 0) {
      throw new IllegalStateException("an interval is for numbers, the answer is a class");
    }
    return certainty().interval(level, label);
  }

  /**
   * The set of labels that contains the true one with probability {@code level}, in ascending
   * order. It may be empty: then no class is as likely as the true one usually is.
   *
   * @param level above 0 and below 1, such as 0.9
   * @throws IllegalStateException if the predictor does not know how sure it is, or answers numbers
   */
  public double[] labels(double level) {
    if (classes.length == 0) {
      throw new IllegalStateException("a set of labels is for classes, the answer is a number");
    }
    return certainty().labels(level, classes);
  }

  private Certainty certainty() {
    if (certainty == null) {
      throw new IllegalStateException("the predictor does not know how sure it is");
    }
    return certainty;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Prediction that
        && Double.compare(label, that.label) == 0
        && Arrays.equals(classes, that.classes)
        && Arrays.equals(scores, that.scores)
        && Arrays.equals(probabilities, that.probabilities)
        && Objects.equals(certainty, that.certainty);
  }

  @Override
  public int hashCode() {
    return 31 * Double.hashCode(label) + Arrays.hashCode(scores);
  }

  @Override
  public String toString() {
    String end = isCalibrated() ? ", probabilities " + Arrays.toString(probabilities) : "";
    return label + ", scores " + Arrays.toString(scores) + end;
  }
}
