package org.avm4j.flink;

import java.util.Arrays;
import java.util.List;
import org.avm4j.Certainty.Interval;
import org.avm4j.Prediction;
import org.avm4j.Task;
import org.avm4j.data.Schema;

/** Converts predictions into answers. */
final class Answers {
  private Answers() {}

  static AvmAnswer of(AvmRow row, Prediction answer, Task task, Schema schema, String version) {
    return new AvmAnswer(
        row.key(),
        row.id(),
        label(answer.label(), task, schema),
        answer.scores(),
        answer.probabilities(),
        interval(answer),
        labels(answer, task, schema),
        row.label(),
        version);
  }

  private static Interval interval(Prediction answer) {
    return answer.certaintyLevel().isPresent() && answer.classes().length == 0
        ? answer.interval(answer.certaintyLevel().getAsDouble())
        : null;
  }

  private static List<Object> labels(Prediction answer, Task task, Schema schema) {
    return answer.certaintyLevel().isPresent() && answer.classes().length > 0
        ? Arrays.stream(answer.labels(answer.certaintyLevel().getAsDouble()))
            .mapToObj(each -> label(each, task, schema))
            .toList()
        : null;
  }

  private static Object label(double label, Task task, Schema schema) {
    if (Double.isNaN(label)) {
      return null;
    }
    boolean isNumber = schema.labels().isEmpty() || task.isUnsupervised();
    return isNumber ? (Object) label : schema.labelText(label);
  }
}
