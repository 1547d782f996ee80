package org.avm4j.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import org.avm4j.Features;
import org.avm4j.data.Instance;
import org.avm4j.data.InstanceReader;

/**
 * All rows of files in a random order that depends only on the seed; if the rows have an order in
 * time, the latest ones are shuffled separately and come last. Rows that do not fit into a third of
 * the heap are read in several passes: each row belongs to a random part, and each pass reads and
 * shuffles one part.
 */
final class ShuffledRows implements InstanceReader {
  private static final int BYTES_OF_A_ROW = 200;
  private static final int BYTES_OF_AN_ENTRY = 16;

  /**
   * A row and its position.
   *
   * @param instance the row
   * @param file its file
   * @param line its line
   * @param place its index among all rows
   */
  private record Row(Instance instance, String file, long line, long place) {}

  private final PreparedData data;
  private final long seed;
  private final int parts;
  private int part;
  private Iterator<Row> rows = Collections.emptyIterator();
  private Row current;

  ShuffledRows(PreparedData data, long seed) {
    this(data, seed, parts(data));
  }

  ShuffledRows(PreparedData data, long seed, int parts) {
    this.data = data;
    this.seed = seed;
    this.parts = data.isStream() ? 1 : parts;
  }

  /** The number of parts in which the rows must be read to fit into a third of the heap. */
  static int parts(PreparedData data) {
    return parts(data, Runtime.getRuntime().maxMemory() / 3);
  }

  /** The number of parts in which the rows must be read to fit into a given number of bytes. */
  static int parts(PreparedData data, long bytes) {
    double needed =
        (double) BYTES_OF_A_ROW * data.survey().rows()
            + (double) BYTES_OF_AN_ENTRY * data.survey().entries();
    return (int) Math.max(1, Math.ceil(needed / bytes));
  }

  @Override
  public boolean next() throws IOException {
    while (!rows.hasNext() && part < parts) {
      rows = read().iterator();
      part++;
    }
    current = rows.hasNext() ? rows.next() : null;
    return current != null;
  }

  private List<Row> read() throws IOException {
    List<Row> kept = new ArrayList<>();
    List<Row> late = new ArrayList<>();
    Random chance = new Random(seed);
    try (InstanceReader all = data.open()) {
      for (long place = 0; all.next(); place++) {
        boolean isLate = isLate(place, all.line());
        boolean isOfPart = parts == 1 || chance.nextInt(parts) == part;
        if (isLate ? part == parts - 1 : isOfPart) {
          (isLate ? late : kept).add(row(all, place));
        }
      }
    }
    Collections.shuffle(kept, new Random(seed + part));
    Collections.shuffle(late, new Random(seed + part));
    kept.addAll(late);
    return kept;
  }

  private boolean isLate(long place, long line) {
    return data.timeOrder().isKnown() && data.timeOrder().isLate(place, data.file(), line);
  }

  private Row row(InstanceReader all, long place) {
    Instance instance = new Instance(all.features().copy(), all.label(), all.weight());
    return new Row(instance, data.file(), all.line(), place);
  }

  @Override
  public Features features() {
    return current.instance.features();
  }

  @Override
  public double label() {
    return current.instance.label();
  }

  @Override
  public double weight() {
    return current.instance.weight();
  }

  /** The row, which is not reused for later rows. */
  Instance instance() {
    return current.instance;
  }

  /** The index of the row among all rows. */
  long place() {
    return current.place;
  }

  String file() {
    return current.file;
  }

  @Override
  public long line() {
    return current.line;
  }

  @Override
  public void close() {}
}
