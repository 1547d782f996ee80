package org.avm4j.io;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.avm4j.data.Note;

/** Finds two columns of which the label is the sum or the difference. */
final class LabelSum {
  /** Maximum number of columns that are compared with each other. */
  private static final int MOST_COLUMNS = 200;

  private static final int FEWEST_ROWS = 100;

  /** Largest relative error of a sum of decimal numbers. */
  private static final double ROUNDING = 1e-9;

  /**
   * A column of numbers.
   *
   * @param values the number in each row; NaN where it is missing
   */
  private record Numbers(String name, double[] values) {}

  private final double[] labels;
  private final List<Numbers> columns = new ArrayList<>();

  LabelSum(double[] labels) {
    this.labels = labels;
  }

  /** Adds a column, with NaN for missing numbers; a constant one is ignored. */
  void add(String name, double[] values) {
    if (columns.size() < MOST_COLUMNS && Arrays.stream(values).distinct().count() > 1) {
      columns.add(new Numbers(name, values));
    }
  }

  /** A warning on the first such pair. */
  Optional<Note> warning() {
    for (Numbers a : columns) {
      for (Numbers b : columns) {
        boolean isSum = columns.indexOf(a) < columns.indexOf(b) && isLabel(a, b, 1);
        if (isSum || a != b && isLabel(a, b, -1)) {
          return Optional.of(
              Note.warning(
                  "the label is column '%s' %s column '%s': are both known when you predict?"
                          .formatted(a.name, isSum ? "plus" : "minus", b.name)
                      + " --ignore leaves them out"));
        }
      }
    }
    return Optional.empty();
  }

  private boolean isLabel(Numbers a, Numbers b, int sign) {
    int found = 0;
    for (int r = 0; r < labels.length; r++) {
      double error = a.values[r] + sign * b.values[r] - labels[r];
      double size = Math.abs(a.values[r]) + Math.abs(b.values[r]) + Math.abs(labels[r]);
      if (Math.abs(error) > ROUNDING * size) {
        return false;
      }
      found += Double.isNaN(error) ? 0 : 1;
    }
    return found >= FEWEST_ROWS;
  }
}
