package org.avm4j.serve;

/**
 * Lets other threads run while the rows of a large request are parsed or answered. A thread that
 * works without a pause keeps its core for milliseconds although others could run, and a short
 * request needs a core several times before its reply is sent.
 */
final class GiveWay {
  /**
   * Parsing this number of rows takes a fraction of a millisecond. Without giving way, 99 of 100
   * requests to observe a row beside large ones took 17 ms instead of 9 ({@code long-test load
   * hot}).
   */
  private static final int ROWS = 64;

  private GiveWay() {}

  /**
   * Gives way after each group of rows.
   *
   * @param number the number of the row within its request
   */
  static void afterRow(int number) {
    if (number % ROWS == 0) {
      Thread.yield();
    }
  }
}
