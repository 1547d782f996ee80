package org.avm4j.io;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.avm4j.data.Decimal;
import org.avm4j.data.Schema;

/**
 * The columns of a table in the order of the file. Names that cannot be used are refused with an
 * {@link IllegalArgumentException} in one sentence.
 *
 * @param names one name for each column
 * @param label the place of the label, counted from 0, or {@link #NO_LABEL}
 */
record Header(List<String> names, int label) {
  static final int NO_LABEL = -1;

  private static final List<String> LABEL_NAMES = List.of("label", "class", "target", "y");

  /** The table with these names. */
  static Header named(List<String> names, ReadOptions options, Schema schema) {
    Set<String> seen = new HashSet<>();
    for (String name : names) {
      check(seen.add(name), "a column name must appear once, found again '" + name + "'");
    }
    return new Header(names, options.labelled() ? label(names, options, schema) : NO_LABEL);
  }

  /** A table without names: its features are x1, x2, … whatever the place of the label. */
  static Header nameless(int columns, ReadOptions options) {
    int label = options.labelled() ? place(options.label(), columns) : NO_LABEL;
    List<String> names = new ArrayList<>();
    for (int i = 0; i < columns; i++) {
      int feature = label >= 0 && i > label ? i : i + 1;
      names.add(i == label ? "label" : "x" + feature);
    }
    return new Header(names, label);
  }

  /** The names of all columns but the label. */
  Set<String> features() {
    Set<String> features = new HashSet<>(names);
    if (label != NO_LABEL) {
      features.remove(names.get(label));
    }
    return features;
  }

  private static int label(List<String> names, ReadOptions options, Schema schema) {
    if (options.label() != null) {
      int named = names.indexOf(options.label());
      return named >= 0 ? named : place(options.label(), names.size());
    }
    for (String wanted : LABEL_NAMES) {
      for (int i = 0; i < names.size(); i++) {
        if (names.get(i).equalsIgnoreCase(wanted) && schema.column(names.get(i)) == null) {
          return i;
        }
      }
    }
    String last = names.get(names.size() - 1);
    check(schema.column(last) == null, "no label here: column '" + last + "' is a feature");
    return names.size() - 1;
  }

  /** A place from 1, or from the end as -1, -2, …; the last if none is given. */
  private static int place(String wanted, int columns) {
    double place = wanted == null ? -1 : Decimal.parse(wanted);
    check(
        place == Math.rint(place) && place != 0 && Math.abs(place) <= columns,
        "no column '" + wanted + "' for the label among " + columns + " columns");
    return (int) (place > 0 ? place - 1 : columns + place);
  }

  private static void check(boolean holds, String sentence) {
    if (!holds) {
      throw new IllegalArgumentException(sentence);
    }
  }
}
