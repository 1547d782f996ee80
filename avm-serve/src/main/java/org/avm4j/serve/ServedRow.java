package org.avm4j.serve;

import org.avm4j.data.Row;

/**
 * A row in the store: what a client sent, and what the service adds.
 *
 * @param row its values, label and weight
 * @param id the client's id; null for none
 * @param how what is to be done with it
 * @param given the answer that was given to it earlier, null for none
 */
record ServedRow(Row row, String id, How how, Given given) {

  /** What is done with a row before it is learned. */
  enum How {
    /** Nothing. */
    LEARN(0),
    /** It is answered, and the answer counts. */
    OBSERVE(1),
    /** The answer that was given earlier counts. */
    COMPLETE(2);

    /** Its number in the store. */
    final int tag;

    How(int tag) {
      this.tag = tag;
    }
  }

  /**
   * An answer that was given.
   *
   * @param label the predicted label, by the numbers of the schema
   * @param scores the scores behind it
   * @param sequence the last row that the answering model had learned
   * @param learner the learner of the model that answered
   */
  record Given(double label, double[] scores, long sequence, long learner) {}

  ServedRow labelled(Object label, double weight) {
    return new ServedRow(row.with(label, weight), id, How.COMPLETE, given);
  }

  ServedRow answered(Given answer) {
    return new ServedRow(row, id, how, answer);
  }
}
