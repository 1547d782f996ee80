package org.avm4j.app;

import java.util.Locale;
import org.avm4j.io.DataReader;

/** Prints to standard error, after a moment, that a stream is surveyed before it is learned. */
final class WaitingNote {
  /** For streams that deliver their first rows within this time, nothing is printed. */
  private static final int PATIENCE_MILLIS = 1000;

  private final Thread thread;

  WaitingNote(boolean isWanted, int rows) {
    thread = new Thread(() -> print(rows), "waiting-note");
    thread.setDaemon(true);
    if (isWanted) {
      thread.start();
    }
  }

  private static void print(int rows) {
    try {
      Thread.sleep(PATIENCE_MILLIS);
    } catch (InterruptedException done) {
      return;
    }
    System.err.printf(
        Locale.ROOT,
        "waiting for the first %,d rows, or those that arrive within %d seconds, to determine the"
            + " task and the scaling; answers follow after that. Use --warm-up N to wait for"
            + " fewer rows%n",
        rows,
        DataReader.patience().toSeconds());
  }

  void stop() {
    thread.interrupt();
  }
}
