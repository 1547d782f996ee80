package org.avm4j.serve;

import java.util.Map;
import org.avm4j.Features;
import org.avm4j.data.Column;
import org.avm4j.data.Schema;

/**
 * Makes features of rows whose columns and values are all numbers, as a {@link
 * org.avm4j.data.RowEncoder} with a frozen schema does, in one pass. Any other row is left to that.
 * It may be shared between threads.
 */
final class NumericEncoder {
  private final Schema schema;
  private final double[] means;

  NumericEncoder(Schema schema) {
    this.schema = schema;
    means = means(schema);
  }

  /**
   * What stands for each missing column, by index; null if a column holds texts, or none is there.
   */
  private static double[] means(Schema schema) {
    if (schema.columns().isEmpty() || !schema.columns().stream().allMatch(Column::isNumeric)) {
      return null;
    }
    double[] means = new double[schema.dimension()];
    for (Column column : schema.columns()) {
      Column.Numeric numeric = (Column.Numeric) column;
      means[numeric.index()] = numeric.mean();
    }
    return means;
  }

  /** The features, null if the row is not one of numbers or has no column that is known. */
  Features encode(Map<String, Object> row) {
    if (means == null) {
      return null;
    }
    double[] values = means.clone();
    boolean isKnown = false;
    for (Map.Entry<String, Object> entry : row.entrySet()) {
      Column column = schema.column(entry.getKey());
      if (column != null) {
        double value = number(entry.getValue());
        if (!Double.isFinite(value)) {
          return null;
        }
        values[((Column.Numeric) column).index()] = value;
        isKnown = true;
      }
    }
    return isKnown ? Features.dense(values) : null;
  }

  private static double number(Object value) {
    if (value instanceof Double || value instanceof Long) {
      return ((Number) value).doubleValue();
    }
    return Double.NaN;
  }
}
