package org.avm4j.flink;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.flink.api.common.typeinfo.TypeInfo;
import org.avm4j.Certainty.Interval;

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
    String version) {

  public AvmAnswer {
    labels = labels == null ? null : List.copyOf(labels);
  }

  /** An answer without an interval or a set of labels. */
  public AvmAnswer(
      String key,
      String id,
      Object label,
      double[] scores,
      double[] probabilities,
      Object truth,
      String version) {
    this(key, id, label, scores, probabilities, null, null, truth, version);
  }

  /** The same with an interval or a set of labels. */
  AvmAnswer with(Interval itsInterval, List<Object> itsLabels) {
    return new AvmAnswer(
        key, id, label, scores, probabilities, itsInterval, itsLabels, truth, version);
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
        && version.equals(that.version);
  }

  @Override
  public int hashCode() {
    return Objects.hash(key, id, label, Arrays.hashCode(scores), version);
  }
}
