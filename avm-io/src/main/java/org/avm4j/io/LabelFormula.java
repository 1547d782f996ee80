package org.avm4j.io;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleBinaryOperator;
import org.avm4j.data.Note;

/**
 * Finds two columns of which the label is the sum, the difference, the product or the quotient, up
 * to the rounding of their last decimal place. Whole numbers count as exact.
 */
final class LabelFormula {
  /** Maximum number of columns that are compared with each other. */
  private static final int MOST_COLUMNS = 200;

  private static final int FEWEST_ROWS = 100;

  /** Largest relative error of the arithmetic. */
  private static final double ARITHMETIC = 1e-9;

  /**
   * Largest error of rounding (RMS), as a fraction of the standard deviation of the labels. Where
   * numbers are rounded more coarsely, other columns would fit as well.
   */
  private static final double FINE = 0.01;

  /** From this number of decimal places on, a number counts as exact. */
  private static final int MOST_PLACES = 9;

  /** What may be done with two numbers, and how far their rounding moves the result. */
  private enum Operation {
    PLUS("plus", true, (a, b) -> a + b),
    MINUS("minus", false, (a, b) -> a - b),
    TIMES("times", true, (a, b) -> a * b),
    OVER("divided by", false, (a, b) -> a / b);

    private final String words;
    private final boolean isSymmetric;
    private final DoubleBinaryOperator result;

    Operation(String words, boolean isSymmetric, DoubleBinaryOperator result) {
      this.words = words;
      this.isSymmetric = isSymmetric;
      this.result = result;
    }

    double of(double a, double b) {
      return result.applyAsDouble(a, b);
    }

    /** The error of the result if both numbers are off by at most this much. */
    double error(double a, double ofA, double b, double ofB) {
      return switch (this) {
        case PLUS, MINUS -> ofA + ofB;
        case TIMES -> Math.abs(b) * ofA + Math.abs(a) * ofB;
        case OVER -> (ofA + Math.abs(a / b) * ofB) / Math.abs(b);
      };
    }
  }

  /**
   * A column of numbers.
   *
   * @param values the number in each row; NaN where it is missing
   * @param rounding half a unit of the last decimal place; 0 for whole numbers
   */
  private record Numbers(String name, double[] values, double rounding) {}

  private final Numbers label;
  private final double finest;
  private final List<Numbers> columns = new ArrayList<>();

  LabelFormula(double[] labels) {
    label = new Numbers("", labels, rounding(labels));
    double[] known = Arrays.stream(labels).filter(Double::isFinite).toArray();
    double mean = Arrays.stream(known).average().orElse(0);
    double variance = Arrays.stream(known).map(y -> (y - mean) * (y - mean)).average().orElse(0);
    finest = FINE * Math.sqrt(variance);
  }

  /** Adds a column, with NaN for missing numbers; a constant one is ignored. */
  void add(String name, double[] values) {
    if (columns.size() < MOST_COLUMNS && Arrays.stream(values).distinct().count() > 1) {
      columns.add(new Numbers(name, values, rounding(values)));
    }
  }

  /** A warning on the first such pair. */
  Optional<Note> warning() {
    for (Operation operation : Operation.values()) {
      for (int i = 0; i < columns.size(); i++) {
        for (int j = operation.isSymmetric ? i + 1 : 0; j < columns.size(); j++) {
          if (i != j && isLabel(operation, columns.get(i), columns.get(j))) {
            return Optional.of(
                Note.warning(
                    "the label is column '%s' %s column '%s': are both known when you predict?"
                            .formatted(columns.get(i).name, operation.words, columns.get(j).name)
                        + " --ignore leaves them out"));
          }
        }
      }
    }
    return Optional.empty();
  }

  private boolean isLabel(Operation operation, Numbers a, Numbers b) {
    int found = 0;
    double squares = 0;
    for (int r = 0; r < label.values.length; r++) {
      double result = operation.of(a.values[r], b.values[r]);
      double error = result - label.values[r];
      double rounding =
          label.rounding + operation.error(a.values[r], a.rounding, b.values[r], b.rounding);
      double size = Math.abs(a.values[r]) + Math.abs(b.values[r]) + Math.abs(label.values[r]);
      if (Math.abs(error) > rounding + ARITHMETIC * size) {
        return false;
      }
      if (Double.isFinite(error)) {
        found++;
        squares += rounding * rounding;
      }
    }
    return found >= FEWEST_ROWS && squares <= found * finest * finest;
  }

  /** Half a unit of the last decimal place of any of these numbers; 0 for whole numbers. */
  private static double rounding(double[] values) {
    int places = 0;
    for (double value : values) {
      while (places < MOST_PLACES && !isRounded(value * Math.pow(10, places))) {
        places++;
      }
    }
    return places == 0 || places == MOST_PLACES ? 0 : 0.5 * Math.pow(10, -places);
  }

  private static boolean isRounded(double value) {
    double error = Math.abs(value - Math.rint(value));
    return !Double.isFinite(value) || error <= ARITHMETIC * Math.max(1, Math.abs(value));
  }
}
