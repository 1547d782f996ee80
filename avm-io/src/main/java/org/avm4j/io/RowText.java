package org.avm4j.io;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.avm4j.Features;
import org.avm4j.data.Column;
import org.avm4j.data.Decimal;
import org.avm4j.data.Schema;

/**
 * Turns features back into one text for each column: the number, or the category whose feature is
 * 1. Without names the columns are the features, called x1, x2, …
 */
final class RowText {
  private final Schema schema;
  private final List<String> names = new ArrayList<>();
  private final Map<Column, Integer> places = new IdentityHashMap<>();
  private final String[] blank;
  private final String[] cells;

  RowText(DataWriter.Layout layout) {
    schema = layout.schema();
    for (Column column : schema.columns()) {
      places.put(column, names.size());
      names.add(column.name());
    }
    for (int i = 0; places.isEmpty() && i < layout.dimension(); i++) {
      names.add(schema.featureName(i));
    }
    blank = new String[names.size()];
    Arrays.setAll(blank, i -> isCategorical(i) ? null : "0");
    cells = new String[names.size()];
  }

  /** The names of the columns. */
  List<String> names() {
    return names;
  }

  /** A name for the label that differs from all columns. */
  String labelName() {
    String name = "label";
    while (names.contains(name)) {
      name += "_";
    }
    return name;
  }

  /** One text for each column; null for a column whose category is missing. Reuses the array. */
  String[] of(Features row) throws IOException {
    System.arraycopy(blank, 0, cells, 0, blank.length);
    for (int i = 0; i < row.count(); i++) {
      set(row.index(i), row.value(i));
    }
    return cells;
  }

  private boolean isCategorical(int column) {
    Column known = schema.column(names.get(column));
    return known != null && !known.isNumeric();
  }

  private void set(int feature, double value) throws IOException {
    int place = place(feature);
    String category = places.isEmpty() ? null : schema.categoryOf(feature);
    if (category != null && (value != 1 || cells[place] != null)) {
      throw new IOException(
          "column '" + names.get(place) + "' must have one category, found another: " + category);
    }
    cells[place] = category == null ? Decimal.text(value) : category;
  }

  private int place(int feature) throws IOException {
    Integer place = null;
    if (places.isEmpty()) {
      place = feature < cells.length ? feature : null;
    } else if (feature < schema.dimension()) {
      place = places.get(schema.columnOf(feature));
    }
    if (place == null) {
      throw new IOException(
          "column '" + schema.featureName(feature) + "' appeared after the header was written");
    }
    return place;
  }
}
