package org.avm4j.auto.aggregate;

import org.avm4j.auto.constants.Constants;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * Limits numeric labels to within 3 deviations of the answers, so that no single row decides. The
 * deviation is that of the latest errors. These are limited in the same way, so that the deviation
 * grows by a few per cent with each row after a change of the stream. It begins at 1, the deviation
 * of the labels.
 *
 * <p>Without the limit, one label that was wrong by 80 deviations of the errors gave all weight to
 * experts that follow the latest rows: the error of the answers rose from 0.09 to 2.3.
 */
final class LabelLimit {
  /** The smallest variance: errors below a negligible fraction of a deviation count as exact. */
  private static final double LEAST = Constants.NEGLIGIBLE * Constants.NEGLIGIBLE;

  private double variance = 1;

  /** The label, or the nearest number that is not too far from the answer. */
  double apply(double label, double answer) {
    double most = Constants.SURE * Math.sqrt(variance);
    return Math.max(answer - most, Math.min(answer + most, label));
  }

  /**
   * Learns the error of an answer.
   *
   * @param limited the label after {@link #apply}
   */
  void learn(double limited, double answer) {
    double miss = limited - answer;
    variance = Math.max(LEAST, variance + (miss * miss - variance) / Constants.POINTS);
  }

  /** Appends the variance of the errors (8). */
  void encode(Encoder out) {
    out.float64(variance);
  }

  static LabelLimit decode(Decoder in) throws ModelFileException {
    LabelLimit read = new LabelLimit();
    read.variance = in.finite("the variance of the errors");
    Decoder.check(read.variance >= LEAST, "a variance must not be too small", read.variance);
    return read;
  }
}
