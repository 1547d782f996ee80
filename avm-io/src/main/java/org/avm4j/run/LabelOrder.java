package org.avm4j.run;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Whether the labels of a stream come in long blocks, as those of a sorted file do. */
public final class LabelOrder {
  private static final int MOST_LABELS = 1000;
  private static final int FEWEST_ROWS = 100;

  /** In blocks labels change less often than this part of what a random order would do. */
  private static final double BLOCKED = 0.05;

  private final Map<Double, Long> counts = new HashMap<>();
  private long rows;
  private long changes;
  private double last = Double.NaN;

  LabelOrder() {}

  void add(double label) {
    if (Double.isNaN(label) || counts.size() > MOST_LABELS) {
      return;
    }
    changes += rows > 0 && label != last ? 1 : 0;
    last = label;
    rows++;
    counts.merge(label, 1L, Long::sum);
  }

  /** The number of times that a label differs from the one before, if the order were random. */
  public double expectedChanges() {
    double same = 0;
    for (long count : counts.values()) {
      same += (double) count / rows * count / rows;
    }
    return rows * (1 - same);
  }

  /** Whether labels come in long blocks; of very many labels, or of numbers, never. */
  public boolean isBlocked() {
    return rows >= FEWEST_ROWS
        && counts.size() > 1
        && counts.size() <= Math.min(MOST_LABELS, rows / 10)
        && changes < BLOCKED * expectedChanges();
  }

  /** What was found, for a person. */
  public String text() {
    return String.format(
        Locale.ROOT,
        "labels come in long blocks: they change %,d times in %,d rows, where a random order has"
            + " about %,.0f changes",
        changes,
        rows,
        expectedChanges());
  }
}
