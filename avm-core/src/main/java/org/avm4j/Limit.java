package org.avm4j;

import java.util.Locale;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Words;

/** What happens to an update that would need a new vector when the model is at its size cap. */
public enum Limit {
  /** The nearest vector takes the update. */
  APPROXIMATE(0),
  /** The update is dropped, as in the authors' code; the step still counts. */
  DROP(1),
  /**
   * Cells merge and the diameter grows: either the new instance or the vector that is cheapest to
   * absorb goes to its nearest vector. A vector c costs n (1 - K(c, c')), where n is the number of
   * instances it stands for and c' its nearest vector. The new instance becomes a vector if its
   * nearest vector has missed far more than that, where missed is the sum of 1 - K(x, c) over the
   * instances x that it took. Nothing is lost: the nearest vector takes over the coefficients or,
   * for the second-order step, all coefficients become the minimum of the same sums without the
   * absorbed vector. δ becomes the largest possible distance of an instance from the vector that
   * stands for it.
   */
  MERGE(2);

  private final int tag;

  Limit(int tag) {
    this.tag = tag;
  }

  /** The name of this policy on the command line. */
  public String word() {
    return Words.of(this);
  }

  /** The policy with a name of the command line. */
  public static Limit of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }

  /** The number of the policy in files, which never changes. */
  int tag() {
    return tag;
  }

  static Limit decode(Decoder in) throws ModelFileException {
    int tag = in.int32("the policy at the cap", 2);
    return tag == 0 ? APPROXIMATE : tag == 1 ? DROP : MERGE;
  }
}
