package org.avm4j.auto.expert;

import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/** The latest labels of a stream. */
public final class PastLabels {
  /** The most labels that are remembered. */
  public static final int MOST = 32;

  private final double[] ring = new double[MOST];
  private long count;

  /** Adds the label of the row that was just learned. */
  public void add(double label) {
    ring[(int) (count % MOST)] = label;
    count++;
  }

  /** The label {@code lag} rows ago, 1 for the latest; NaN if there is none. */
  public double ago(int lag) {
    return lag > count || lag > MOST ? Double.NaN : ring[(int) ((count - lag) % MOST)];
  }

  /** An independent copy. */
  public PastLabels copy() {
    PastLabels same = new PastLabels();
    System.arraycopy(ring, 0, same.ring, 0, MOST);
    same.count = count;
    return same;
  }

  /** Appends the labels. */
  public void encode(Encoder out) {
    out.int64(count);
    out.doubles(ring, MOST);
  }

  /** Reads what {@link #encode} wrote. */
  public static PastLabels decode(Decoder in) throws ModelFileException {
    PastLabels labels = new PastLabels();
    labels.count = in.count("the labels");
    System.arraycopy(in.doubles(MOST, MOST), 0, labels.ring, 0, MOST);
    return labels;
  }
}
