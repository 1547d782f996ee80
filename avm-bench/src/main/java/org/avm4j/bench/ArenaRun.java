package org.avm4j.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;

/**
 * Measures cells that have no result yet, several at a time. Each runs in a thread of its own,
 * which also does what a learner would spread over all cores, so that the processor time of the
 * thread is that of the cell.
 */
final class ArenaRun {
  private static final int BAR = 20;

  private final Streams streams;
  private final ResultFile file;
  private final Limits limits;
  private final long begin = System.nanoTime();
  private final Set<String> unread = new ConcurrentSkipListSet<>();
  private int done;
  private int open;

  /** The limits of a cell and of all, the cells at a time, and whether they must run alone. */
  record Limits(int seconds, int minutes, int threads, boolean isTiming) {}

  ArenaRun(Streams streams, ResultFile file, Limits limits) {
    this.streams = streams;
    this.file = file;
    this.limits = limits;
  }

  /** Measures what is missing, and returns the streams that could not be read. */
  Set<String> run(Collection<Cell> cells) throws Exception {
    List<Callable<Void>> missing = new ArrayList<>();
    cells.stream().filter(this::isMissing).forEach(cell -> missing.add(() -> measure(cell)));
    open = missing.size();
    System.err.printf("%,d cells, %,d of them to be measured%n", cells.size(), open);
    ExecutorService workers = Executors.newFixedThreadPool(limits.threads);
    try {
      for (Future<Void> one : workers.invokeAll(missing)) {
        one.get();
      }
    } finally {
      workers.shutdownNow();
    }
    return unread;
  }

  private boolean isMissing(Cell cell) {
    Result known = file.get(cell);
    return known == null || !known.isEnough(limits.seconds, limits.isTiming);
  }

  private Void measure(Cell cell) throws IOException {
    if (System.nanoTime() - begin > limits.minutes * 60e9) {
      return null;
    }
    Rows rows = load(cell);
    if (rows == null) {
      tell(null);
      return null;
    }
    Contestant who = Contestant.named(cell.learner());
    boolean isAlone = limits.threads == 1;
    ForkJoinPool one = new ForkJoinPool(1);
    CellRun run = new CellRun(cell, rows);
    try {
      boolean takes = who.takes(rows, cell.order());
      tell(takes ? one.submit(() -> run.measure(who, limits.seconds, isAlone)).join() : null);
    } catch (RuntimeException | OutOfMemoryError failed) {
      System.err.println(cell + ": " + failed);
      tell(run.failed());
    } finally {
      one.shutdown();
    }
    return null;
  }

  /** The rows of a cell; null if they cannot be read, which is told once. */
  private Rows load(Cell cell) {
    try {
      return streams.load(cell.stream(), cell.order(), cell.most());
    } catch (IOException | IllegalArgumentException broken) {
      if (unread.add(cell.stream())) {
        System.err.println(cell.stream() + ": " + broken.getMessage());
      }
      return null;
    }
  }

  private synchronized void tell(Result result) throws IOException {
    if (result == null) {
      open--;
      return;
    }
    file.add(result);
    done++;
    double minutes = (System.nanoTime() - begin) / 60e9 / done * (open - done);
    int filled = BAR * done / Math.max(1, open);
    String bar = "#".repeat(filled) + ".".repeat(BAR - filled);
    String what = result.cell().block() + ", " + result.cell().learner();
    System.err.printf(
        Locale.ROOT, "[%s] %d of %d, %.1f min left | %s: ", bar, done, open, minutes, what);
    String format = "%.5g of %,d rows, %.0f µs a row%s%n";
    String cut = result.cut() > 0 ? ", cut" : "";
    System.err.printf(Locale.ROOT, format, result.error(), result.rows(), result.micros(), cut);
  }
}
