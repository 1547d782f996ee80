package org.avm4j.explain;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.math.SplitMix;

/**
 * The latest rows of a stream, and a random sample of those before them, in bounded memory.
 *
 * <p>In a file: the state of the generator (8), the first row that counts (8), the number of rows
 * that the sample was drawn from (8), and both lists of rows (4 and the rows each).
 */
final class WatchedRows {
  /** Number of latest rows: half before and half after a change. */
  static final int LATEST = 2 * DriftMonitor.AFTER;

  /** Number of rows drawn from those before the latest. */
  private static final int SAMPLE = 1000;

  /** The most entries of all rows together, 12 MB; long rows are therefore fewer. */
  private static final long MOST_ENTRIES = 1 << 20;

  private final Deque<WatchedRow> latest = new ArrayDeque<>();
  private final List<WatchedRow> sample = new ArrayList<>();
  private SplitMix random = new SplitMix(1);
  private long from = 1;
  private long drawn;
  private long entries;

  void add(WatchedRow row) {
    latest.addLast(row);
    entries += row.x().count();
    while (latest.size() > LATEST) {
      draw(latest.removeFirst());
    }
    while (entries > MOST_ENTRIES && latest.size() + sample.size() > 1) {
      entries -= dropped().x().count();
    }
  }

  /** Drops a row of the sample or, if the sample is empty, the oldest of the latest rows. */
  private WatchedRow dropped() {
    return sample.isEmpty() ? latest.removeFirst() : sample.remove(random.nextInt(sample.size()));
  }

  private void draw(WatchedRow row) {
    entries -= row.x().count();
    if (row.number() < from) {
      return;
    }
    drawn++;
    if (sample.size() < SAMPLE) {
      sample.add(row);
      entries += row.x().count();
      return;
    }
    long at = (long) (random.getAsDouble() * drawn);
    if (at < SAMPLE) {
      entries += row.x().count() - sample.set((int) at, row).x().count();
    }
  }

  /** The latest rows, the oldest first. */
  List<WatchedRow> latest() {
    return List.copyOf(latest);
  }

  /** The first row that counts. */
  long first() {
    return from;
  }

  /** All rows that are kept from one number to before another, in their order. */
  List<WatchedRow> between(long first, long end) {
    return Stream.concat(sample.stream(), latest.stream())
        .filter(row -> row.number() >= Math.max(first, from) && row.number() < end)
        .sorted(Comparator.comparingLong(WatchedRow::number))
        .toList();
  }

  /** Lets only rows from this number on count. */
  void startAt(long number) {
    from = number;
    entries -= sample.stream().mapToLong(row -> row.x().count()).sum();
    sample.clear();
    drawn = 0;
  }

  void encode(Encoder out) {
    out.int64(random.state());
    out.int64(from);
    out.int64(drawn);
    out.list(latest, WatchedRow::encode);
    out.list(sample, WatchedRow::encode);
  }

  static WatchedRows decode(Decoder in) throws ModelFileException {
    WatchedRows rows = new WatchedRows();
    rows.random = new SplitMix(in.int64());
    rows.from = in.count("the first row");
    rows.drawn = in.count("the rows of a sample");
    rows.latest.addAll(in.list("the rows that are watched", LATEST, WatchedRow::decode));
    rows.sample.addAll(in.list("the rows that are watched", SAMPLE, WatchedRow::decode));
    rows.entries =
        Stream.concat(rows.latest.stream(), rows.sample.stream())
            .mapToLong(row -> row.x().count())
            .sum();
    return rows;
  }
}
