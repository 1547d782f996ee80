package org.avm4j.serve;

import java.util.function.LongSupplier;

/** A token bucket that holds the requests of one second and fills at the same rate. Thread-safe. */
final class RateLimit {
  private static final double NANOS = 1e9;

  private final int perSecond;
  private final LongSupplier nanoTime;
  private double left;
  private long at;

  RateLimit(int perSecond) {
    this(perSecond, System::nanoTime);
  }

  RateLimit(int perSecond, LongSupplier nanoTime) {
    this.perSecond = perSecond;
    this.nanoTime = nanoTime;
    left = perSecond;
    at = nanoTime.getAsLong();
  }

  int perSecond() {
    return perSecond;
  }

  /** Takes one request out of the bucket; false if it is empty. */
  synchronized boolean tryTake() {
    long now = nanoTime.getAsLong();
    left = Math.min(perSecond, left + perSecond * ((now - at) / NANOS));
    at = now;
    if (left < 1) {
      return false;
    }
    left--;
    return true;
  }
}
