package org.avm4j.flink;

import java.util.HashMap;
import java.util.Map;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.avm4j.Status;
import org.avm4j.Task;
import org.avm4j.data.Decimal;

/**
 * The metrics of a subtask, in the group {@code avm}. The sizes and drifts of a learner are
 * measured after 1, 2, 4, … rows, and every {@value #OFTEN} rows.
 */
final class LearningMetrics {
  private static final int WINDOW = 1000;
  private static final int OFTEN = 4096;

  private final MetricGroup group;
  private final Counter instances;
  private final Counter refused;
  private final Map<String, Counter> refusedByKind = new HashMap<>();
  private final Counter observed;
  private final Counter rowsWithoutLabel;
  private final Counter labelsWithoutRow;
  private final float[] losses = new float[WINDOW];
  private long judged;
  private double lossSum;
  private long keys;
  private long stateBytes;
  private long drifts;

  LearningMetrics(MetricGroup parent) {
    group = parent.addGroup("avm");
    instances = group.counter("instances");
    refused = group.counter("refused");
    observed = group.counter("observed");
    rowsWithoutLabel = group.counter("rowsWithoutLabel");
    labelsWithoutRow = group.counter("labelsWithoutRow");
    group.gauge("windowError", (Gauge<Double>) this::windowError);
    group.gauge("activeKeys", (Gauge<Long>) () -> keys);
    group.gauge("stateBytes", (Gauge<Long>) () -> stateBytes);
    group.gauge("drifts", (Gauge<Long>) () -> drifts);
  }

  long rowsWithoutLabel() {
    return rowsWithoutLabel.getCount();
  }

  long labelsWithoutRow() {
    return labelsWithoutRow.getCount();
  }

  double windowError() {
    return judged == 0 ? Double.NaN : lossSum / Math.min(judged, WINDOW);
  }

  void newKey() {
    keys++;
  }

  /** Counts a learner that was restored from a snapshot. */
  void decoded(LearnerState state) {
    keys++;
    stateBytes += state.count(state.toBytes().length);
  }

  /** Counts a learned row. */
  void learned(LearnerState state) {
    instances.inc();
    long n = state.instances();
    if ((n & (n - 1)) == 0 || n % OFTEN == 0) {
      stateBytes += state.count(state.toBytes().length);
      drifts += state.countDrifts(drifts(state.pipeline().status()));
    }
  }

  private static long drifts(Status status) {
    return status.drifts() + status.change().map(Status.Change::rises).orElse(0L);
  }

  /** Counts a refused row by the kind of error. */
  void refused(String kind) {
    refused.inc();
    refusedByKind
        .computeIfAbsent(kind, word -> group.addGroup("kind", word).counter("refused"))
        .inc();
  }

  /** The number of refused rows by kind of error. */
  Map<String, Long> refusedByKind() {
    Map<String, Long> counts = new HashMap<>();
    refusedByKind.forEach((kind, counter) -> counts.put(kind, counter.getCount()));
    return counts;
  }

  /** The number of rows without a label from which learners learned. */
  long observed() {
    return observed.getCount();
  }

  /** Counts a row without a label from which a learner learned. */
  void rowObserved() {
    observed.inc();
  }

  void rowWithoutLabel() {
    rowsWithoutLabel.inc();
  }

  void labelWithoutRow() {
    labelsWithoutRow.inc();
  }

  /** Adds the loss of an answer: 1 for a mistake, or the absolute error of a number. */
  void judged(Object answer, Object truth, Task task) {
    if (answer == null || truth == null) {
      return;
    }
    int at = (int) (judged % WINDOW);
    lossSum -= judged < WINDOW ? 0 : losses[at];
    losses[at] = (float) loss(answer, truth, task);
    lossSum += losses[at];
    judged++;
  }

  private static double loss(Object answer, Object truth, Task task) {
    if (task.isRegression() && answer instanceof Double number) {
      return Math.abs(number - number(truth));
    }
    boolean isRight =
        answer instanceof Double number
            ? number == number(truth)
            : answer.toString().equals(truth.toString());
    return isRight ? 0 : 1;
  }

  private static double number(Object label) {
    return label instanceof Double number ? number : Decimal.parse(label.toString());
  }
}
