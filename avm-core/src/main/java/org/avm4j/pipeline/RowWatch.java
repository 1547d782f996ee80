package org.avm4j.pipeline;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.avm4j.Features;
import org.avm4j.Prediction;
import org.avm4j.asking.LabelBudget;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Schema;
import org.avm4j.explain.ChangeStudy;
import org.avm4j.explain.DriftEvent;
import org.avm4j.explain.DriftMonitor;
import org.avm4j.table.DriftNotice;

/**
 * The options of a {@link Pipeline} beside learning: says which labels are worth asking for, and
 * notices rises of its error.
 *
 * <p>In a file, at the end of a pipeline: «asking» with the budget, if there is one; «drift», if
 * drift is watched, with whether a row was learned (1), and if so whether labels are numbers (1)
 * and the monitor.
 */
final class RowWatch {
  private static final String ASKING = "asking";
  private static final String DRIFT = "drift";

  /** Decides which labels are worth asking for; null without that option. */
  private final LabelBudget budget;

  private final boolean watchesDrift;
  private final List<Consumer<DriftNotice>> listeners = new ArrayList<>();
  private final List<DriftNotice> waiting = new ArrayList<>();

  /** Null before the first row. */
  private DriftMonitor monitor;

  private boolean isRegression;

  /**
   * A watch at the start of a stream.
   *
   * @param budget for labels; null for none
   */
  RowWatch(LabelBudget budget, boolean watchesDrift) {
    this.budget = budget;
    this.watchesDrift = watchesDrift;
  }

  /** A watch that does nothing. */
  static RowWatch none() {
    return new RowWatch(null, false);
  }

  boolean watchesDrift() {
    return watchesDrift;
  }

  /** The answer to a row with whether its label is worth asking for, which the budget counts. */
  Prediction asked(Prediction answer) {
    return budget == null ? answer : answer.withAsking(budget.ask(answer));
  }

  void listen(Consumer<DriftNotice> listener) {
    if (!watchesDrift) {
      throw new IllegalStateException(
          "the learner does not watch for drift, give the option drift");
    }
    listeners.add(listener);
  }

  /** Adds a row that was learned; listeners are called by {@link #tell}. */
  void learned(Features x, double label, double answer, boolean isNumber, Schema names) {
    if (monitor == null || isNumber != isRegression) {
      isRegression = isNumber;
      watch(new DriftMonitor(isNumber, names));
    }
    monitor.add(x, label, answer);
  }

  private void watch(DriftMonitor by) {
    monitor = by.listen(this::take);
  }

  private void take(DriftEvent event) {
    if (!listeners.isEmpty()) {
      waiting.add(notice(event));
    }
  }

  /** Calls the listeners. The row must be learned before, because a listener may throw. */
  void tell() {
    while (!waiting.isEmpty()) {
      DriftNotice notice = waiting.remove(0);
      listeners.forEach(listener -> listener.accept(notice));
    }
  }

  private static DriftNotice notice(DriftEvent event) {
    return new DriftNotice(
        event.since(),
        event.noticed(),
        event.errorBefore(),
        event.errorAfter(),
        words(event.moved()),
        words(event.effects()),
        words(event.labels()));
  }

  private static Map<String, String> words(List<ChangeStudy.Changed> changes) {
    Map<String, String> words = new LinkedHashMap<>();
    changes.forEach(each -> words.put(each.column(), each.before() + ", then " + each.after()));
    return words;
  }

  /** Forgets the rows, but not how much of the budget is spent. */
  void reset() {
    monitor = null;
    waiting.clear();
  }

  void encode(Encoder out) {
    out.optional(ASKING, budget, LabelBudget::encode);
    if (watchesDrift) {
      out.section(DRIFT, this::encodeDrift);
    }
  }

  private void encodeDrift(Encoder out) {
    out.bool(monitor != null);
    if (monitor != null) {
      out.bool(isRegression);
      monitor.encode(out);
    }
  }

  static RowWatch decode(Decoder in, Schema names) throws ModelFileException {
    LabelBudget budget = in.optional(ASKING, LabelBudget::decode).orElse(null);
    RowWatch watch = new RowWatch(budget, in.hasSection(DRIFT));
    if (watch.watchesDrift) {
      in.section(DRIFT, content -> watch.decodeDrift(content, names));
    }
    return watch;
  }

  private RowWatch decodeDrift(Decoder in, Schema names) throws ModelFileException {
    if (in.bool()) {
      isRegression = in.bool();
      watch(DriftMonitor.decode(in, names));
    }
    return this;
  }
}
