package org.avm4j.io;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.avm4j.data.BadDataException;
import org.avm4j.data.Decimal;
import org.avm4j.data.Schema;
import org.avm4j.data.TableOrigin;

/**
 * The columns of a table in the order of the file. Names that cannot be used cause an {@link
 * IllegalArgumentException}.
 *
 * @param names one name for each column
 * @param label the index of the label, or {@link #NONE}
 * @param weight the index of the weight, or {@link #NONE}
 * @param blank the names that were made up for columns without a name
 * @param renamed notes on columns whose name was taken by another one
 * @param isNamed whether the file has a header
 */
record Header(
    List<String> names,
    int label,
    int weight,
    Set<String> blank,
    List<String> renamed,
    boolean isNamed) {
  static final int NONE = -1;

  private static final int LISTED = 10;

  private static final List<String> LABEL_NAMES = List.of("label", "class", "target", "y");

  /** Without y, which is often a coordinate in rows without labels. */
  private static final List<String> PLAIN_LABEL_NAMES = LABEL_NAMES.subList(0, 3);

  /**
   * The columns of a table with a header. A column with an empty name gets one, and a name that
   * appears again gets a number, as in a, a_2, a_3.
   */
  static Header named(List<String> given, ReadOptions options, Schema schema) {
    List<String> names = new ArrayList<>();
    Set<String> blank = new HashSet<>();
    Map<String, String> again = new LinkedHashMap<>();
    Set<String> taken = new HashSet<>(given);
    Set<String> seen = new HashSet<>();
    for (String name : given) {
      if (name.isEmpty()) {
        String made = "x" + (names.size() + 1);
        names.add(taken.add(made) ? made : free(made, taken));
        blank.add(last(names));
      } else if (!seen.add(name)) {
        names.add(free(name, taken));
        again.put(last(names), name);
      } else {
        names.add(name);
      }
    }
    int label = options.labelled() ? label(names, options, schema) : NONE;
    boolean isUnique = label == NONE || !again.containsValue(names.get(label));
    boolean isKnown = schema.origin().label() != null || isCounted(options);
    check(isUnique || isKnown, () -> ambiguous(names.get(label)));
    return new Header(
        names, label, weight(names, label, options, schema), blank, notes(again), true);
  }

  /** The name with the first number that makes it a new one. */
  private static String free(String name, Set<String> taken) {
    int number = 2;
    while (!taken.add(name + "_" + number)) {
      number++;
    }
    return name + "_" + number;
  }

  /** Whether the user gives the column of the label by its number. */
  private static boolean isCounted(ReadOptions options) {
    return options.label() != null && !Double.isNaN(Decimal.parse(options.label()));
  }

  private static String ambiguous(String label) {
    return "the label must be one column, found several called '"
        + label
        + "'; --label takes the number of a column, too, such as 1, or -1 for the last";
  }

  private static List<String> notes(Map<String, String> again) {
    return again.entrySet().stream()
        .map(
            column ->
                "column '"
                    + column.getKey()
                    + "' is another one called '"
                    + column.getValue()
                    + "' in the header")
        .toList();
  }

  /**
   * The columns of a table without a header: those of the model in their order if it knows them by
   * name; else features are called x1, x2, …
   */
  static Header nameless(int columns, ReadOptions options, Schema schema) {
    boolean isNamedModel = schema.isFrozen() && schema.origin().isKnown();
    if (isNamedModel && schema.origin().isNamed()) {
      return inOrder(columns, options, schema);
    }
    int label = options.labelled() ? namelessLabel(columns, options, schema) : NONE;
    int place = options.labelled() ? label : knownPlace(columns, schema);
    List<String> names = new ArrayList<>();
    for (int i = 0; i < columns; i++) {
      int feature = place >= 0 && i > place ? i : i + 1;
      names.add(i == place ? "label" : "x" + feature);
    }
    return new Header(
        names, label, weight(names, label, options, schema), Set.of(), List.of(), false);
  }

  /** The columns of a model in the order of the table that it has learned from. */
  private static Header inOrder(int columns, ReadOptions options, Schema schema) {
    TableOrigin known = schema.origin();
    List<String> names =
        new ArrayList<>(schema.columns().stream().map(column -> column.name()).toList());
    boolean hasLabel =
        known.label() != null && columns == names.size() + 1 && known.ignored().isEmpty();
    if (hasLabel) {
      names.add(known.place(), known.label());
    }
    check(
        columns == names.size(),
        () ->
            "without a header, expected the "
                + names.size()
                + " columns of the model in their order, "
                + quoted(names)
                + (known.label() == null || !known.ignored().isEmpty()
                    ? ""
                    : ", or these and the label")
                + "; found "
                + columns);
    int label = hasLabel && options.labelled() ? known.place() : NONE;
    return new Header(names, label, NONE, Set.of(), List.of(), true);
  }

  private static String quoted(List<String> names) {
    String first =
        names.stream().limit(LISTED).map(BadDataException::quote).collect(Collectors.joining(", "));
    return names.size() > LISTED ? first + ", ..." : first;
  }

  private static String last(List<String> names) {
    return names.get(names.size() - 1);
  }

  /** Whether the column of this name has no name in the file. */
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

  /** The columns that are not features: those to ignore, and the weight. */
  Set<String> ignored(ReadOptions options, Schema schema) {
    Set<String> ignored = new LinkedHashSet<>(schema.origin().ignored());
    if (!schema.isFrozen()) {
      ignored.addAll(ColumnPatterns.find(options.table().ignore(), names));
    }
    if (weight >= 0) {
      ignored.add(names.get(weight));
    }
    return ignored;
  }

  /** The form of this table, by which later files are read; {@code known} if it has no label. */
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
        "there is no label column: column '" + last(names) + "' is a feature");
    return isFeature ? NONE : names.size() - 1;
  }

  /** The index of a column that has a common label name and is not a feature. */
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

  /** The index of the label in a table without a header; as in training if that is known. */
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

  /** The index of an ignored label in a table that has the form of the training table. */
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
    check(
        weight != label,
        "column '" + names.get(weight) + "' is the label and cannot hold the weights");
    return weight;
  }

  private static int place(String wanted, List<String> names) {
    boolean isNumber = !Double.isNaN(Decimal.parse(wanted));
    check(
        isNumber,
        "no column '" + wanted + "' for the label " + ColumnPatterns.among(wanted, names));
    return place(wanted, names.size());
  }

  /** The index for a number from 1, or from the end as -1, -2, …; null means the last column. */
  private static int place(String wanted, int columns) {
    double place = wanted == null ? -1 : Decimal.parse(wanted);
    check(
        place == Math.rint(place) && place != 0 && Math.abs(place) <= columns,
        "no column '" + wanted + "' for the label among " + columns + " columns");
    return (int) (place > 0 ? place - 1 : columns + place);
  }

  private static void check(boolean holds, String sentence) {
    check(holds, () -> sentence);
  }

  private static void check(boolean holds, Supplier<String> sentence) {
    if (!holds) {
      throw new IllegalArgumentException(sentence.get());
    }
  }
}
