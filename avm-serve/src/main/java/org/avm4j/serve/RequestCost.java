package org.avm4j.serve;

/**
 * Estimates the memory that a request takes with its reply, and refuses one that takes more than a
 * quarter of the heap. It is counted while rows are parsed, so that nothing of a refused request is
 * stored: if the memory ran out later, a client would have to send again what was learned already.
 */
final class RequestCost {
  private static final int PARTS = 4;
  private static final int ROW = 500;
  private static final int VALUE = 100;
  private static final int ANSWER = 500;

  /** A score and a probability, as numbers and as text. */
  private static final int CLASS = 100;

  private final long most;
  private final long row;
  private long bytes;
  private long rows;

  /**
   * An empty request.
   *
   * @param most the most bytes that it may take
   * @param isAnswered whether the reply has an answer to each row
   * @param classes the number of classes of such an answer
   */
  RequestCost(long most, boolean isAnswered, int classes) {
    this.most = most;
    row = ROW + (isAnswered ? ANSWER + (long) CLASS * classes : 0);
  }

  /** The cost of a request whose rows are only stored. */
  static RequestCost stored() {
    return new RequestCost(MemoryShare.of(PARTS), false, 0);
  }

  /** The cost of a request whose reply has an answer to each row. */
  static RequestCost answered(Published now) {
    return new RequestCost(MemoryShare.of(PARTS), true, now.classes().size());
  }

  /** Counts a row without its values. */
  void addRow() {
    addRows(1);
  }

  void addRows(int n) {
    rows += n;
    add(n * row);
  }

  void addValues(int n) {
    add((long) n * VALUE);
  }

  private void add(long more) {
    bytes += more;
    if (bytes > most) {
      throw new Problem(
          413,
          "the rows of this request need more than a quarter of the memory of the service, so"
              + " nothing in it was learned; send batches of at most "
              + Math.max(1, (long) (0.9 * most / bytes * rows))
              + " such rows");
    }
  }
}
