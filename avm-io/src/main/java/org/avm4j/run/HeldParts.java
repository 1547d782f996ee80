package org.avm4j.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.avm4j.data.Instance;

/**
 * Assigns to each of several learners the rows that it holds out. If there are many rows, or they
 * are in order of time, all learners hold out the same rows. Otherwise each pair of learners holds
 * out its own part. More rows are then answered by models that have not seen them, and the two
 * answers to a row show how much a mean of learners gains.
 */
final class HeldParts {
  /** Number of held-out rows from which all learners hold out the same rows. */
  private static final int ENOUGH = 1000;

  private static final int LEARNERS_OF_A_PART = 2;

  private final List<Instance> rows;
  private final int from;
  private final boolean areTimed;
  private final boolean areCommon;

  /**
   * Rows to learn.
   *
   * @param rows in the order in which the first learner took them
   * @param from the index of the first row that it held out
   * @param areTimed whether the rows are in the order of time, the latest last
   */
  private HeldParts(List<Instance> rows, int from, boolean areTimed) {
    this.rows = rows;
    this.from = from;
    this.areTimed = areTimed;
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
    return new HeldParts(rows, from, areTimed);
  }

  /** Whether rows are in the order of time, and the latest are held out. */
  boolean areTimed() {
    return areTimed;
  }

  /**
   * The half, 0 or 1, to which a held-out row belongs: one half chooses, the other measures. Rows
   * in the order of time are cut in the middle, because neighbours are alike.
   */
  static int half(int row, int count, boolean areTimed) {
    return areTimed ? row < count / 2 ? 0 : 1 : row % 2;
  }

  int size() {
    return rows.size();
  }

  List<Instance> all() {
    return rows;
  }

  /** Whether all hold out the same rows. */
  boolean areCommon() {
    return areCommon;
  }

  /** The number of the part that a learner holds out; 0, the last rows, for the first learner. */
  int ofLearner(int learner) {
    int parts = rows.size() / Math.max(1, rows.size() - from);
    return areCommon ? 0 : learner / LEARNERS_OF_A_PART % Math.max(1, parts);
  }

  /** The rows of a part: part 0 is the last rows, part 1 the first ones, part 2 the next, … */
  List<Instance> part(int part) {
    int size = rows.size() - from;
    return part == 0
        ? rows.subList(from, rows.size())
        : rows.subList((part - 1) * size, part * size);
  }

  /** At most {@code most} rows of a part; evenly spaced if rows are in order of time. */
  List<Instance> some(int part, int most) {
    List<Instance> all = part(part);
    return areTimed ? spaced(all, most) : all.subList(0, Math.min(most, all.size()));
  }

  /** At most {@code most} rows, evenly spaced. */
  static List<Instance> spaced(List<Instance> rows, int most) {
    int step = Math.max(1, (rows.size() + most - 1) / most);
    return IntStream.range(0, rows.size()).filter(r -> r % step == 0).mapToObj(rows::get).toList();
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
