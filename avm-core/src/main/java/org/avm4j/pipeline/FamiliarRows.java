package org.avm4j.pipeline;

import java.util.List;
import java.util.Map;
import org.avm4j.Features;
import org.avm4j.OnlineLearner;
import org.avm4j.data.Column;
import org.avm4j.data.ColumnKind;
import org.avm4j.data.Decimal;
import org.avm4j.data.Missing;
import org.avm4j.data.Row;
import org.avm4j.data.Schema;

/**
 * A fast check for rows that hold only known names and plain values, which are always learned; most
 * rows of a stream are like this. It does not encode the rows. All others are left to the {@link
 * RowRules}. Thread-safe without a lock.
 */
final class FamiliarRows {
  private final Schema known;
  private final RowRules rules;
  private final RowRules.Learner learner;
  private final boolean isSound;

  /**
   * A check for a learner.
   *
   * @param known a snapshot of the schema
   * @param rules the rules for that snapshot
   */
  FamiliarRows(Schema known, RowRules rules, RowRules.Learner learner) {
    this.known = known;
    this.rules = rules;
    this.learner = learner;
    isSound = learner.hasLearned() && known.columns().stream().allMatch(FamiliarRows::isSound);
  }

  /** Whether a column may be absent, because the mean that replaces it is acceptable. */
  private static boolean isSound(Column column) {
    return isLearnable(column.mean());
  }

  private static boolean isLearnable(double value) {
    return Math.abs(value) <= Features.LARGEST;
  }

  /** Whether all of these rows will surely be learned. */
  boolean includes(List<Row> rows) {
    try {
      return isSound && rows.stream().allMatch(this::includes);
    } catch (IllegalArgumentException refused) {
      return false;
    }
  }

  private boolean includes(Row row) {
    OnlineLearner.checkWeight(row.weight());
    Row.Values values = row.values();
    return includes(values.columns(), values.areTexts()) && includesLabel(row.label());
  }

  private boolean includesLabel(Object label) {
    double y = rules.label(label, learner);
    int names = known.labels().size();
    return Double.isNaN(y) || !learner.isNews(y) && (names == 0 || y < names);
  }

  private boolean includes(Map<String, ?> columns, boolean areFields) {
    for (Map.Entry<String, ?> entry : columns.entrySet()) {
      Column column = known.column(entry.getKey());
      Object value = entry.getValue();
      boolean isKnown =
          column != null && (areFields ? fits((String) value, column) : fits(value, column));
      if (!isKnown) {
        return false;
      }
    }
    return !columns.isEmpty();
  }

  /** Whether a value fits a column: a number, a known category or null. */
  private static boolean fits(Object value, Column column) {
    if (column.isNumeric()) {
      return value == null
          || value instanceof Boolean
          || value instanceof Number n && isLearnable(n.doubleValue());
    }
    return value == null || value instanceof String text && isCategory(text, column);
  }

  /** Whether the field of a file fits a column. */
  private static boolean fits(String text, Column column) {
    String field = text == null ? "" : text.strip();
    if (Missing.isMissing(field)) {
      return true;
    }
    return column.kind() == ColumnKind.NUMBER
        ? isLearnable(Decimal.parse(field))
        : isCategory(field, column);
  }

  private static boolean isCategory(String text, Column column) {
    return column.kind() == ColumnKind.CATEGORIES && column.categories().contains(text);
  }
}
