package org.avm4j.table;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A rise of the error of a {@link TabularLearner}, and what changed with it, in the names and units
 * of the data.
 *
 * @param since number of the first row of the rise, counted from 1 among the rows learned
 * @param noticed number of the row at which the rise was noticed
 * @param errorBefore the error of answers before: the fraction of wrong answers or, for numbers,
 *     the root mean squared error
 * @param errorAfter the error of answers from {@code since} to {@code noticed}
 * @param moved columns whose values changed, each with a description before and after, the largest
 *     change first
 * @param effects columns whose effect on the label changed, each with how labels depended on it
 *     before and after, the largest change first
 * @param labels classes that appeared, grew, shrank or vanished, each with its share before and
 *     after
 */
public record DriftNotice(
    long since,
    long noticed,
    double errorBefore,
    double errorAfter,
    Map<String, String> moved,
    Map<String, String> effects,
    Map<String, String> labels) {
  /** Makes the maps immutable. */
  public DriftNotice {
    moved = Collections.unmodifiableMap(new LinkedHashMap<>(moved));
    effects = Collections.unmodifiableMap(new LinkedHashMap<>(effects));
    labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
  }
}
