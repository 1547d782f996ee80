package org.avm4j.step;

import java.util.Arrays;
import org.avm4j.Forgetting;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * m_t of {@link Forgetting}, the number of instances that the model remembers, and the step at
 * which each vector was last met.
 */
public final class Memory {
  /** A vector may be released if its cell was last met more than this multiple of m_t steps ago. */
  static final int HORIZONS_UNSEEN = 4;

  private final Forgetting forgetting;
  private DriftWatch watch = new DriftWatch();
  private double size;
  private double before;
  private long checked;
  private long[] seen = {};

  /** A memory that has seen no instance. */
  public Memory(Forgetting forgetting) {
    this.forgetting = forgetting;
  }

  /** Whether anything is ever forgotten. */
  public boolean fades() {
    return forgetting.forgets();
  }

  /** m_t. */
  public double size() {
    return size;
  }

  /** m_{t-1}. */
  public double before() {
    return before;
  }

  /** (m_t - 1)/m_{t-1}: the factor by which step t discounts what was learned before. */
  public double discount() {
    return size == before + 1 ? 1 : (size - 1) / before;
  }

  /** The drift detector. */
  public DriftWatch watch() {
    return watch;
  }

  /** Adds a label, if errors are watched; returns the standard deviation of the labels so far. */
  public double deviation(double y) {
    return forgetting.watchesErrors() ? watch.deviation(y) : 0;
  }

  /** Begins step t, whose instance was answered with the given error. */
  public void advance(double error, long t) {
    before = size;
    size = Math.min(size + 1, horizon(error, t));
  }

  private double horizon(double error, long t) {
    return forgetting.watchesErrors() ? watch.horizon(error, t) : forgetting.horizon();
  }

  /** Notes that step t met vector j of n. */
  public void meet(int j, int n, long t) {
    if (fades()) {
      if (n > seen.length) {
        seen = Arrays.copyOf(seen, n + n / 2);
      }
      seen[j] = t;
    }
  }

  /**
   * Whether it is time to look for vectors to release: once in m_t steps, or in n if there are more
   * vectors.
   */
  public boolean isTimeToRelease(int n, long t) {
    boolean isTime = fades() && t - checked > Math.max(n, size);
    checked = isTime ? t : checked;
    return isTime;
  }

  /** Whether the cell of vector j has not been met for a long time. */
  public boolean isUnseen(int j, long t) {
    return t - seen[j] > HORIZONS_UNSEEN * size;
  }

  /** Notes that vector i absorbs vector j, and so was met whenever j was. */
  public void absorb(int j, int i) {
    if (fades()) {
      seen[i] = Math.max(seen[i], seen[j]);
    }
  }

  /** Removes vector j of n; the last vector takes its place. */
  public void remove(int j, int n) {
    if (fades()) {
      seen[j] = seen[n - 1];
    }
  }

  /**
   * Adds the memory of another learner. There are n vectors and t steps afterwards, and all vectors
   * count as just met.
   */
  public void merge(Memory other, int n, long t) {
    size += other.size;
    watch.merge(other.watch);
    seen = new long[fades() ? n : 0];
    Arrays.fill(seen, t);
  }

  /** Appends what is kept for n vectors. */
  public void encode(Encoder out, int n) {
    out.float64(size);
    if (fades()) {
      out.int64(checked);
      out.longs(Arrays.copyOf(seen, n));
    }
    if (forgetting.watchesErrors()) {
      watch.encode(out);
    }
  }

  /** Reads what {@link #encode} wrote. */
  public static Memory decode(Decoder in, Forgetting forgetting, int n) throws ModelFileException {
    Memory memory = new Memory(forgetting);
    memory.size = in.finite("the memory");
    Decoder.check(memory.size >= 0, "the memory must be >= 0", memory.size);
    if (memory.fades()) {
      memory.checked = in.count("the last look for vectors to release");
      memory.seen = in.counts("when a vector was met", n);
    }
    if (forgetting.watchesErrors()) {
      memory.watch = DriftWatch.decode(in);
    }
    return memory;
  }
}
