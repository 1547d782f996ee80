package org.avm4j.serve;

/** The memory that waiting work may use. */
final class MemoryShare {
  private static final long LEAST = 4L << 20;

  private MemoryShare() {}

  /**
   * 1/{@code parts} of the heap in bytes, at least 4 MB. Callers that count bytes on disk must
   * allow for rows to take about eight times as much memory.
   */
  static long of(int parts) {
    return Math.max(LEAST, Runtime.getRuntime().maxMemory() / parts);
  }
}
