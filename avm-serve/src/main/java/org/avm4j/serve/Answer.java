package org.avm4j.serve;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.avm4j.Certainty.Interval;
import org.avm4j.Prediction;
import org.avm4j.Task;
import org.avm4j.data.Schema;

/**
 * The reply to one row, as it is written to JSON.
 *
 * @param label a number, a text, or null before any class is known
 * @param scores one score, or one for each class; empty if nothing is learned yet
 * @param probabilities one for each class; empty if the model is not calibrated
 * @param classes the classes in the order of the scores; null to leave them out
 * @param interval the ends of the interval that was asked for, or null
 * @param labels the set of labels that was asked for, or null
 * @param isFar whether the row is so far from everything learned that its scores mean nothing
 * @param isAsked whether the client is asked for the true label of the row
 * @param id the client's id of the row; null for none
 */
record Answer(
    Object label,
    double[] scores,
    double[] probabilities,
    List<Object> classes,
    double[] interval,
    List<Object> labels,
    boolean isFar,
    boolean isAsked,
    String id) {

  static Answer of(Prediction answer, Task task, Schema schema, List<Object> classes, String id) {
    boolean isSure = answer.certaintyLevel().isPresent() && !Double.isNaN(answer.label());
    boolean hasClasses = answer.classes().length > 0;
    return new Answer(
        label(answer.label(), task, schema),
        answer.scores(),
        answer.probabilities(),
        classes,
        isSure && !hasClasses ? interval(answer) : null,
        isSure && hasClasses ? labels(answer, task, schema) : null,
        answer.isFar() && !task.isUnsupervised(),
        false,
        id);
  }

  private static double[] interval(Prediction answer) {
    Interval interval = answer.interval(answer.certaintyLevel().getAsDouble());
    return new double[] {interval.low(), interval.high()};
  }

  private static List<Object> labels(Prediction answer, Task task, Schema schema) {
    return classes(answer.labels(answer.certaintyLevel().getAsDouble()), task, schema);
  }

  /** No answer, because the model has learned nothing yet. */
  static Answer none(String id) {
    return new Answer(null, new double[0], new double[0], null, null, null, false, false, id);
  }

  /** A copy that asks for the label of the row. */
  Answer asked() {
    return new Answer(label, scores, probabilities, classes, interval, labels, isFar, true, id);
  }

  /** A label as it is in the data, a number or a text; null for NaN. */
  static Object label(double label, Task task, Schema schema) {
    if (Double.isNaN(label)) {
      return null;
    }
    return isText(task, schema) ? schema.labelText(label) : label;
  }

  /** Whether labels are texts in the data; the answers of an unsupervised task are numbers. */
  static boolean isText(Task task, Schema schema) {
    return !schema.labels().isEmpty() && !task.isUnsupervised();
  }

  /** The classes as they are in the data. */
  static List<Object> classes(double[] classes, Task task, Schema schema) {
    List<Object> names = new ArrayList<>();
    for (double each : classes) {
      names.add(label(each, task, schema));
    }
    return names;
  }

  void write(JsonGenerator out) throws IOException {
    out.writeStartObject();
    if (id != null) {
      out.writeStringField("id", id);
    }
    JsonValues.writeField(out, "label", label);
    JsonValues.writeField(out, "scores", scores);
    if (probabilities.length > 0) {
      JsonValues.writeField(out, "probabilities", probabilities);
    }
    if (interval != null) {
      JsonValues.writeField(out, "interval", interval);
    }
    if (labels != null) {
      JsonValues.writeField(out, "labels", labels);
    }
    if (isFar) {
      out.writeBooleanField("far", true);
    }
    if (isAsked) {
      out.writeBooleanField("ask", true);
    }
    if (classes != null) {
      JsonValues.writeField(out, "classes", classes);
    }
    out.writeEndObject();
  }
}
