package org.avm4j.flink;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.flink.api.common.typeinfo.TypeInfo;
import org.avm4j.Certainty.Interval;
import org.avm4j.Prediction;
import org.avm4j.Task;
import org.avm4j.data.Schema;

/**
 * The answer to a row.
 *
 * @param key the key of the row
 * @param id the id of the row; null if it has none
 * @param label the answer: a {@link Double}, a {@link String}, or null before any class is known
 * @param scores one score, or one for each class; empty before the first row
 * @param probabilities one for each class in ascending order; empty if the learner has none
 * @param interval the interval that contains the true number at the given level; its ends may be
 *     infinite. Null if the learner has no level, and before the first row
 * @param labels the set of labels that contains the true one at the given level, each in the form
 *     of {@code label}. Null if the learner has no level, and before the first row
 * @param truth the label of the row; null if it had none
 * @param version the version of the model that answered: the number of rows that the key had
 *     learned, or the version of a frozen model
 * @param isFar whether the row is so far from everything learned that its scores mean nothing; the
 *     label is then the most frequent class or, for numbers, the starting value of the learner
 */
@TypeInfo(ValueTypeFactory.class)
public record AvmAnswer(
    String key,
    String id,
    Object label,
    double[] scores,
    double[] probabilities,
    Interval interval,
    List<Object> labels,
    Object truth,
    String version,
    boolean isFar) {

  public AvmAnswer {
    labels = labels == null ? null : List.copyOf(labels);
  }

  /** The answer to a row as a stream element, with labels as they are in the data. */
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
        version,
        answer.isFar() && !task.isUnsupervised());
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

  /** An answer to a row that is not far, without an interval or a set of labels. */
  public AvmAnswer(
      String key,
      String id,
      Object label,
      double[] scores,
      double[] probabilities,
      Object truth,
      String version) {
    this(key, id, label, scores, probabilities, null, null, truth, version, false);
  }

  /** The same with an interval or a set of labels, to a row that may be far. */
  AvmAnswer with(Interval itsInterval, List<Object> itsLabels, boolean far) {
    return new AvmAnswer(
        key, id, label, scores, probabilities, itsInterval, itsLabels, truth, version, far);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof AvmAnswer that
        && key.equals(that.key)
        && Objects.equals(id, that.id)
        && Objects.equals(label, that.label)
        && Arrays.equals(scores, that.scores)
        && Arrays.equals(probabilities, that.probabilities)
        && Objects.equals(interval, that.interval)
        && Objects.equals(labels, that.labels)
        && Objects.equals(truth, that.truth)
        && version.equals(that.version)
        && isFar == that.isFar;
  }

  @Override
  public int hashCode() {
    return Objects.hash(key, id, label, Arrays.hashCode(scores), version);
  }
}
