package org.avm4j.serve;

/** How much of the memory things may take that wait. */
final class MemoryShare {
  private static final long LEAST = 4L << 20;

  private MemoryShare() {}

  /**
   * A given fraction of all memory, in bytes, and 4 MB at least. Rows take about eight times as
   * much memory as they have bytes on disk.
   */
  static long of(int parts) {
    return Math.max(LEAST, Runtime.getRuntime().maxMemory() / parts);
  }
}
