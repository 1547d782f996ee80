package org.avm4j.serve;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.avm4j.data.Row;

/** The latest rows that a model has learned, for display. Thread-safe. */
final class LatestRows {
  static final int KEPT = 20;

  private static final int LONGEST = 200;

  private final Deque<Latest> rows = new ArrayDeque<>();

  /** A learned row, and the label that was answered for it; null if it was not answered. */
  private record Latest(long sequence, ServedRow row, Object answer) {
    Map<String, Object> json() {
      Object label = row.row().label();
      String text = shown(row.row().values());
      return JsonValues.members(
          "sequence", sequence, "label", label, "answer", answer, "row", text);
    }

    private static String shown(Row.Values values) {
      String text = values.areNamed() ? JsonValues.text(values.columns()) : values.text();
      return JsonValues.shortened(text, LONGEST);
    }
  }

  synchronized void add(long sequence, ServedRow row, Object answer) {
    rows.addLast(new Latest(sequence, row, answer));
    if (rows.size() > KEPT) {
      rows.removeFirst();
    }
  }

  /** The rows, the newest first. */
  List<Map<String, Object>> json() {
    List<Latest> newest;
    synchronized (this) {
      newest = new ArrayList<>(rows);
    }
    Collections.reverse(newest);
    return newest.stream().map(Latest::json).toList();
  }
}
