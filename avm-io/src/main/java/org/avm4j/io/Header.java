package org.avm4j.io;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.avm4j.data.Decimal;
import org.avm4j.data.Schema;
import org.avm4j.data.TableOrigin;

/**
 * The columns of a table in the order of the file. Names that cannot be used are refused with an
 * {@link IllegalArgumentException} in one sentence.
 *
 * @param names one name for each column
 * @param label the place of the label, counted from 0, or {@link #NONE}
 * @param weight the place of the weight, counted from 0, or {@link #NONE}
 * @param blank the names that the file leaves out
 * @param isNamed whether the file has names at all
 */
record Header(List<String> names, int label, int weight, Set<String> blank, boolean isNamed) {
  static final int NONE = -1;

  private static final List<String> LABEL_NAMES = List.of("label", "class", "target", "y");

  /** Rows without labels often have coordinates x and y. */
  private static final List<String> PLAIN_LABEL_NAMES = LABEL_NAMES.subList(0, 3);

  /** A table with these names; an empty one means a column without a name. */
  static Header named(List<String> given, ReadOptions options, Schema schema) {
    List<String> names = new ArrayList<>();
    Set<String> blank = new HashSet<>();
    Set<String> seen = new HashSet<>();
    for (String name : given) {
      names.add(name.isEmpty() ? "x" + (names.size() + 1) : name);
      check(seen.add(last(names)), "a column name must appear once, found again '" + name + "'");
      if (name.isEmpty()) {
        blank.add(last(names));
      }
    }
    int label = options.labelled() ? label(names, options, schema) : NONE;
    return new Header(names, label, weight(names, label, options, schema), blank, true);
  }

  /** A table without names: its features are x1, x2, …, wherever the label is. */
  static Header nameless(int columns, ReadOptions options, Schema schema) {
    int label = options.labelled() ? namelessLabel(columns, options, schema) : NONE;
    int place = options.labelled() ? label : knownPlace(columns, schema);
    List<String> names = new ArrayList<>();
    for (int i = 0; i < columns; i++) {
      int feature = place >= 0 && i > place ? i : i + 1;
      names.add(i == place ? "label" : "x" + feature);
    }
    return new Header(names, label, weight(names, label, options, schema), Set.of(), false);
  }

  private static String last(List<String> names) {
    return names.get(names.size() - 1);
  }

  /** Whether the file leaves out the name of this column. */
  boolean isBlank(String name) {
    return blank.contains(name);
  }

  /** The names of all columns but the label. */
  Set<String> features() {
    Set<String> features = new HashSet<>(names);
    if (label != NONE) {
      features.remove(names.get(label));
    }
    return features;
  }

  /** The origin of this table, for later files of the same form. */
  TableOrigin origin(TableOrigin known) {
    return label == NONE ? known : known.of(names.get(label), label, names.size(), isNamed);
  }

  private static int label(List<String> names, ReadOptions options, Schema schema) {
    if (options.label() != null) {
      int named = names.indexOf(options.label());
      return named >= 0 ? named : place(options.label(), names);
    }
    if (schema.origin().label() != null) {
      int known = names.indexOf(schema.origin().label());
      check(
          known >= 0 || schema.isFrozen(),
          "no column '" + schema.origin().label() + "' for the label");
      return known >= 0 ? known : commonLabel(names, LABEL_NAMES, schema);
    }
    return unknownLabel(names, options.table().namedLabelOnly(), schema);
  }

  private static int unknownLabel(List<String> names, boolean isNamedOnly, Schema schema) {
    int common = commonLabel(names, isNamedOnly ? PLAIN_LABEL_NAMES : LABEL_NAMES, schema);
    if (common >= 0 || isNamedOnly) {
      return common;
    }
    boolean isFeature = schema.column(last(names)) != null;
    check(
        !isFeature || schema.isFrozen(),
        "no label here: column '" + last(names) + "' is a feature");
    return isFeature ? NONE : names.size() - 1;
  }

  /** The place of a column that has the name of a label and is not a feature. */
  private static int commonLabel(List<String> names, List<String> common, Schema schema) {
    for (String wanted : common) {
      for (int i = 0; i < names.size(); i++) {
        if (names.get(i).equalsIgnoreCase(wanted) && schema.column(names.get(i)) == null) {
          return i;
        }
      }
    }
    return NONE;
  }

  /** The place of the label as it was when the model learned; none if a column is missing. */
  private static int namelessLabel(int columns, ReadOptions options, Schema schema) {
    TableOrigin known = schema.origin();
    boolean isFeature =
        schema.isFrozen() && !known.isKnown() && schema.column("x" + columns) != null;
    boolean hasNone = options.table().namedLabelOnly() || isFeature;
    if (options.label() == null && hasNone) {
      return NONE;
    }
    if (options.label() != null || !known.isKnown() || known.isNamed()) {
      return place(options.label(), columns);
    }
    check(
        columns == known.width() || columns == known.width() - 1,
        "expected "
            + (known.width() - 1)
            + " columns, or "
            + known.width()
            + " with the label, found "
            + columns);
    return columns == known.width() ? known.place() : NONE;
  }

  /** The place of a label that is not read, in a table like the one that is known. */
  private static int knownPlace(int columns, Schema schema) {
    TableOrigin known = schema.origin();
    boolean isAlike = known.isKnown() && !known.isNamed() && columns == known.width();
    return isAlike && schema.isFrozen() ? known.place() : NONE;
  }

  private static int weight(List<String> names, int label, ReadOptions options, Schema schema) {
    String wanted = options.table().weight();
    if (wanted == null || schema.isFrozen() && !names.contains(wanted)) {
      return NONE;
    }
    int named = names.indexOf(wanted);
    int weight = named >= 0 ? named : place(wanted, names.size());
    check(weight != label, "column '" + names.get(weight) + "' is the label, it has no weights");
    return weight;
  }

  private static int place(String wanted, List<String> names) {
    boolean isNumber = !Double.isNaN(Decimal.parse(wanted));
    check(
        isNumber,
        "no column '" + wanted + "' for the label " + ColumnPatterns.among(wanted, names));
    return place(wanted, names.size());
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
