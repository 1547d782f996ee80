package org.avm4j.eval;

import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.math.Histogram;

/**
 * The area under the ROC curve of any number of scores, in bounded memory: the probability that a
 * positive instance scores above a negative one, ties counting half. Scores with a relative
 * difference below 2^-10 count as ties, so the area is off by at most half the probability of such
 * a pair: {@link #error}.
 */
final class Roc {
  static final int BITS = 10;

  private final Histogram negatives;
  private final Histogram positives;

  Roc() {
    this(new Histogram(BITS), new Histogram(BITS));
  }

  private Roc(Histogram negatives, Histogram positives) {
    this.negatives = negatives;
    this.positives = positives;
  }

  void add(boolean isPositive, double score) {
    (isPositive ? positives : negatives).add(score);
  }

  void addAll(boolean isPositive, Histogram scores) {
    (isPositive ? positives : negatives).merge(scores);
  }

  /** Whether there are scores of both sides. */
  boolean isDefined() {
    return negatives.total() > 0 && positives.total() > 0;
  }

  double area() {
    return sums()[0] / pairs();
  }

  /** The exact area is within this of {@link #area}. */
  double error() {
    return sums()[1] / pairs();
  }

  private double pairs() {
    return (double) negatives.total() * positives.total();
  }

  private double[] sums() {
    double below = 0;
    double sum = 0;
    double ties = 0;
    for (int p = 0; p < positives.pages(); p++) {
      long[] negative = negatives.page(p);
      long[] positive = positives.page(p);
      for (int i = 0; i < Histogram.PAGE_SIZE && (negative != null || positive != null); i++) {
        double n = negative == null ? 0 : negative[i];
        double m = positive == null ? 0 : positive[i];
        sum += m * (below + n / 2);
        ties += m * n / 2;
        below += n;
      }
    }
    return new double[] {sum, ties};
  }

  void encode(Encoder out) {
    negatives.encode(out);
    positives.encode(out);
  }

  static Roc decode(Decoder in) throws ModelFileException {
    return new Roc(Histogram.decode(in, BITS), Histogram.decode(in, BITS));
  }
}
