package org.avm4j.flink;

import java.util.Arrays;
import java.util.Objects;
import org.apache.flink.api.common.typeinfo.TypeInfo;

/**
 * The answer to a row.
 *
 * @param key the key of the row
 * @param id the id of the row, null if it has none
 * @param label the answer: a {@link Double}, a {@link String}, or null before any class is known
 * @param scores the scores behind it
 * @param probabilities one for each class in ascending order, empty where they were not asked for
 * @param truth the label of the row, null if it came without
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
    Object truth,
    String version) {

  @Override
  public boolean equals(Object other) {
    return other instanceof AvmAnswer that
        && key.equals(that.key)
        && Objects.equals(id, that.id)
        && Objects.equals(label, that.label)
        && Arrays.equals(scores, that.scores)
        && Arrays.equals(probabilities, that.probabilities)
        && Objects.equals(truth, that.truth)
        && version.equals(that.version);
  }

  @Override
  public int hashCode() {
    return Objects.hash(key, id, label, Arrays.hashCode(scores), version);
  }
}
