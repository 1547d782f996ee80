package org.avm4j.serve;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.avm4j.OnlineLearner;
import org.avm4j.data.Column;
import org.avm4j.data.Decimal;
import org.avm4j.data.Missing;
import org.avm4j.data.Schema;

/**
 * Refuses rows before they are written, by what the model knew last: a whole request or nothing.
 * The learner has the last word, since rows that are under way may change what it knows.
 */
final class RowCheck {
  private final ModelSpec spec;
  private final Published model;
  private final Map<String, Boolean> newColumns = new HashMap<>();
  private Boolean hasTextLabels;

  RowCheck(ModelSpec spec, Published model) {
    this.spec = spec;
    this.model = model;
    if (!model.schema().labels().isEmpty()) {
      hasTextLabels = true;
    } else if (model.status().instances() > 0) {
      hasTextLabels = false;
    }
  }

  void check(List<Row> rows) {
    for (int i = 0; i < rows.size(); i++) {
      try {
        check(rows.get(i));
      } catch (IllegalArgumentException refused) {
        throw Problem.refused(refused.getMessage()).atRow(i + 1);
      } catch (Problem problem) {
        throw problem.atRow(i + 1);
      }
    }
  }

  private void check(Row row) {
    checkLabel(row.label());
    OnlineLearner.checkWeight(row.weight());
    boolean knowsNames = !schema().columns().isEmpty();
    if (row.values().isNamed() ? model.isIndexed() : knowsNames) {
      throw new IllegalArgumentException(
          knowsNames
              ? "the model knows its columns by name, send JSON or CSV with a header"
              : "the model learned from rows by index, send LIBSVM");
    }
    Learning.checkFeatures(schema(), row.values());
    if (row.values() instanceof Row.Named named) {
      named.values().forEach((name, value) -> checkValue(name, value, value instanceof Number));
    } else if (row.values() instanceof Row.Texts texts) {
      texts.values().forEach(this::checkText);
    }
  }

  private Schema schema() {
    return model.schema();
  }

  /** Refuses a label that the model cannot learn. */
  void checkLabel(Object label) {
    if (label == null) {
      if (!spec.isAnomaly()) {
        throw Problem.refused("a label is expected under \"" + spec.label() + "\"");
      }
      return;
    }
    if (spec.isAnomaly()) {
      return;
    }
    double number = label instanceof Number value ? Decimal.value(value) : parsed(label);
    boolean isText = !Double.isFinite(number);
    if (label instanceof Number && isText) {
      throw Problem.refused("the label must be a finite number or a text: " + label);
    }
    if (hasTextLabels == null) {
      hasTextLabels = isText;
    }
    if (isText && !hasTextLabels) {
      throw Problem.refused("labels have been numbers so far, found '" + label + "'");
    }
    if (!isText && !hasTextLabels) {
      checkTask(number);
    }
  }

  private static double parsed(Object label) {
    return label instanceof Boolean bit ? (bit ? 1 : 0) : Decimal.parse(label.toString());
  }

  private void checkTask(double label) {
    boolean isOpen = model.status().automatic().isPresent();
    if (!isOpen) {
      model.model().task().check(model.model().preparation().labels().transform(label));
    }
  }

  private void checkText(String name, String text) {
    String field = text == null ? "" : text.strip();
    if (Missing.isMissing(field)) {
      checkValue(name, null, false);
    } else {
      checkValue(name, field, Decimal.isNumber(field));
    }
  }

  private void checkValue(String name, Object value, boolean isNumber) {
    Column column = schema().column(name);
    if (column == null && !spec.columns().isEmpty()) {
      throw Problem.refused("there is no column '" + name + "'").with("column", name);
    }
    if (value == null) {
      return;
    }
    boolean isBit = value instanceof Boolean;
    boolean isNumeric =
        column != null
            ? column.isNumeric()
            : newColumns.computeIfAbsent(name, none -> isNumber || isBit);
    if (isBit || isFinite(value)) {
      return;
    }
    if (isNumeric || value instanceof Number) {
      throw Problem.refused(
              "column '" + name + "' holds finite numbers, found '" + shortened(value) + "'")
          .with("column", name);
    }
  }

  private static boolean isFinite(Object value) {
    return Double.isFinite(
        value instanceof Number number ? Decimal.value(number) : Decimal.parse(value.toString()));
  }

  private static String shortened(Object value) {
    String text = value.toString().replaceAll("\\p{Cntrl}", "?");
    return text.length() > 40 ? text.substring(0, 40) + "..." : text;
  }
}
