package org.avm4j.run;

import java.util.ArrayList;
import java.util.List;
import org.avm4j.data.Instance;

/**
 * Which rows each of several learners holds out. If rows are many, or in the order of time, all
 * hold out the same. Otherwise each pair of learners has a part of its own: more rows are answered
 * by models that have not seen them, and the two answers to a row tell what the mean of several
 * learners gains.
 */
final class HeldParts {
  /** Held-out rows that are enough for all learners together. */
  private static final int ENOUGH = 1000;

  private static final int LEARNERS_OF_A_PART = 2;

  private final List<Instance> rows;
  private final int from;
  private final boolean areCommon;

  /**
   * Rows to learn.
   *
   * @param rows in the order in which the first learner took them
   * @param from the first row that it held out
   * @param areCommon whether all must hold out the same rows
   */
  HeldParts(List<Instance> rows, int from, boolean areCommon) {
    this.rows = rows;
    this.from = from;
    this.areCommon = areCommon || rows.size() - from >= ENOUGH;
  }

  /** The number of all rows. */
  int size() {
    return rows.size();
  }

  /** All rows. */
  List<Instance> all() {
    return rows;
  }

  /** Whether all hold out the same rows. */
  boolean areCommon() {
    return areCommon;
  }

  /** The part that a learner holds out; the first learner has held out part 0, the last rows. */
  int ofLearner(int learner) {
    int parts = rows.size() / Math.max(1, rows.size() - from);
    return areCommon ? 0 : learner / LEARNERS_OF_A_PART % Math.max(1, parts);
  }

  /** The rows of a part: 0 are the last ones, 1 the first ones, 2 those behind these, … */
  List<Instance> part(int part) {
    int size = rows.size() - from;
    return part == 0
        ? rows.subList(from, rows.size())
        : rows.subList((part - 1) * size, part * size);
  }

  /** All rows but those of a part. */
  List<Instance> without(int part) {
    int size = rows.size() - from;
    List<Instance> others = new ArrayList<>(rows.subList(0, part == 0 ? from : (part - 1) * size));
    if (part > 0) {
      others.addAll(rows.subList(part * size, rows.size()));
    }
    return others;
  }
}
