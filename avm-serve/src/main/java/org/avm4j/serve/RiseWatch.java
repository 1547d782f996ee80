package org.avm4j.serve;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Missing;
import org.avm4j.data.Row;
import org.avm4j.data.RowEncoder;
import org.avm4j.data.Schema;
import org.avm4j.explain.DriftEvent;
import org.avm4j.explain.DriftEvent.Cause;
import org.avm4j.explain.DriftMonitor;
import org.avm4j.run.DriftDescription;

/**
 * Watches the error of a learner's answers, and records what changed in the data when it rose. It
 * restarts if automatic mode changes the task.
 *
 * <p>In the store: the number of causes (4), each with its name (text) and the number of its events
 * (8); whether a row came (1); if so, whether labels are numbers (1), and the {@link DriftMonitor}.
 */
final class RiseWatch {
  private final Schema names;
  private final RowEncoder rows;
  private final Map<Cause, Long> counts = new EnumMap<>(Cause.class);
  private DriftMonitor monitor;
  private boolean isRegression;

  /**
   * A watch at the start of a stream.
   *
   * @param names the schema of the learner, which grows as new columns and labels appear
   */
  RiseWatch(Schema names) {
    this.names = names;
    rows = new RowEncoder(names.frozen(), Missing.MEAN);
  }

  /**
   * The rises of the error so far.
   *
   * @param isRegression whether labels are numbers
   * @param events the latest events, the oldest first
   * @param counts the number of all events by their cause
   */
  record Rises(boolean isRegression, List<DriftEvent> events, Map<Cause, Long> counts) {
    /** The latest events as JSON, each with a sentence on its error and one on what changed. */
    List<Map<String, Object>> json() {
      return events.stream().map(this::json).toList();
    }

    private Map<String, Object> json(DriftEvent event) {
      Map<String, Object> json = new LinkedHashMap<>(DriftDescription.values(event, isRegression));
      json.put("error", DriftDescription.error(event, isRegression));
      json.put("text", DriftDescription.changes(event));
      return json;
    }

    /** The number of all events by the word for their cause. */
    Map<String, Long> byWord() {
      Map<String, Long> words = new LinkedHashMap<>();
      for (Cause cause : Cause.values()) {
        String word = cause.name().toLowerCase(Locale.ROOT).replace('_', '-');
        words.put(word, counts.getOrDefault(cause, 0L));
      }
      return words;
    }
  }

  Rises rises() {
    List<DriftEvent> events = monitor == null ? List.of() : monitor.events();
    return new Rises(isRegression, events, Map.copyOf(counts));
  }

  /** Adds a learned row, its label, and the answer given before it was learned. */
  void add(Row row, double label, double answer, boolean isNumber) {
    if (Double.isNaN(label)) {
      return;
    }
    if (monitor == null || isNumber != isRegression) {
      isRegression = isNumber;
      watch(new DriftMonitor(isNumber, names));
    }
    monitor.add(row.values().encode(rows), label, answer);
  }

  private void watch(DriftMonitor by) {
    monitor = by.listen(event -> counts.merge(event.cause(), 1L, Long::sum));
  }

  void encode(Encoder out) {
    out.int32(counts.size());
    counts.forEach(
        (cause, count) -> {
          out.text(cause.name());
          out.int64(count);
        });
    out.bool(monitor != null);
    if (monitor != null) {
      out.bool(isRegression);
      monitor.encode(out);
    }
  }

  static RiseWatch decode(Decoder in, Schema names) throws ModelFileException {
    RiseWatch watch = new RiseWatch(names);
    for (int n = in.int32("the causes", Cause.values().length); n > 0; n--) {
      watch.counts.put(cause(in.text()), in.count("the drifts"));
    }
    if (in.bool()) {
      watch.isRegression = in.bool();
      watch.watch(DriftMonitor.decode(in, names));
    }
    return watch;
  }

  private static Cause cause(String name) throws ModelFileException {
    for (Cause cause : Cause.values()) {
      if (cause.name().equals(name)) {
        return cause;
      }
    }
    throw new ModelFileException("damaged content: '" + name + "' is no cause of a drift");
  }
}
