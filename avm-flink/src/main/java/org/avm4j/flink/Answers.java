package org.avm4j.flink;

import org.avm4j.Prediction;
import org.avm4j.Task;
import org.avm4j.data.Schema;

/** Makes answers of predictions. */
final class Answers {
  private Answers() {}

  static AvmAnswer of(AvmRow row, Prediction answer, Task task, Schema schema, String version) {
    return new AvmAnswer(
        row.key(),
        row.id(),
        label(answer.label(), task, schema),
        answer.scores(),
        answer.probabilities(),
        row.label(),
        version);
  }

  private static Object label(double label, Task task, Schema schema) {
    if (Double.isNaN(label)) {
      return null;
    }
    boolean isNumber = schema.labels().isEmpty() || task.isUnsupervised();
    return isNumber ? (Object) label : schema.labelText(label);
  }
}
