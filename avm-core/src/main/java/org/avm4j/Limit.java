package org.avm4j;

import java.util.Locale;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Words;

/** What happens to an update that would need a new vector when the model is at its size cap. */
public enum Limit {
  /** The nearest vector takes the update. */
  APPROXIMATE(0),
  /** The update is lost, as in the authors' code; the step still counts. */
  DROP(1),
  /**
   * Cells merge and the diameter grows: of the new instance and all vectors the one that costs
   * least is absorbed by its nearest vector. A vector c costs n (1 - K(c, c')), where n is the
   * number of instances it stands for and c' its nearest. The new instance finds a place where its
   * nearest vector has missed far more than that: the sum of 1 - K(x, c) over what it took. Nothing
   * is lost: the nearest takes over the coefficients, or for the second-order step those of all
   * become the minimum of the same sums without it; and δ becomes the largest distance that an
   * instance can have from the vector that stands for it.
   */
  MERGE(2);

  private final int tag;

  Limit(int tag) {
    this.tag = tag;
  }

  /** The word of the command line. */
  public String word() {
    return Words.of(this);
  }

  /** The policy of a word of the command line. */
  public static Limit of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }

  /** Stands for the policy in files, for ever. */
  int tag() {
    return tag;
  }

  static Limit decode(Decoder in) throws ModelFileException {
    int tag = in.int32("the policy at the cap", 2);
    return tag == 0 ? APPROXIMATE : tag == 1 ? DROP : MERGE;
  }
}
