package org.avm4j.serve;

import java.util.Map;
import org.avm4j.Features;
import org.avm4j.data.RowEncoder;

/**
 * A row as a client sent it.
 *
 * @param values what it holds
 * @param label a number, a text, or null where there is none
 * @param weight how much its loss counts
 * @param id what the client calls it, null for nothing
 * @param how what is to be done with it
 * @param given the answer that was given to it earlier, null for none
 */
record Row(Values values, Object label, double weight, String id, How how, Given given) {

  /** What is done with a row before it is learned. */
  enum How {
    /** Nothing. */
    LEARN,
    /** It is answered, and the answer counts. */
    OBSERVE,
    /** The answer that was given earlier counts. */
    COMPLETE
  }

  /**
   * An answer that was given.
   *
   * @param label the predicted label, by the numbers of the schema
   * @param scores the scores behind it
   * @param sequence the last row that the answering model had learned
   */
  record Given(double label, double[] scores, long sequence) {}

  /** What a row holds, in one of three forms. */
  sealed interface Values {
    /** The features, by a schema that learns from them unless it is frozen. */
    Features encode(RowEncoder rows);

    /** Whether values come by column name. */
    boolean isNamed();
  }

  /** Numbers, texts and booleans by column name, as JSON has them. */
  record Named(Map<String, Object> values) implements Values {
    @Override
    public Features encode(RowEncoder rows) {
      return rows.encode(values);
    }

    @Override
    public boolean isNamed() {
      return true;
    }
  }

  /** Texts by column name, as CSV has them. */
  record Texts(Map<String, String> values) implements Values {
    @Override
    public Features encode(RowEncoder rows) {
      return rows.encodeText(values);
    }

    @Override
    public boolean isNamed() {
      return true;
    }
  }

  /** Numbers by index, as LIBSVM has them. */
  record Indexed(Features features) implements Values {
    @Override
    public Features encode(RowEncoder rows) {
      return features;
    }

    @Override
    public boolean isNamed() {
      return false;
    }
  }

  Row labelled(Object itsLabel, double itsWeight) {
    return new Row(values, itsLabel, itsWeight, id, How.COMPLETE, given);
  }

  Row answered(Given answer) {
    return new Row(values, label, weight, id, how, answer);
  }

  Row to(How other) {
    return new Row(values, label, weight, id, other, given);
  }
}
