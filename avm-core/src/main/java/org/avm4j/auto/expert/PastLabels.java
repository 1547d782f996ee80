package org.avm4j.auto.expert;

import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * The latest labels of a stream. If labels are known late, a row is learned with the labels that
 * were known when it was answered: {@link #hideLate} hides those that were not.
 */
public final class PastLabels {
  /** The most labels that are remembered, besides those that may be hidden. */
  public static final int MOST = 32;

  private final double[] ring;
  private long count;
  private long hidden;

  /** No labels, of a stream whose labels are known at once. */
  public PastLabels() {
    this(0);
  }

  /**
   * No labels.
   *
   * @param delay the number of rows that are answered between a row and its label
   */
  public PastLabels(int delay) {
    this(new double[MOST + delay]);
  }

  private PastLabels(double[] ring) {
    this.ring = ring;
  }

  /** Adds the label of the row that was just learned. */
  public void add(double label) {
    ring[(int) (count % ring.length)] = label;
    count++;
  }

  /** Hides the labels that come late from now on, or none. */
  public void hideLate(boolean areHidden) {
    hidden = areHidden ? ring.length - MOST : 0;
  }

  /** The label {@code lag} rows ago, 1 for the latest; NaN if there is none. */
  public double ago(int lag) {
    long place = count - hidden - lag;
    return place < 0 || lag > MOST ? Double.NaN : ring[(int) (place % ring.length)];
  }

  /** The latest labels of a stream whose labels are known at once. */
  public PastLabels copy() {
    return withDelay(0);
  }

  /** An independent copy for another delay; what a longer delay would need is unknown. */
  public PastLabels withDelay(int delay) {
    PastLabels same = new PastLabels(delay);
    long first = Math.max(0, count - Math.min(ring.length, same.ring.length));
    same.count = same.ring.length > ring.length ? 0 : first;
    for (long place = first; place < count; place++) {
      same.add(ring[(int) (place % ring.length)]);
    }
    return same;
  }

  /** Appends the labels. */
  public void encode(Encoder out) {
    out.int64(count);
    out.doubles(ring, ring.length);
  }

  /** Reads what {@link #encode} wrote for labels that are known at once. */
  public static PastLabels decode(Decoder in) throws ModelFileException {
    return decode(in, 0);
  }

  /** Reads what {@link #encode} wrote for this delay. */
  public static PastLabels decode(Decoder in, int delay) throws ModelFileException {
    long count = in.count("the labels");
    PastLabels labels = new PastLabels(in.doubles(MOST + delay, 0));
    labels.count = count;
    return labels;
  }
}
