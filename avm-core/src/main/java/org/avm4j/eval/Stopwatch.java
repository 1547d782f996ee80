package org.avm4j.eval;

/** The time that a run has taken, over all resumed parts. */
final class Stopwatch {
  private final double secondsBefore;
  private final double processorBefore;
  private final long startedAt = System.nanoTime();
  private final double processorStart = processorNow();

  /** Continues from the times of earlier parts. */
  Stopwatch(double secondsBefore, double processorBefore) {
    this.secondsBefore = secondsBefore;
    this.processorBefore = processorBefore;
  }

  double seconds() {
    return secondsBefore + (System.nanoTime() - startedAt) / 1e9;
  }

  /** The time that all processors together spent for this process. */
  double processorSeconds() {
    return processorBefore + processorNow() - processorStart;
  }

  private static double processorNow() {
    return ProcessHandle.current()
        .info()
        .totalCpuDuration()
        .map(time -> time.toNanos() / 1e9)
        .orElse(Double.NaN);
  }
}
