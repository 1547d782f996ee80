package org.avm4j.math;

import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * A histogram of numbers of any magnitude, in bounded memory. A bin holds the floats with the same
 * sign, exponent and first bits of the fraction, so that its relative width is constant. Bins
 * ascend with their values, and two histograms add up exactly.
 */
public final class Histogram {
  private static final int PAGE = 8;
  private static final int FRACTION = 23;

  /** How many bins a page has. */
  public static final int PAGE_SIZE = 1 << PAGE;

  private final int shift;
  private final long[][] pages;
  private long total;

  /** Bins as wide as 2^-bits of their values; bits from 1 to 15. */
  public Histogram(int bits) {
    shift = FRACTION - bits;
    pages = new long[1 << (Integer.SIZE - shift - PAGE)][];
  }

  /** Counts a finite number. */
  public void add(double value) {
    addTo(bin(value), 1);
  }

  /** The bin of a number. */
  public int bin(double value) {
    int bits = Float.floatToRawIntBits((float) value + 0.0f);
    int ordered = bits ^ (bits >> 31 | Integer.MIN_VALUE);
    return ordered >>> shift;
  }

  /** The number of numbers. */
  public long total() {
    return total;
  }

  /** One more than the largest bin. */
  public int bins() {
    return pages.length << PAGE;
  }

  /** The counts of a page of bins; null if all are 0. */
  public long[] page(int page) {
    return pages[page];
  }

  /** How many pages there are. */
  public int pages() {
    return pages.length;
  }

  /**
   * The smallest bound of a bin such that at most this fraction of the numbers is at or above it;
   * infinite if the fraction is less than one number.
   */
  public double top(double part) {
    double wanted = part * total;
    long above = 0;
    for (int p = pages.length - 1; p >= 0 && wanted >= 1; p--) {
      for (int i = PAGE_SIZE - 1; pages[p] != null && i >= 0; i--) {
        above += pages[p][i];
        if (above > wanted) {
          return lowerEnd((p << PAGE) + i + 1);
        }
      }
    }
    return Double.POSITIVE_INFINITY;
  }

  /** Adds the counts of another with bins as wide. */
  public void merge(Histogram other) {
    for (int p = 0; p < pages.length; p++) {
      for (int i = 0; other.pages[p] != null && i < PAGE_SIZE; i++) {
        if (other.pages[p][i] > 0) {
          addTo((p << PAGE) + i, other.pages[p][i]);
        }
      }
    }
  }

  /** Appends n× [bin (4), count (8)], only bins that are not empty. */
  public void encode(Encoder out) {
    out.int32(used());
    for (int p = 0; p < pages.length; p++) {
      for (int i = 0; pages[p] != null && i < PAGE_SIZE; i++) {
        if (pages[p][i] > 0) {
          out.int32((p << PAGE) + i);
          out.int64(pages[p][i]);
        }
      }
    }
  }

  /** The histogram that was appended. */
  public static Histogram decode(Decoder in, int bits) throws ModelFileException {
    Histogram histogram = new Histogram(bits);
    int used = in.int32("the bins in use", histogram.bins());
    for (int i = 0; i < used; i++) {
      int bin = in.int32("a bin", histogram.bins() - 1);
      long count = in.count("a count");
      boolean fits = count <= Long.MAX_VALUE - histogram.total;
      Decoder.check(fits, "all counts together must be below 2^63", count);
      histogram.addTo(bin, count);
    }
    return histogram;
  }

  private int used() {
    int used = 0;
    for (long[] page : pages) {
      for (int i = 0; page != null && i < page.length; i++) {
        used += page[i] > 0 ? 1 : 0;
      }
    }
    return used;
  }

  private void addTo(int bin, long count) {
    if (pages[bin >> PAGE] == null) {
      pages[bin >> PAGE] = new long[PAGE_SIZE];
    }
    pages[bin >> PAGE][bin & PAGE_SIZE - 1] += count;
    total += count;
  }

  private double lowerEnd(int bin) {
    int ordered = bin << shift;
    int bits = ordered ^ (~ordered >> 31 | Integer.MIN_VALUE);
    return Float.intBitsToFloat(bits);
  }
}
