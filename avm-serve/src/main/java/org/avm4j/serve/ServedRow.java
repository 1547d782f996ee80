package org.avm4j.serve;

import org.avm4j.data.Row;

/**
 * A row in the store: what a client sent, and what the service adds.
 *
 * @param row its values, label and weight
 * @param id the client's id; null for none
 * @param purpose how it is learned
 * @param pastAnswer the answer that the client got earlier; null for none
 */
record ServedRow(Row row, String id, Purpose purpose, PastAnswer pastAnswer) {

  /** How a row is learned, and which answer counts in the figures. */
  enum Purpose {
    /** It is only learned. */
    LEARN(0),
    /** It is answered before it is learned, and that answer counts. */
    OBSERVE(1),
    /** Its label came later than its answer; the earlier answer counts. */
    COMPLETE(2);

    /** Its number in the store. */
    final int tag;

    Purpose(int tag) {
      this.tag = tag;
    }
  }

  /**
   * An answer that a client got earlier.
   *
   * @param label the predicted label, as the number that the schema gives it
   * @param scores the scores behind it
   * @param sequence the last row that the answering model had learned
   * @param learner the number of the learner that answered
   * @param isFar whether the answer was marked as far from everything learned
   */
  record PastAnswer(double label, double[] scores, long sequence, long learner, boolean isFar) {}

  ServedRow labelled(Object label, double weight) {
    return new ServedRow(row.with(label, weight), id, Purpose.COMPLETE, pastAnswer);
  }

  ServedRow answered(PastAnswer answer) {
    return new ServedRow(row, id, purpose, answer);
  }
}
