package org.avm4j.app;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.avm4j.Features;
import org.avm4j.data.Instance;

/** Keeps the last 500 rows of a stream, to be examined at its end. */
final class LastRows {
  private static final int MOST = 500;

  private final Deque<Instance> rows = new ArrayDeque<>();

  void add(Features x, double label) {
    if (rows.size() == MOST) {
      rows.removeFirst();
    }
    rows.add(new Instance(x.copy(), label));
  }

  List<Instance> labelled() {
    return rows.stream().filter(row -> !Double.isNaN(row.label())).toList();
  }
}
