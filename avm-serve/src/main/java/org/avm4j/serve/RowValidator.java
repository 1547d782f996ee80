package org.avm4j.serve;

import java.util.List;
import java.util.Map;
import org.avm4j.OnlineLearner;
import org.avm4j.Prediction;
import org.avm4j.data.Column;
import org.avm4j.data.Row;
import org.avm4j.table.RefusedRowException;
import org.avm4j.table.RefusedRowException.Reason;

/**
 * Checks the rows of a request against a published state of the model before they are stored. A
 * request is accepted or refused as a whole. Refusals are counted since the start of the service,
 * once per request, by the reason of its first bad row.
 */
final class RowValidator {
  private static final int MAX_TYPOS = 2;

  private final Refusals refusals = new Refusals();

  Refusals.Counted refused() {
    return refusals.counted();
  }

  /**
   * Checks rows that are to be learned.
   *
   * @return true if all of them will certainly be learned; false if the learner may still refuse
   *     some
   */
  boolean check(Published now, List<ServedRow> rows) {
    try {
      return now.check().check(rows.stream().map(ServedRow::row).toList());
    } catch (RefusedRowException refused) {
      throw problem(refused, now, rows.get(refused.row()).row(), refused.row() + 1);
    }
  }

  /** Checks labels for rows that were answered earlier. */
  void checkLabels(Published now, List<RowStore.Labelled> labels) {
    for (int i = 0; i < labels.size(); i++) {
      try {
        checkWeight(labels.get(i).weight());
        now.check().checkLabel(labels.get(i).label());
      } catch (RefusedRowException refused) {
        throw problem(refused, now, null, i + 1);
      }
    }
  }

  private static void checkWeight(double weight) {
    try {
      OnlineLearner.checkWeight(weight);
    } catch (IllegalArgumentException refused) {
      throw new RefusedRowException(Reason.WEIGHT, refused.getMessage());
    }
  }

  /** Checks a row that is to wait for its label. */
  void checkValues(Published now, Row row, int number) {
    try {
      now.check().checkValues(row);
    } catch (RefusedRowException refused) {
      throw problem(refused, now, row, number);
    }
  }

  /**
   * The answer to a row; throws a {@link Problem} that says why there is none.
   *
   * @param number the row's number in its request, counted from 1
   */
  Prediction answer(Published now, Row row, int number) {
    if (!now.check().hasLearned()) {
      throw Problem.refused("the model has learned nothing yet").atRow(number);
    }
    try {
      return now.answer(now.check().features(row));
    } catch (RefusedRowException refused) {
      throw problem(refused, now, row, number);
    } catch (IllegalArgumentException refused) {
      throw Problem.refused(refused.getMessage()).atRow(number);
    }
  }

  private Problem problem(RefusedRowException refused, Published now, Row row, int number) {
    String column = column(row, refused.getMessage());
    boolean isUnknown = column != null && refused.reason() == Reason.COLUMNS;
    String near = isUnknown ? nearest(column, now.schema().columns()) : null;
    String hint = near == null ? "" : "; did you mean '" + near + "'?";
    Refusal refusal = new Refusal(0, refused.reason().word(), refused.getMessage() + hint);
    refusals.add(refusal);
    Problem problem =
        Problem.refused(refusal.detail()).atRow(number).with("reason", refusal.reason());
    return column == null ? problem : problem.with("column", column);
  }

  /** The column of a row that a message names; null if it names none. */
  private static String column(Row row, String sentence) {
    Map<String, ?> columns = row == null ? Map.of() : row.values().columns();
    return columns.keySet().stream()
        .filter(name -> sentence.contains("column '" + name + "' "))
        .findFirst()
        .map(name -> JsonValues.shortened(name, name.length()))
        .orElse(null);
  }

  /** The column with the most similar name; null if none is similar. */
  private static String nearest(String name, List<Column> columns) {
    String nearest = null;
    int fewest = Math.min(MAX_TYPOS, name.length() - 1) + 1;
    for (Column column : columns) {
      int typos = typos(name, column.name());
      if (typos < fewest) {
        fewest = typos;
        nearest = column.name();
      }
    }
    return nearest;
  }

  /** The Levenshtein distance of two names. */
  private static int typos(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
