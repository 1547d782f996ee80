package org.avm4j.flink;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.TimeDomain;
import org.apache.flink.streaming.api.TimerService;
import org.apache.flink.streaming.api.functions.co.KeyedCoProcessFunction;
import org.apache.flink.util.Collector;

/**
 * A learner for each key whose labels may arrive later, on a second input, by the id of the row. A
 * row with an id and without a label is answered at once and learned when its label arrives; a
 * label may also arrive first. A row or label that waits longer than the timeout, by the clock of
 * {@link LearnOptions#labelTime}, is dropped: it goes to {@link AvmStreams#ROWS_WITHOUT_LABEL} or
 * {@link AvmStreams#LABELS_WITHOUT_ROW} and is counted in the metrics {@code rowsWithoutLabel} and
 * {@code labelsWithoutRow}. A dropped row is observed, if its learner can use rows without labels.
 */
public final class LateLabelFunction
    extends KeyedCoProcessFunction<String, AvmRow, LateLabel, AvmAnswer> {
  private static final long serialVersionUID = 1L;

  /** Number of scans for expired rows and labels within one timeout. */
  private static final int SCANS = 16;

  private final LearnOptions options;
  private transient KeyedLearning learning;
  private transient MapState<String, WaitingRow> rows;
  private transient MapState<String, WaitingLabel> labels;

  /** A function with these options. */
  public LateLabelFunction(LearnOptions options) {
    this.options = options;
  }

  @Override
  public void open(OpenContext context) {
    learning = new KeyedLearning(options, getRuntimeContext());
    rows = getRuntimeContext().getMapState(waiting("waiting-rows", WaitingRow.class));
    labels = getRuntimeContext().getMapState(waiting("waiting-labels", WaitingLabel.class));
  }

  /** The figures of this subtask. */
  LearningMetrics metrics() {
    return learning.metrics();
  }

  private static <T> MapStateDescriptor<String, T> waiting(String name, Class<T> type) {
    return new MapStateDescriptor<>(name, Types.STRING, new ValueType<>(type));
  }

  @Override
  public void processElement1(AvmRow row, Context context, Collector<AvmAnswer> out)
      throws Exception {
    if (row.id() == null || learning.isComplete(row)) {
      learning.take(row, out, context::output);
      return;
    }
    WaitingLabel early = labels.get(row.id());
    if (early != null) {
      labels.remove(row.id());
      LateLabel label = early.label();
      learning.take(row.withLabel(label.label(), label.weight()), out, context::output);
    } else if (rows.contains(row.id())) {
      String reason = "a row of this key with the id '" + row.id() + "' waits for its label";
      learning.refuse(row, DeadLetter.ID, reason, context::output);
    } else {
      answer(row, context, out);
    }
  }

  private void answer(AvmRow row, Context context, Collector<AvmAnswer> out) throws Exception {
    AnswerRecorder given = new AnswerRecorder(out);
    boolean mayWait = !options.mode().learns() || learning.mayWait(row, context::output);
    if (mayWait && (!options.mode().answers() || learning.answer(row, given, context::output))) {
      rows.put(row.id(), new WaitingRow(row, deadline(context), given.label));
    }
  }

  @Override
  public void processElement2(LateLabel label, Context context, Collector<AvmAnswer> out)
      throws Exception {
    WaitingRow waiting = rows.get(label.id());
    if (waiting == null) {
      labels.put(label.id(), new WaitingLabel(label, deadline(context)));
      return;
    }
    rows.remove(label.id());
    if (options.mode().learns()) {
      AvmRow row = waiting.row().withLabel(label.label(), label.weight());
      learning.learnLate(row, waiting.given(), context::output);
    }
  }

  /**
   * The time at which a row or label that arrives now expires; sets a timer for the first scan
   * after that time.
   */
  private long deadline(Context context) {
    TimerService timers = context.timerService();
    boolean isEventTime = options.labelTime() == TimeDomain.EVENT_TIME;
    long now = isEventTime ? timestamp(context) : timers.currentProcessingTime();
    long until = now + options.labelTimeout().toMillis();
    long step = Math.max(1, options.labelTimeout().toMillis() / SCANS);
    long scan = (until / step + 1) * step;
    if (isEventTime) {
      timers.registerEventTimeTimer(scan);
    } else {
      timers.registerProcessingTimeTimer(scan);
    }
    return until;
  }

  private static long timestamp(Context context) {
    if (context.timestamp() == null) {
      throw new IllegalStateException(
          "event time needs timestamps: give rows and labels a watermark strategy");
    }
    return context.timestamp();
  }

  @Override
  public void onTimer(long time, OnTimerContext context, Collector<AvmAnswer> out)
      throws Exception {
    for (WaitingRow expired : expiredRows(time)) {
      learning.metrics().rowWithoutLabel();
      learning.observe(expired.row());
      context.output(AvmStreams.ROWS_WITHOUT_LABEL, expired.row());
    }
    Iterator<Map.Entry<String, WaitingLabel>> waitingLabels = labels.iterator();
    while (waitingLabels.hasNext()) {
      WaitingLabel waiting = waitingLabels.next().getValue();
      if (waiting.until() <= time) {
        waitingLabels.remove();
        learning.metrics().labelWithoutRow();
        context.output(AvmStreams.LABELS_WITHOUT_ROW, waiting.label());
      }
    }
  }

  /** Removes the expired rows, in an order that does not depend on the state backend. */
  private List<WaitingRow> expiredRows(long time) throws Exception {
    List<WaitingRow> expired = new ArrayList<>();
    Iterator<Map.Entry<String, WaitingRow>> all = rows.iterator();
    while (all.hasNext()) {
      WaitingRow waiting = all.next().getValue();
      if (waiting.until() <= time) {
        all.remove();
        expired.add(waiting);
      }
    }
    expired.sort(
        Comparator.comparingLong(WaitingRow::until).thenComparing(waiting -> waiting.row().id()));
    return expired;
  }

  /** Passes an answer on and records its label. */
  private static final class AnswerRecorder implements Collector<AvmAnswer> {
    private final Collector<AvmAnswer> out;
    private Object label;

    AnswerRecorder(Collector<AvmAnswer> out) {
      this.out = out;
    }

    @Override
    public void collect(AvmAnswer answer) {
      label = answer.label();
      out.collect(answer);
    }

    @Override
    public void close() {}
  }
}
