package org.avm4j.run;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Detects whether the labels of a stream are in long blocks, as in a sorted file. */
public final class LabelOrder {
  private static final int MOST_LABELS = 1000;
  private static final int FEWEST_ROWS = 100;

  /**
   * Labels are in blocks if they change less often than this fraction of the changes in a random
   * order.
   */
  private static final double BLOCKED = 0.05;

  /**
   * Rows are in order of time if repeating the last label has less than this fraction of the error
   * of a constant.
   */
  private static final double GRADUAL = 0.5;

  /**
   * The same if a column numbers the rows, which suggests that they are in their original order.
   */
  private static final double COUNTED = 0.8;

  /** A file is sorted if fewer than this fraction of the steps go against the order. */
  private static final double SORTED = 0.05;

  /** Maximum number of different labels that are taken for classes. */
  private static final int MOST_CLASSES = 20;

  private final Map<Double, Long> counts = new HashMap<>();
  private long rows;
  private long changes;
  private double last = Double.NaN;
  private final Neighbours neighbours = new Neighbours();

  LabelOrder() {}

  void add(double label) {
    if (Double.isNaN(label)) {
      return;
    }
    neighbours.add(label);
    if (counts.size() > MOST_LABELS) {
      return;
    }
    changes += rows > 0 && label != last ? 1 : 0;
    last = label;
    rows++;
    counts.merge(label, 1L, Long::sum);
  }

  /**
   * The error of predicting each label by the one before: the RMSE of numbers, or the mistakes of
   * classes in percent. NaN if there are fewer than two labels, or too many classes to count.
   */
  public double noChangeError(boolean areNumbers) {
    if (areNumbers) {
      return neighbours.noChange();
    }
    return counts.size() > MOST_LABELS || rows < 2 ? Double.NaN : 100.0 * changes / (rows - 1);
  }

  /** The expected number of label changes from row to row in a random order. */
  public double expectedChanges() {
    double same = 0;
    for (long count : counts.values()) {
      same += (double) count / rows * count / rows;
    }
    return rows * (1 - same);
  }

  /** Whether labels are in long blocks; always false for numbers and for very many labels. */
  public boolean isBlocked() {
    return rows >= FEWEST_ROWS
        && counts.size() > 1
        && counts.size() <= Math.min(MOST_LABELS, rows / 10)
        && changes < BLOCKED * expectedChanges();
  }

  /**
   * Whether labels change little from row to row, as in order of time: repeating the last one is
   * far better than any constant. False for sorted files and for long blocks of equal labels.
   *
   * @param isCounted whether a column numbers the rows, so that weaker evidence is enough
   */
  boolean isGradual(boolean isCounted) {
    if (rows < FEWEST_ROWS || isBlocked()) {
      return false;
    }
    double limit = isCounted ? COUNTED : GRADUAL;
    boolean areClasses = counts.size() <= MOST_CLASSES;
    return areClasses ? changes < limit * expectedChanges() : neighbours.isGradual(limit);
  }

  /** For users: why the labels suggest an order of time. */
  String gradualText() {
    return counts.size() <= MOST_CLASSES
        ? String.format(
            Locale.ROOT,
            "the labels change %,d times in %,d rows; in random order it would be about %,.0f"
                + " times",
            changes,
            rows,
            expectedChanges())
        : String.format(
            Locale.ROOT,
            "repeating the last label has an RMSE of %.3g, the mean label one of %.3g",
            neighbours.noChange(),
            neighbours.deviation());
  }

  /** Statistics of the differences between neighbouring labels. */
  private static final class Neighbours {
    private long count;
    private double mean;
    private double squares;
    private double steps;
    private long ups;
    private long downs;
    private double last = Double.NaN;

    void add(double label) {
      if (count++ > 0) {
        steps += (label - last) * (label - last);
        ups += label > last ? 1 : 0;
        downs += label < last ? 1 : 0;
      }
      last = label;
      double before = label - mean;
      mean += before / count;
      squares += before * (label - mean);
    }

    double noChange() {
      return Math.sqrt(steps / (count - 1));
    }

    double deviation() {
      return Math.sqrt(squares / count);
    }

    boolean isGradual(double limit) {
      boolean isSorted = Math.min(ups, downs) < SORTED * (ups + downs);
      return !isSorted && noChange() < limit * deviation();
    }
  }

  /** A sentence for users on labels that are in blocks. */
  public String text() {
    return String.format(
        Locale.ROOT,
        "the labels come in long blocks: they change %,d times in %,d rows; in random order it"
            + " would be about %,.0f times",
        changes,
        rows,
        expectedChanges());
  }
}
