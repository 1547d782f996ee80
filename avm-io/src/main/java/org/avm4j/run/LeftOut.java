package org.avm4j.run;

import java.util.Optional;

/**
 * What was not learned.
 *
 * @param badLines how many lines could not be read or were refused by the learner
 * @param firstBadLine why the first of them was, with its file and line
 * @param missingValues how many rows were left out because a value was missing
 */
public record LeftOut(long badLines, Optional<String> firstBadLine, long missingValues) {}
