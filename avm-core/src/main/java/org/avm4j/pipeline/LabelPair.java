package org.avm4j.pipeline;

/**
 * The two labels of a binary task as they stand in the data: the lower one is learned as -1, the
 * higher one as +1.
 *
 * @param lower learned as -1
 * @param higher learned as +1
 */
public record LabelPair(double lower, double higher) {
  /** The labels of the learner itself. */
  public static final LabelPair SIGNS = new LabelPair(-1, 1);

  public LabelPair {
    if (!(lower < higher)) {
      throw new IllegalArgumentException("two labels must differ: " + lower + " and " + higher);
    }
  }

  /** The label as it is learned. */
  public double learned(double label) {
    if (label != lower && label != higher) {
      throw new IllegalArgumentException(
          "a label of this binary task must be "
              + text(lower)
              + " or "
              + text(higher)
              + ": "
              + text(label));
    }
    return label == lower ? -1 : 1;
  }

  /** The label as it stands in the data. */
  public double given(double learned) {
    return learned < 0 ? lower : higher;
  }

  private static String text(double label) {
    return label == Math.rint(label) ? Long.toString((long) label) : Double.toString(label);
  }
}
