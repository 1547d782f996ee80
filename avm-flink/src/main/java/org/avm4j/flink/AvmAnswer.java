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
 * @param id the id of the row, null if it has none
 * @param label the answer: a {@link Double}, a {@link String}, or null before any class is known
 * @param scores the scores behind it
 * @param probabilities one for each class in ascending order, empty where they were not asked for
 * @param interval the ends, which may be infinite, of the interval that holds the true number with
 *     the level asked for; null if none was asked for, and before the first row
 * @param labels the set of labels that holds the true one with the level asked for, each in the
 *     form of {@code label}; null if none was asked for, and before the first row
 * @param truth the label of the row; null if it had none
 * @param version which model answered: the number of rows its key had learned before, or the
 *     version of a frozen model
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

  /** An answer that does not say how sure it is. */
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

  /** The same answer with how sure it is. */
  AvmAnswer with(Interval sure, List<Object> set) {
    return new AvmAnswer(key, id, label, scores, probabilities, sure, set, truth, version);
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
