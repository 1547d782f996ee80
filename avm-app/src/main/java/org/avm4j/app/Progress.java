package org.avm4j.app;

import java.io.PrintStream;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.avm4j.Features;
import org.avm4j.eval.Inspection;
import org.avm4j.run.RunListener;

/**
 * Shows the progress of a run on standard error: a line at each power of two, as in Vowpal Wabbit,
 * or a bar with the remaining time if the length is known and the output is a terminal.
 */
final class Progress implements RunListener, AutoCloseable {
  private static final int TICK = 256;

  /** Seconds after which a user is told that an unfinished model can be kept. */
  private static final double USABLE_AFTER = 2;

  /** A model of fewer rows, or of less than 1 % of the data, does not replace an existing file. */
  static final int FEWEST_ROWS = 100;

  /**
   * Columns of the terminal, which the launcher passes on. Without a width the bar would ask a
   * library that resets the handler of Ctrl-C, and an interrupted run would save nothing.
   */
  private static final int WIDTH = Integer.getInteger("avm.columns", 80) - 1;

  private final PrintStream err;
  private final boolean quiet;
  private final ProgressBar bar;
  private BooleanSupplier stop = () -> false;
  private boolean hasHeader;
  private boolean isClosed;
  private Inspection last;
  private LastRows kept;
  private RowSample sample;
  private BiConsumer<String, Inspection> early;

  /** Reports on a run of a given number of instances, or 0 if it is unknown. */
  Progress(PrintStream err, boolean quiet, String task, long length) {
    this.err = err;
    this.quiet = quiet;
    boolean isWatched = Boolean.getBoolean("avm.terminal") && length > 0 && !quiet;
    bar = isWatched ? bar(err, task, length) : null;
  }

  private static ProgressBar bar(PrintStream err, String task, long length) {
    return new ProgressBarBuilder()
        .setTaskName(task)
        .setInitialMax(length)
        .setStyle(ProgressBarStyle.ASCII)
        .setUpdateIntervalMillis(200)
        .setConsumer(new ConsoleProgressBarConsumer(err, Math.max(20, WIDTH)))
        .build();
  }

  /** Moves the bar every 256 instances. */
  @Override
  public void advanced(long done) {
    if (done % TICK == 0) {
      stepTo(done);
    }
  }

  /** Keeps the last rows in the given object; null for none. */
  void keep(LastRows rows) {
    kept = rows;
  }

  void sample(RowSample rows) {
    sample = rows;
  }

  @Override
  public void answered(Features x, double label) {
    if (kept != null) {
      kept.add(x, label);
    }
    if (sample != null) {
      sample.add(x, label);
    }
  }

  /**
   * Calls this once when a model is worth keeping although most rows are still to come: at the
   * first inspection after two seconds and before half of the rows.
   *
   * @param rows the number of rows
   */
  void whenUsable(long rows, BiConsumer<String, Inspection> action) {
    early =
        (metric, point) -> {
          boolean isUsable = point.seconds() >= USABLE_AFTER && point.instances() >= FEWEST_ROWS;
          if (isUsable || point.instances() > rows / 2) {
            early = null;
          }
          if (isUsable && point.instances() <= rows / 2) {
            action.accept(metric, point);
          }
        };
  }

  /** Stops the run as soon as this returns true. */
  void stopAt(BooleanSupplier requested) {
    stop = requested;
  }

  @Override
  public boolean isStopRequested() {
    return stop.getAsBoolean();
  }

  /** Moves the bar to a number of instances. */
  void stepTo(long done) {
    if (bar != null) {
      bar.stepTo(done);
    }
  }

  @Override
  public void inspected(String metric, Inspection point) {
    if (early != null) {
      early.accept(metric, point);
    }
    if (bar != null) {
      bar.setExtraMessage(" " + metric + " " + figure(point.metric()) + " size " + point.size());
    } else if (!quiet && Long.bitCount(point.instances()) == 1) {
      line(metric, point);
    }
  }

  /** Prints a sentence on its own line. */
  void say(String sentence) {
    if (!quiet) {
      String blank = bar == null ? "" : "\r" + " ".repeat(Math.max(20, WIDTH)) + "\r";
      err.println(blank + sentence);
    }
  }

  private void line(String metric, Inspection point) {
    if (!hasHeader) {
      hasHeader = true;
      err.printf(
          "%12s %12s %12s %8s %12s%n", metric, "since last", "instances", "size", "per second");
    }
    double seconds = point.seconds() - (last == null ? 0 : last.seconds());
    long instances = point.instances() - (last == null ? 0 : last.instances());
    err.printf(
        Locale.ROOT,
        "%12s %12s %12d %8d %12.0f%n",
        figure(point.metric()),
        figure(sinceLast(metric, point)),
        point.instances(),
        point.size(),
        instances / Math.max(seconds, 1e-9));
    last = point;
  }

  /** Formats the value of a metric; NaN, for rows without labels, is a dash. */
  private static String figure(double value) {
    return Double.isNaN(value) ? "-" : Text.format("%.4f", value);
  }

  /**
   * The figure since the previous line. Mistake rates add up by instances and RMSE by squares.
   * Other metrics do not add up, so the figure of the latest part of the stream is used instead.
   */
  private double sinceLast(String metric, Inspection point) {
    boolean isRoot = metric.equals("rmse");
    if (!isRoot && !metric.equals("mistakeRate")) {
      return point.recent();
    }
    if (last == null) {
      return point.metric();
    }
    double now = isRoot ? point.metric() * point.metric() : point.metric();
    double before = isRoot ? last.metric() * last.metric() : last.metric();
    double n = point.instances();
    double m = last.instances();
    double recent = Math.max(0, (n * now - m * before) / (n - m));
    return isRoot ? Math.sqrt(recent) : recent;
  }

  @Override
  public void close() {
    if (bar != null && !isClosed) {
      bar.close();
    }
    isClosed = true;
  }
}
