package org.avm4j.data;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.avm4j.Features;

/** The columns, features and labels of a {@link Schema}, which its frozen view shares. */
final class SchemaNames {
  static final int MAX_LABELS = 1 << 16;

  /** The most names of columns in a message. */
  private static final int LISTED = 10;

  final List<Column> columns = new ArrayList<>();
  final Map<String, Column> columnOf = new HashMap<>();
  final List<Feature> features = new ArrayList<>();
  final List<String> labels = new ArrayList<>();
  final Map<String, Integer> labelOf = new HashMap<>();
  boolean numberLabels;
  TableOrigin origin = TableOrigin.UNKNOWN;
  long changes;
  final SchemaUndo undo = new SchemaUndo(this);

  /** A feature: a numeric column (then the category is null), or one category of a column. */
  record Feature(Column column, String category) {
    String name() {
      return column.featureName(category);
    }

    /** Removes the category from its column. */
    void forget() {
      if (category != null) {
        column.indices().remove(category);
      }
    }
  }

  <C extends Column> C add(C column) {
    columns.add(column);
    columnOf.put(column.name(), column);
    changes++;
    return column;
  }

  /** Appends a feature and returns its index. */
  int addFeature(Column column, String category) {
    if (features.size() == Features.MAX_DIMENSION) {
      throw new IllegalArgumentException(
          "a schema holds at most " + Features.MAX_DIMENSION + " features");
    }
    features.add(new Feature(column, category));
    changes++;
    return features.size() - 1;
  }

  double label(String text, boolean isFrozen) {
    double number = origin.labelKind().number(text);
    return labels.isEmpty() && Double.isFinite(number)
        ? numberLabel(number, isFrozen)
        : textLabel(text, isFrozen);
  }

  double label(Number number, boolean isFrozen) {
    double value = Decimal.value(number);
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException(
          "the label must be a finite number or a text, found '" + number + "'");
    }
    return labels.isEmpty()
        ? numberLabel(value, isFrozen)
        : textLabel(Decimal.text(number), isFrozen);
  }

  double textLabel(String text, boolean isFrozen) {
    Integer known = labelOf.get(text);
    if (known != null) {
      return known;
    }
    if (isFrozen) {
      return labels.isEmpty() ? Double.NaN : labels.size();
    }
    UnicodeText.check("a label", text);
    if (numberLabels) {
      throw new IllegalArgumentException("labels have been numbers so far, found '" + text + "'");
    }
    if (labels.size() == MAX_LABELS) {
      throw new IllegalArgumentException("more than " + MAX_LABELS + " different text labels");
    }
    return addLabel(text);
  }

  private double numberLabel(double number, boolean isFrozen) {
    if (!isFrozen && !numberLabels) {
      numberLabels = true;
      changes++;
    }
    return number;
  }

  boolean knowsLabel(String text) {
    return labels.isEmpty()
        ? Double.isFinite(origin.labelKind().number(text))
        : labelOf.containsKey(text);
  }

  String labelText(double label) {
    boolean isText = label >= 0 && label < labels.size() && label == Math.rint(label);
    return isText ? labels.get((int) label) : Decimal.text(label);
  }

  int addLabel(String text) {
    int label = labels.size();
    labels.add(text);
    labelOf.put(text, label);
    changes++;
    return label;
  }

  /** Sets the origin of the rows. */
  void use(TableOrigin other) {
    changes += other.equals(origin) ? 0 : 1;
    origin = other;
  }

  SchemaNames copy() {
    SchemaNames copy = new SchemaNames();
    Map<Column, Column> copies = new IdentityHashMap<>();
    columns.forEach(column -> copies.put(column, copy.add(column.copy())));
    features.forEach(
        feature -> copy.features.add(new Feature(copies.get(feature.column), feature.category)));
    copy.labels.addAll(labels);
    copy.labelOf.putAll(labelOf);
    copy.numberLabels = numberLabels;
    copy.origin = origin;
    copy.changes = changes;
    return copy;
  }

  /** The columns that are not among these names; throws an exception if none of them is. */
  List<Column> absent(Set<String> present) {
    List<Column> absent = new ArrayList<>();
    for (Column column : columns) {
      if (!present.contains(column.name())) {
        absent.add(column);
      }
    }
    if (!absent.isEmpty() && absent.size() == columns.size()) {
      throw new IllegalArgumentException(
          "none of the model's columns is here: " + listed() + otherCase(present));
    }
    return absent;
  }

  /** A hint if a name differs from a column only by case. */
  private String otherCase(Set<String> present) {
    for (Column column : columns) {
      for (String name : present) {
        if (column.name().equalsIgnoreCase(name)) {
          return "; '" + name + "' differs from '" + column.name() + "' only by case";
        }
      }
    }
    return "";
  }

  private String listed() {
    String first =
        columns.stream()
            .limit(LISTED)
            .map(column -> "'" + column.name() + "'")
            .collect(Collectors.joining(", "));
    return columns.size() > LISTED ? first + ", ..." : first;
  }
}
