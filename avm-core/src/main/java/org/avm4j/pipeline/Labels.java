package org.avm4j.pipeline;

import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Decimal;
import org.avm4j.internal.Rules;

/** The map from the labels of the data to the labels that are learned, and its inverse. */
public sealed interface Labels {
  /** The label as it is learned. */
  double transform(double label);

  /** The label of the data for an answer. */
  double inverse(double answer);

  /** The labels of the data for some classes. */
  default double[] inverse(double[] classes) {
    return classes;
  }

  /** Whether the map is defined for a label. */
  default boolean accepts(double label) {
    return true;
  }

  /** The map extended by a label; throws an exception if it has no room for it. */
  default Labels including(double label) {
    transform(label);
    return this;
  }

  /**
   * The only labels of the data that are accepted; empty if there is no such restriction.
   *
   * @param learned the only labels that the learner accepts; empty if there is no such restriction
   */
  default double[] accepted(double[] learned) {
    return inverse(learned);
  }

  /** Maps the scores of an instance back to the scale of the data. */
  default void inverseScores(double[] scores) {}

  /** Appends a tag (4), and two numbers (8) unless the tag is 0. */
  void encode(Encoder out);

  /** Labels that are learned as they are. */
  record Plain() implements Labels {
    @Override
    public double transform(double label) {
      return label;
    }

    @Override
    public double inverse(double answer) {
      return answer;
    }

    @Override
    public void encode(Encoder out) {
      out.int32(0);
    }
  }

  /**
   * The two labels of a binary task: the lower one is learned as -1, the higher one as +1.
   *
   * @param lower learned as -1
   * @param higher learned as +1
   */
  record Pair(double lower, double higher) implements Labels {
    /** The labels of the learner itself. */
    public static final Pair SIGNS = new Pair(-1, 1);

    public Pair {
      Rules.require(lower < higher, "two labels must differ", lower + " and " + higher);
    }

    @Override
    public boolean accepts(double label) {
      return label == lower || label == higher;
    }

    @Override
    public double transform(double label) {
      if (!accepts(label)) {
        String expected = text(lower) + " or " + text(higher);
        throw new IllegalArgumentException(
            "a label of this binary task must be " + expected + ": " + text(label));
      }
      return label == lower ? -1 : 1;
    }

    @Override
    public double inverse(double answer) {
      return answer < 0 ? lower : higher;
    }

    @Override
    public double[] inverse(double[] classes) {
      return new double[] {lower, higher};
    }

    @Override
    public void encode(Encoder out) {
      out.int32(1);
      out.float64(lower);
      out.float64(higher);
    }

    private static String text(double label) {
      return Decimal.text(label);
    }
  }

  /**
   * The two labels of a binary task that are not known in advance, in the order in which they
   * appear. The first one is learned as +1 if it is a positive number and as -1 otherwise, the
   * second one as the opposite.
   *
   * @param negative learned as -1, NaN until it is known
   * @param positive learned as +1, NaN until it is known
   */
  record Discovered(double negative, double positive) implements Labels {
    /** No label is known. */
    public static final Discovered NONE = new Discovered(Double.NaN, Double.NaN);

    private boolean isKnown(double label) {
      return label == negative || label == positive;
    }

    private boolean isComplete() {
      return !Double.isNaN(negative) && !Double.isNaN(positive);
    }

    @Override
    public boolean accepts(double label) {
      return isKnown(label) || !isComplete();
    }

    @Override
    public Discovered including(double label) {
      if (isKnown(label)) {
        return this;
      }
      if (isComplete()) {
        throw new IllegalArgumentException(
            "a label of this binary task must be %s or %s: %s"
                .formatted(Decimal.text(negative), Decimal.text(positive), Decimal.text(label)));
      }
      boolean isPositive =
          Double.isNaN(negative) && Double.isNaN(positive) ? label > 0 : Double.isNaN(positive);
      return isPositive ? new Discovered(negative, label) : new Discovered(label, positive);
    }

    @Override
    public double transform(double label) {
      return including(label).negative == label ? -1 : 1;
    }

    /** {@inheritDoc} As long as one label is unknown, it is assumed to be next to the other. */
    @Override
    public double inverse(double answer) {
      if (answer < 0) {
        return Double.isNaN(negative) ? (Double.isNaN(positive) ? -1 : positive - 1) : negative;
      }
      return Double.isNaN(positive) ? (Double.isNaN(negative) ? 1 : negative + 1) : positive;
    }

    @Override
    public double[] inverse(double[] classes) {
      return new double[] {inverse(-1), inverse(1)};
    }

    @Override
    public double[] accepted(double[] learned) {
      return isComplete() ? new double[] {negative, positive} : new double[0];
    }

    @Override
    public void encode(Encoder out) {
      out.int32(3);
      out.float64(negative);
      out.float64(positive);
    }
  }

  /**
   * Numbers, learned with mean 0 and standard deviation 1; answers and scores are mapped back.
   *
   * @param mean the mean of the sampled labels
   * @param deviation their standard deviation
   */
  record Standard(double mean, double deviation) implements Labels {
    public Standard {
      boolean isFinite = Double.isFinite(mean) && Double.isFinite(deviation);
      Rules.require(deviation > 0 && isFinite, "a deviation must be > 0", deviation);
    }

    @Override
    public double transform(double label) {
      return (label - mean) / deviation;
    }

    @Override
    public double inverse(double answer) {
      return answer * deviation + mean;
    }

    @Override
    public double[] accepted(double[] learned) {
      return learned;
    }

    @Override
    public void inverseScores(double[] scores) {
      if (scores.length > 0) {
        scores[0] = inverse(scores[0]);
      }
    }

    @Override
    public void encode(Encoder out) {
      out.int32(2);
      out.float64(mean);
      out.float64(deviation);
    }
  }

  /** The labels that were appended. */
  static Labels decode(Decoder in) throws ModelFileException {
    return in.valid(
        from ->
            switch (from.int32("the labels", 3)) {
              case 0 -> new Plain();
              case 1 -> new Pair(from.finite("a label"), from.finite("a label"));
              case 2 -> new Standard(from.finite("a mean"), from.finite("a deviation"));
              default -> new Discovered(unlessUnknown(from), unlessUnknown(from));
            });
  }

  private static double unlessUnknown(Decoder in) throws ModelFileException {
    double label = in.float64();
    Decoder.check(!Double.isInfinite(label), "a label must be finite", label);
    return label;
  }
}
