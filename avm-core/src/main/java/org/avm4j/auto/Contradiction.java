package org.avm4j.auto;

import org.avm4j.auto.constants.Constants;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * Decides when labels begin to contradict the answers, and when they agree with them again. Labels
 * contradict the answers when the error rate, which was p, rises to one half. A single error is
 * never enough, because p is at least 1/1,026.
 *
 * <p>Both changes are found by Page's cumulative sum of log-likelihood ratios (1954). A change is
 * reported once the sum reaches 9, the square of {@link Constants#SURE}: among rows that are
 * independent of each other, chance alone reports one in e⁹ = 8,100 rows on average at most.
 */
final class Contradiction {
  private double errors;
  private double rows;
  private double evidence;

  /**
   * Adds an answer that was learned.
   *
   * @param error from 0 to 1
   * @return whether a contradiction begins
   */
  boolean begins(double error) {
    boolean begins = collect(ratio(error));
    double keep = 1 - 1 / Constants.WINDOW;
    errors = keep * errors + error;
    rows = keep * rows + 1;
    return begins;
  }

  /**
   * Adds an answer that is not learned. The rate p stays the same.
   *
   * @param error from 0 to 1
   * @return whether the contradiction ends
   */
  boolean ends(double error) {
    return collect(-ratio(error));
  }

  /** Whether there is any evidence for a change. */
  boolean isSuspected() {
    return evidence > 0;
  }

  /** The logarithm of how many times likelier an error is at a rate of one half than at p. */
  private double ratio(double error) {
    double p = Math.min(0.5, (errors + 1) / (rows + 2));
    return error * StrictMath.log(0.5 / p) + (1 - error) * StrictMath.log(0.5 / (1 - p));
  }

  private boolean collect(double ratio) {
    evidence = Math.max(0, evidence + ratio);
    boolean isEnough = evidence >= Constants.SURE * Constants.SURE;
    evidence = isEnough ? 0 : evidence;
    return isEnough;
  }

  /** Appends errors, rows and evidence (8 each). */
  void encode(Encoder out) {
    out.float64(errors);
    out.float64(rows);
    out.float64(evidence);
  }

  static Contradiction decode(Decoder in) throws ModelFileException {
    Contradiction read = new Contradiction();
    read.errors = in.finite("the errors of the answers");
    read.rows = in.finite("the rows answered");
    boolean isRate = 0 <= read.errors && read.errors <= read.rows;
    Decoder.check(isRate, "there must not be more errors than rows", read.errors);
    read.evidence = in.finite("the evidence for a contradiction");
    return read;
  }
}
