package org.avm4j.io;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/** Measures the time spent waiting for input, without the first read. */
final class TimedInput extends FilterInputStream {
  /** Total waiting time from which a stream counts as slow. */
  static final Duration PATIENCE = Duration.ofSeconds(5);

  private boolean hasRead;
  private long waited;

  TimedInput(InputStream in) {
    super(in);
  }

  /** Whether the reader has waited longer than {@link #PATIENCE} in all. */
  boolean isSlow() {
    return waited > PATIENCE.toNanos();
  }

  @Override
  public int read(byte[] target, int from, int length) throws IOException {
    long start = System.nanoTime();
    int count = super.read(target, from, length);
    waited += hasRead ? System.nanoTime() - start : 0;
    hasRead = true;
    return count;
  }
}
