package org.avm4j.table;

import java.util.Locale;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/** The range that features are brought to before they are learned from. */
public enum Scaling {
  /** As they are. */
  NONE(0),
  /** To [0, 1], by the smallest and largest value. */
  UNIT(1),
  /** To [-1, 1], by the smallest and largest value. */
  SYMMETRIC(2),
  /** To mean 0 and standard deviation 1. */
  STANDARD(3),
  /**
   * Columns of numbers to mean 0 and standard deviation 1; columns of 0 and 1 stay, and columns
   * that are mostly 0 are divided by their largest value, so that sparse rows stay sparse.
   */
  NUMBERS(4);

  /** Stands for the scaling in files, for ever. */
  private final int tag;

  Scaling(int tag) {
    this.tag = tag;
  }

  /** The word of the command line. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The scaling of a word of the command line. */
  public static Scaling of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }

  /** Appends the tag (4). */
  public void encode(Encoder out) {
    out.int32(tag);
  }

  /** The scaling that was appended. */
  public static Scaling decode(Decoder in) throws ModelFileException {
    int tag = in.int32();
    for (Scaling scaling : values()) {
      if (scaling.tag == tag) {
        return scaling;
      }
    }
    throw new ModelFileException("damaged content: the scaling must be from 0 to 4: " + tag);
  }
}
