package org.avm4j.bench;

import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;
import org.avm4j.eval.Yardsticks;

/**
 * Runs one cell: each row is answered first and learned when its label becomes known. Of a split,
 * four fifths are learned and the rest is answered.
 */
final class CellRun {
  private static final int WINDOW = 1000;
  static final int FIFTHS = 5;

  private final Cell cell;
  private final Rows rows;
  private final Yardsticks rules;
  private final BitSet known = new BitSet();
  private final Map<String, Double> more = new TreeMap<>();
  private final CRC32 digest = new CRC32();
  private Learner learner;
  private IntervalFigures intervals;
  private double sum;
  private double inWindow;
  private double worst;
  private int answered;

  CellRun(Cell cell, Rows rows) {
    this.cell = cell;
    this.rows = rows;
    rules = new Yardsticks(rows.isRegression());
  }

  /** The rows of a split that are held out: the first ones. */
  static int held(Rows rows) {
    return Math.max(1, rows.size() / FIFTHS);
  }

  /** Measures the cell in this thread, which does all the work; it is cut after some seconds. */
  Result measure(Contestant who, int seconds, boolean alone) {
    learner = who.start().apply(rows);
    intervals = who.isInterval() ? new IntervalFigures(who.level()) : null;
    long joules = Cpu.microjoules();
    long begin = Cpu.nanos();
    long end = begin + seconds * 1_000_000_000L;
    boolean isWhole =
        who.isClusterer() ? clusters(end) : cell.isSplit() ? split() : stream(end, alone);
    double micros = (Cpu.nanos() - begin) / 1e3 / (cell.isSplit() ? rows.size() : answered);
    double spent = alone ? (Cpu.microjoules() - joules) / 1e6 : 0;
    double time = Math.rint(100 * micros) / 100;
    close(answered % WINDOW);
    if (intervals != null) {
      more.putAll(intervals.all());
    }
    double error = who.isClusterer() ? 100 - more.get("nmi") : figure(sum, answered);
    return result(error, time, spent, isWhole ? 0 : seconds, alone);
  }

  /** The result of a learner that threw something. */
  Result failed() {
    return result(Double.NaN, 0, 0, 0, false);
  }

  private Result result(double error, double micros, double used, int cut, boolean alone) {
    double mean = rules.constantError();
    double last = rules.noChangeError();
    long size = Double.isNaN(error) ? 0 : learner.bytes();
    String crc = String.format("%08x", digest.getValue());
    return new Result(
        cell,
        rows.task(),
        answered,
        error,
        mean,
        last,
        worst,
        micros,
        size,
        used,
        cut,
        alone,
        crc,
        more);
  }

  /** If no other cell runs beside it, the times of the slowest rows are reported, too. */
  private boolean stream(long end, boolean alone) {
    RowTimes times = new RowTimes(rows.size());
    boolean isWhole = stream(end, alone ? times::next : () -> {});
    if (alone) {
      more.putAll(times.all());
    }
    if (isWhole && cell.labels() < 100) {
      more.put("labels", 100.0 * known.cardinality() / answered);
    }
    return isWhole;
  }

  private boolean stream(long end, Runnable afterRow) {
    for (int t = 0; t < rows.size(); t++) {
      if (t % 256 == 255 && Cpu.nanos() > end) {
        return false;
      }
      answer(t);
      known.set(t, learner.isLabelled(t, cell));
      int due = t - cell.delay();
      if (due >= 0 && known.get(due)) {
        learn(due);
      } else if (due >= 0) {
        learner.observe(due);
      }
      afterRow.run();
    }
    return true;
  }

  /** Clusters are found in windows that were learned before; labels only judge them. */
  private boolean clusters(long end) {
    ClusterFigures figures = new ClusterFigures(rows, learner);
    while (answered < rows.size() && Cpu.nanos() < end) {
      learner.learn(answered++);
      if (answered % WINDOW == 0 || answered == rows.size() && answered < WINDOW) {
        figures.judge(Math.max(0, answered - WINDOW), answered);
      }
    }
    more.putAll(figures.all());
    return answered == rows.size();
  }

  private boolean split() {
    for (int t = held(rows); t < rows.size(); t++) {
      learn(t);
    }
    for (int t = 0; t < held(rows); t++) {
      answer(t);
    }
    return true;
  }

  private void learn(int t) {
    learner.learn(t);
    rules.learned(rows.label(t));
  }

  private void answer(int t) {
    double answer = learner.predict(t);
    double label = rows.label(t);
    if (intervals != null) {
      intervals.add(label, learner.interval());
    }
    rules.answered(label, answer);
    digest.update(ByteBuffer.allocate(Double.BYTES).putDouble(answer).array());
    double off = label - (Double.isFinite(answer) ? answer : 0);
    double loss = rows.isRegression() ? off * off : label == answer ? 0 : 1;
    sum += loss;
    inWindow += loss;
    answered++;
    if (answered % WINDOW == 0) {
      close(WINDOW);
    }
  }

  /** Ends a window; a short last one counts only if there is no other. */
  private void close(int count) {
    if (count == WINDOW || answered < WINDOW) {
      worst = Math.max(worst, figure(inWindow, count));
    }
    inWindow = 0;
  }

  private double figure(double losses, int count) {
    return rows.isRegression() ? Math.sqrt(losses / count) : 100 * losses / count;
  }
}
