package org.avm4j.run;

import java.util.Optional;

/**
 * The rows that were not learned.
 *
 * @param badLines the number of lines that could not be read or were refused by the learner
 * @param firstBadLine the message on the first of them, with its file and line
 * @param missingValues the number of rows that were left out because a value was missing
 * @param unlabelled the number of rows that were left out because they have no label
 */
public record LeftOut(
    long badLines, Optional<String> firstBadLine, long missingValues, long unlabelled) {
  static final LeftOut NOTHING = new LeftOut(0, Optional.empty(), 0, 0);

  /** The same with more rows without a label. */
  LeftOut withUnlabelled(long more) {
    return new LeftOut(badLines, firstBadLine, missingValues, unlabelled + more);
  }

  /** The sum of what was left out of two sources. */
  LeftOut and(LeftOut other) {
    return new LeftOut(
        badLines + other.badLines,
        firstBadLine.or(other::firstBadLine),
        missingValues + other.missingValues,
        unlabelled + other.unlabelled);
  }

  /** The same with more bad lines, from the part of the run before a checkpoint. */
  LeftOut withBadLines(long more) {
    return new LeftOut(badLines + more, firstBadLine, missingValues, unlabelled);
  }
}
