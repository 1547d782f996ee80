package org.avm4j.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
  private final boolean areTimed;
  private final boolean areCommon;
  private final boolean seeLabels;

  /**
   * Rows to learn.
   *
   * @param rows in the order in which the first learner took them
   * @param from the first row that it held out
   * @param areTimed whether the rows are in the order of time, the latest last
   * @param seeLabels whether rows see the labels before them
   */
  private HeldParts(List<Instance> rows, int from, boolean areTimed, boolean seeLabels) {
    this.rows = rows;
    this.from = from;
    this.areTimed = areTimed;
    this.seeLabels = seeLabels;
    this.areCommon = areTimed || rows.size() - from >= ENOUGH;
  }

  /** The rows of data in the order in which a learner with this seed takes them. */
  static HeldParts of(PreparedData data, long seed, int from) throws IOException {
    List<Instance> rows = new ArrayList<>();
    List<Long> places = new ArrayList<>();
    try (ShuffledRows order = new ShuffledRows(data, seed)) {
      while (order.next()) {
        rows.add(order.instance());
        places.add(order.place());
      }
    }
    boolean areTimed = data.timeOrder().isKnown();
    if (areTimed) {
      Comparator<Integer> earliest = Comparator.comparing(places::get);
      Comparator<Integer> time = data.timeOrder().isLatestFirst() ? earliest.reversed() : earliest;
      IntStream early = IntStream.range(0, from);
      IntStream late = IntStream.range(from, rows.size());
      rows =
          Stream.concat(early.boxed().sorted(time), late.boxed().sorted(time))
              .map(rows::get)
              .toList();
    }
    return new HeldParts(rows, from, areTimed, data.lags().isPresent());
  }

  /** Whether rows are in the order of time, and the latest are held out. */
  boolean areTimed() {
    return areTimed;
  }

  /** Whether rows see the labels before them, so that they know the level of their period. */
  boolean seeLabels() {
    return seeLabels;
  }

  /**
   * The half, 0 or 1, to which a held-out row belongs: one half chooses, the other measures. Rows
   * in the order of time are cut in the middle, because neighbours are alike.
   */
  static int half(int row, int count, boolean areTimed) {
    return areTimed ? row < count / 2 ? 0 : 1 : row % 2;
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

  /** At most a number of rows of a part; of rows in the order of time, from all of that time. */
  List<Instance> some(int part, int most) {
    List<Instance> all = part(part);
    int step = areTimed ? (all.size() + most - 1) / most : 1;
    return IntStream.range(0, all.size())
        .filter(r -> r % step == 0)
        .limit(most)
        .mapToObj(all::get)
        .toList();
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
