package org.avm4j.app;

import java.util.List;
import java.util.Map;
import org.avm4j.explain.DriftEvent;
import org.avm4j.explain.DriftMonitor;
import org.avm4j.run.DriftDescription;

/** Formats the rises of the error of a stream, and what changed in the data. */
final class DriftText {
  /** The heading of the table of events. */
  static final List<String> HEAD = List.of("since row", "error", "what changed");

  /** Maximum number of events in the text of a report; JSON and the page have all. */
  private static final int MOST_ROWS = 5;

  private DriftText() {}

  /** Adds a row for each of the latest events, and the number of all. */
  static void addRows(DriftMonitor monitor, boolean isNumber, Map<String, String> rows) {
    List<DriftEvent> events = monitor.events();
    int first = Math.max(0, events.size() - MOST_ROWS);
    if (events.isEmpty()) {
      rows.put("drift", "the error did not rise");
    }
    if (monitor.found() > MOST_ROWS) {
      rows.put(
          "drift",
          Text.format(
              "the error rose %,d times; the last %d are shown, --html and --json show more:",
              monitor.found(), MOST_ROWS));
    }
    for (DriftEvent event : events.subList(first, events.size())) {
      rows.put(
          Text.format("drift at row %,d", event.since()),
          DriftDescription.error(event, isNumber) + "; " + DriftDescription.changes(event));
    }
  }

  static List<List<String>> cells(List<DriftEvent> events, boolean isNumber) {
    return events.stream()
        .map(
            event ->
                List.of(
                    Text.whole(event.since()),
                    DriftDescription.error(event, isNumber),
                    DriftDescription.changes(event)))
        .toList();
  }

  /** The values of all kept events, for JSON. */
  static List<Map<String, Object>> values(DriftMonitor monitor, boolean isNumber) {
    return monitor.events().stream()
        .map(event -> DriftDescription.values(event, isNumber))
        .toList();
  }
}
