package org.avm4j;

import java.util.Arrays;
import org.avm4j.internal.Rules;

/**
 * How sure an answer is: for each of several levels, the quantile of the nonconformity scores of
 * true labels. The nonconformity of a number is its distance from the answer, divided by the scale;
 * that of a class is 1 minus its probability. An immutable value, part of a {@link Prediction} if
 * it was asked for.
 */
public final class Certainty {
  private static final double[] NO_CLASSES = {};

  private final double level;
  private final double[] levels;
  private final double[] thresholds;
  private final double scale;
  private final double[] nonconformity;

  private Certainty(
      double level, double[] levels, double[] thresholds, double scale, double[] nonconformity) {
    this.level = checkLevel(level);
    boolean fits = levels.length > 0 && levels.length == thresholds.length;
    Rules.require(
        fits, "each level must have a threshold", levels.length + ", " + thresholds.length);
    this.levels = levels.clone();
    this.thresholds = thresholds.clone();
    this.scale = scale;
    this.nonconformity = nonconformity.clone();
  }

  /**
   * The certainty of a number.
   *
   * @param level the level that was asked for
   * @param levels in ascending order, each above 0 and below 1
   * @param thresholds one for each level
   * @param scale the usual size of the error of this answer
   */
  public static Certainty ofNumber(
      double level, double[] levels, double[] thresholds, double scale) {
    return new Certainty(level, levels, thresholds, scale, NO_CLASSES);
  }

  /**
   * The certainty of a class.
   *
   * @param level the level that was asked for
   * @param levels in ascending order, each above 0 and below 1
   * @param thresholds one for each level
   * @param nonconformity one for each class, in ascending order of label
   */
  public static Certainty ofClasses(
      double level, double[] levels, double[] thresholds, double[] nonconformity) {
    return new Certainty(level, levels, thresholds, 1, nonconformity);
  }

  /**
   * Throws an exception unless a level is above 0 and below 1.
   *
   * @return the level
   */
  public static double checkLevel(double level) {
    return Rules.check(level > 0 && level < 1, "a level must be above 0 and below 1", level);
  }

  /** The level that was asked for. */
  double level() {
    return level;
  }

  /** The interval around an answer that holds the true number with probability {@code level}. */
  Interval interval(double level, double answer) {
    double threshold = threshold(level);
    double half = threshold < Double.POSITIVE_INFINITY ? threshold * scale : threshold;
    return half < Double.POSITIVE_INFINITY && !Double.isNaN(answer)
        ? new Interval(answer - half, answer + half)
        : new Interval(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
  }

  /** The classes whose nonconformity is within the threshold of a level. */
  double[] labels(double level, double[] classes) {
    double threshold = threshold(level);
    double[] labels = new double[classes.length];
    int count = 0;
    for (int c = 0; c < classes.length; c++) {
      if (nonconformity[c] <= threshold) {
        labels[count++] = classes[c];
      }
    }
    return Arrays.copyOf(labels, count);
  }

  /**
   * The threshold of a level. Between two given levels it is interpolated linearly in -ln(1 -
   * level), below the first one linearly in the level, and beyond the last one as if errors had an
   * exponential tail.
   */
  double threshold(double level) {
    checkLevel(level);
    int at = Arrays.binarySearch(levels, level);
    if (at >= 0) {
      return thresholds[at];
    }
    int above = -at - 1;
    int last = levels.length - 1;
    if (above > last) {
      return thresholds[last] * depth(level) / depth(levels[last]);
    }
    double high = thresholds[above];
    if (above == 0) {
      return high * level / levels[0];
    }
    double from = depth(levels[above - 1]);
    double low = thresholds[above - 1];
    double part = (depth(level) - from) / (depth(levels[above]) - from);
    return high < Double.POSITIVE_INFINITY ? low + part * (high - low) : high;
  }

  private static double depth(double level) {
    return -StrictMath.log(1 - level);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Certainty that
        && level == that.level
        && Arrays.equals(levels, that.levels)
        && Arrays.equals(thresholds, that.thresholds)
        && Double.compare(scale, that.scale) == 0
        && Arrays.equals(nonconformity, that.nonconformity);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(thresholds) + Double.hashCode(scale);
  }

  @Override
  public String toString() {
    return "thresholds " + Arrays.toString(thresholds) + " of levels " + Arrays.toString(levels);
  }

  /**
   * A closed range of numbers. Its ends are infinite as long as nothing is known.
   *
   * @param low the lower end
   * @param high the upper end
   */
  public record Interval(double low, double high) {
    /** Checks the order of the ends. */
    public Interval {
      Rules.require(low <= high, "the ends of an interval must ascend", low + ", " + high);
    }

    /** Whether a number is inside. */
    public boolean contains(double value) {
      return low <= value && value <= high;
    }

    /** The distance between the ends. */
    public double width() {
      return high - low;
    }
  }
}
