package org.avm4j.data;

import java.util.Arrays;

/**
 * The undo log of a {@link Schema}, so that a refused row leaves no trace: the number of names when
 * the row began, and the former means of the columns observed since.
 */
final class SchemaUndo {
  private final SchemaNames names;
  private int columns;
  private int features;
  private int labels;
  private boolean numberLabels;
  private TableOrigin origin = TableOrigin.UNKNOWN;
  private long changes;
  private boolean isActive;
  private int count;
  private Column[] observed = {};
  private long[] counts = {};
  private double[] means = {};
  private double[] spreads = {};

  SchemaUndo(SchemaNames names) {
    this.names = names;
  }

  /** Begins a row; all later changes can be undone. */
  void begin() {
    columns = names.columns.size();
    features = names.features.size();
    labels = names.labels.size();
    numberLabels = names.numberLabels;
    origin = names.origin;
    changes = names.changes;
    count = 0;
    isActive = true;
  }

  /** Notes the mean of a column before it changes. */
  void observe(Column column, long itsCount, double itsMean, double itsSpread) {
    if (!isActive) {
      return;
    }
    if (count == observed.length) {
      int capacity = Math.max(16, 2 * count);
      observed = Arrays.copyOf(observed, capacity);
      counts = Arrays.copyOf(counts, capacity);
      means = Arrays.copyOf(means, capacity);
      spreads = Arrays.copyOf(spreads, capacity);
    }
    observed[count] = column;
    counts[count] = itsCount;
    means[count] = itsMean;
    spreads[count++] = itsSpread;
  }

  /** Undoes everything since {@link #begin}; the next row may begin from here. */
  void rollback() {
    if (!isActive) {
      return;
    }
    for (int i = count - 1; i >= 0; i--) {
      observed[i].restore(counts[i], means[i], spreads[i]);
    }
    for (int i = names.features.size() - 1; i >= features; i--) {
      names.features.remove(i).forget();
    }
    for (int i = names.columns.size() - 1; i >= columns; i--) {
      names.columnOf.remove(names.columns.remove(i).name());
    }
    for (int i = names.labels.size() - 1; i >= labels; i--) {
      names.labelOf.remove(names.labels.remove(i));
    }
    names.numberLabels = numberLabels;
    names.origin = origin;
    names.changes = changes;
    count = 0;
    isActive = false;
  }

  /** Keeps what was learned since {@link #begin}. */
  void commit() {
    count = 0;
    isActive = false;
  }
}
