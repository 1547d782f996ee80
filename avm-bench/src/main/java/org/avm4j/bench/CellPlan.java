package org.avm4j.bench;

import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Selects the cells to measure, the most informative first: all streams as they come, the ablation,
 * the slow learners, and then one split of each table and one shuffle of each file after the other.
 */
record CellPlan(Streams streams, int most) {
  /** Rows of a table at most, so that every learner is done in minutes. */
  private static final int ROWS_OF_TABLE = 10_000;

  /** All cells; unless {@code isAll}, slow learners run on a few streams only. */
  Collection<Cell> whole(int shuffles, int splits, boolean isAll) throws IOException {
    List<String> files = streams.files();
    List<String> asTheyCome = ordered(streams.all(), Streams.FILE);
    List<String> core = Contestant.names("yardstick", "core");
    Set<Cell> cells = new LinkedHashSet<>();
    cross(cells, asTheyCome, core);
    cross(cells, Resource.plan("ablation"), List.of("avm"));
    cross(cells, Resource.plan("ablation"), Contestant.names("without"));
    cross(cells, isAll ? asTheyCome : Resource.plan("slow"), Contestant.names("slow"));
    List<String> tables = Resource.plan("tables").stream().filter(files::contains).toList();
    for (int i = 1; i <= Math.max(shuffles, splits); i++) {
      if (i <= splits) {
        cross(cells, ordered(tables, Streams.SPLIT + i), List.of("constant", "linear"));
        cross(cells, ordered(tables, Streams.SPLIT + i), Contestant.names("batch"));
      }
      if (i <= shuffles) {
        cross(cells, ordered(files, Streams.SHUFFLE + i), core);
      }
    }
    return cells;
  }

  /**
   * The number of rows that count in an order.
   *
   * @param most the requested limit; all rows of tables count only if there is no limit
   */
  static int rows(String order, int most) {
    boolean isShort = order.startsWith(Streams.SPLIT) && most < Integer.MAX_VALUE;
    return isShort ? Math.min(ROWS_OF_TABLE, most) : most;
  }

  /** Streams in an order, as "STREAM/ORDER". */
  static List<String> ordered(List<String> names, String order) {
    return names.stream().map(name -> name + "/" + order).toList();
  }

  /** Streams in their orders; "STREAM/shuffle" stands for some shuffles of it. */
  static List<String> shuffled(List<String> blocks, int shuffles) {
    return blocks.stream()
        .flatMap(
            block ->
                block.endsWith("/shuffle")
                    ? IntStream.rangeClosed(1, shuffles).mapToObj(seed -> block + "-" + seed)
                    : Stream.of(block))
        .toList();
  }

  /** Adds a cell for each pair of a learner and a stream in its order. */
  Set<Cell> cross(Set<Cell> into, List<String> blocks, List<String> learners) {
    for (String block : blocks) {
      String[] of = block.split("/");
      for (String learner : learners) {
        String build = Contestant.named(learner).build();
        into.add(new Cell(of[0], of[1], rows(of[1], most), learner, 0, 100, build));
      }
    }
    return into;
  }
}
