package org.avm4j.serve;

import java.util.concurrent.atomic.AtomicLong;

/** The size on disk of the rows that all models of a service together still have to learn. */
final class LearnBacklog {
  private final AtomicLong bytes = new AtomicLong();
  private final long most = MemoryShare.of(64);

  void add(long change) {
    bytes.addAndGet(change);
  }

  long bytes() {
    return bytes.get();
  }

  boolean isFull() {
    return bytes.get() > most;
  }
}
