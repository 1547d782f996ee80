package org.avm4j.explain;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.avm4j.FeatureException;
import org.avm4j.Features;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Schema;
import org.avm4j.internal.Adwin;

/**
 * Watches the answers along a stream and, when their error rises, reports what changed: since when,
 * by how much, which columns have other values, which have another effect on the label, and which
 * classes appeared, grew or vanished.
 *
 * <pre>{@code
 * DriftMonitor monitor = new DriftMonitor(false, schema).listen(event -> alert(event));
 * for (...) {
 *   double answer = learner.predict(x);
 *   learner.learn(x, label);
 *   monitor.add(x, label, answer);
 * }
 * monitor.finish();
 * }</pre>
 *
 * <p>ADWIN finds the rise of the losses. The monitor then waits for {@value #AFTER} rows after the
 * change, looks once more for the row at which the error rose, and compares them with rows before
 * it by a {@link ChangeStudy}. It keeps the latest rows and a sample of those before, at most 12
 * MB; the same rows and answers give the same events.
 *
 * <p>In a file: whether labels are numbers (1), the rows that came (8), the labels that were
 * counted with their mean and sum of squares (8 each), the first row of a rise that waits to be
 * studied or 0 (8), the row at which it was noticed (8), whether it is sure (1), the row of the
 * last study (8), the window of losses, the rows, the number of events (8), and the events that are
 * kept (4 and the events).
 */
public final class DriftMonitor {
  /** Number of rows after a change that the monitor waits for before the study. */
  public static final int AFTER = 1000;

  /** Number of latest events that are kept. */
  public static final int KEPT = 100;

  /** Probability of a false alarm at each test of ADWIN: a stream has thousands of tests. */
  private static final double FALSE_ALARM = 1e-4;

  /**
   * Smallest relative rise of the error that is reported; long streams show significant rises too
   * small to matter.
   */
  private static final double LEAST_RISE = 0.1;

  /** Rows at the start that are not watched, while a learner knows little. */
  private static final int FIRST = 500;

  /** Rows between two tests of the latest losses. */
  private static final int EVERY = 50;

  /** Rows after a study during which only sure rises count. */
  private static final int REST = 4000;

  private final boolean isRegression;
  private final Schema schema;
  private Consumer<DriftEvent> listener = event -> {};
  private Adwin losses = new Adwin(FALSE_ALARM);
  private WatchedRows rows = new WatchedRows();
  private final Deque<DriftEvent> events = new ArrayDeque<>();
  private long found;
  private long count;
  private double mean;
  private double squares;
  private long since;
  private long noticed;
  private boolean isSure;
  private long studied;

  /**
   * A monitor at the start of a stream.
   *
   * @param isRegression whether labels are numbers, and not classes
   * @param schema the names of columns and labels; names may be added to it as rows come
   */
  public DriftMonitor(boolean isRegression, Schema schema) {
    this.isRegression = isRegression;
    this.schema = schema;
  }

  /** Calls this with each event when it is found, in the thread that adds rows. */
  public DriftMonitor listen(Consumer<DriftEvent> to) {
    listener = to;
    return this;
  }

  /**
   * Takes a row, its label, and the answer from before the label was known.
   *
   * @param answer NaN if there was none
   * @throws IllegalArgumentException if the label or a value is not a finite number; nothing is
   *     changed then
   */
  public void add(Features x, double label, double answer) {
    if (!Double.isFinite(label)) {
      throw new IllegalArgumentException("a label must be a finite number: " + label);
    }
    FeatureException.check(x);
    count++;
    double loss = loss(label, answer);
    rows.add(new WatchedRow(count, x.copy(), label, answer, loss));
    boolean isCut = count > FIRST && losses.add(loss) && losses.newer() > losses.older();
    isSure |= isCut && since > 0;
    if (since == 0 && (isCut || count % EVERY == 0)) {
      notice(isCut);
    }
    if (since > 0 && count - since + 1 >= AFTER && !isLater()) {
      study();
    }
  }

  /**
   * Looks for a rise of the error; rises that only a study can confirm are not searched for too
   * often.
   */
  private void notice(boolean isCut) {
    boolean isDue = studied == 0 || count >= studied + REST;
    RiseTest test = test();
    if (isCut) {
      isSure = true;
      since = test.start(count - losses.width() + 1);
      noticed = count;
    } else if (isDue && test.isRise()) {
      isSure = false;
      since = test.start(count);
      noticed = count;
    }
  }

  private RiseTest test() {
    return new RiseTest(rows.latest(), Math.max(FIRST + 1, rows.first()));
  }

  /**
   * Whether the error rose clearly only after a rise was noticed, which then was chance; the study
   * waits for the rows after the later one.
   */
  private boolean isLater() {
    long later = test().laterStart(since, noticed);
    boolean isLater = later > since;
    if (isLater) {
      since = later;
      noticed = count;
    }
    return isLater;
  }

  /** A mistake, or of numbers |f - y|/(|f - y| + s) with s the deviation of the labels so far. */
  private double loss(double label, double answer) {
    if (!isRegression) {
      return label == answer ? 0 : 1;
    }
    double gap = label - mean;
    mean += gap / count;
    squares += gap * (label - mean);
    double error = Math.abs(answer - label);
    double deviation = Math.sqrt(squares / count);
    if (error == 0) {
      return 0;
    }
    return Double.isFinite(error) ? error / (error + deviation) : 1;
  }

  private void study() {
    DriftEvent event = new DriftStudy(rows, since, isRegression, schema).event(noticed);
    boolean isConfirmed = event.cause() != DriftEvent.Cause.UNKNOWN;
    since = 0;
    studied = count;
    boolean isRise = event.errorAfter() > (1 + LEAST_RISE) * event.errorBefore();
    if (isRise && (isSure || isConfirmed)) {
      rows.startAt(event.since());
      losses = new Adwin(FALSE_ALARM);
      found++;
      events.addLast(event);
      if (events.size() > KEPT) {
        events.removeFirst();
      }
      listener.accept(event);
    }
  }

  /** Ends the stream: a rise that still waits for rows is studied with the rows so far. */
  public void finish() {
    if (since > 0) {
      isLater();
      study();
    }
  }

  /** The latest events, the oldest first, at most {@value #KEPT}. */
  public List<DriftEvent> events() {
    return List.copyOf(events);
  }

  /** Number of events of the whole stream. */
  public long found() {
    return found;
  }

  /** Appends everything but names and the listener. */
  public void encode(Encoder out) {
    out.bool(isRegression);
    out.int64(count);
    out.float64(mean);
    out.float64(squares);
    out.int64(since);
    out.int64(noticed);
    out.bool(isSure);
    out.int64(studied);
    losses.encode(out);
    rows.encode(out);
    out.int64(found);
    out.list(events, DriftEvent::encode);
  }

  /** The monitor that was appended, with the names of columns and labels. */
  public static DriftMonitor decode(Decoder in, Schema schema) throws ModelFileException {
    DriftMonitor monitor = new DriftMonitor(in.bool(), schema);
    monitor.count = in.count("the rows watched");
    monitor.mean = in.finite("the mean of labels");
    monitor.squares = in.finite("the squares of labels");
    monitor.since = in.count("the first row of a rise");
    monitor.noticed = in.count("the row of a rise");
    monitor.isSure = in.bool();
    monitor.studied = in.count("the row of a study");
    monitor.losses = Adwin.decode(in, FALSE_ALARM);
    monitor.rows = WatchedRows.decode(in);
    monitor.found = in.count("the drifts");
    monitor.events.addAll(in.list("the drifts that are kept", KEPT, DriftEvent::decode));
    return monitor;
  }
}
