package org.avm4j.auto.aggregate;

import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * Compares two learners by their losses on the same instances: the sum of the differences, in
 * standard errors. Automatic mode compares running learners by it; searches compare mean losses.
 */
public final class PairedTest {
  private final double keep;
  private double sum;
  private double squares;

  /** A test over all instances. */
  public PairedTest() {
    keep = 1;
  }

  /** A test with a forgetting factor: about the latest {@code window} instances count. */
  public PairedTest(double window) {
    keep = 1 - 1 / window;
  }

  /**
   * Adds an instance.
   *
   * @param lead the loss of the second learner minus that of the first
   */
  public void add(double lead) {
    sum = keep * sum + lead;
    squares = keep * squares + lead * lead;
  }

  /** By how many standard errors the first learner is better; negative if it is worse. */
  public double z() {
    return sum / Math.sqrt(squares + 1);
  }

  /** Forgets all instances. */
  public void clear() {
    sum = 0;
    squares = 0;
  }

  /** Appends the two sums (8 each). */
  public void encode(Encoder out) {
    out.float64(sum);
    out.float64(squares);
  }

  /** Takes over what {@link #encode} wrote. */
  public PairedTest decode(Decoder in) throws ModelFileException {
    sum = in.finite("a difference of losses");
    squares = in.finite("the squares of differences");
    Decoder.check(squares >= 0, "squares must not be negative", squares);
    return this;
  }
}
