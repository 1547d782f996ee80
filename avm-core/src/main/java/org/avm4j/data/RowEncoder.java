package org.avm4j.data;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.avm4j.Features;

/**
 * Makes features of rows by column name, as the readers of files do.
 *
 * <pre>{@code
 * RowEncoder rows = new RowEncoder(schema, Missing.MEAN);
 * Features x = rows.encode(row);
 * learner.learn(x, rows.label("spam"));
 * String answer = rows.labelText(learner.predict(x));
 * }</pre>
 *
 * <p>A number is a number, true is 1, false is 0, a text is a category, and null is missing. The
 * first value of a new column decides whether it is numeric or categorical. In a numeric column a
 * text must be a finite number; in a categorical one a number counts as its text. A column that is
 * not in the row is missing too; at least one must be present. A row that does not fit throws an
 * {@link IllegalArgumentException}.
 *
 * <p>A {@linkplain Schema#isFrozen frozen} schema leaves out the columns and categories that it
 * does not know. Any other schema learns new columns, categories and means from the rows, and
 * nothing from a row that is refused. New names are numbered in the order of the map: a {@link
 * java.util.LinkedHashMap} gives the same features each time, where the order of {@link Map#of}
 * changes from run to run.
 *
 * <p>The encoder of a {@linkplain Schema#snapshot snapshot} may be shared between threads without a
 * lock. The encoder of any other schema belongs to the thread of that schema.
 */
public final class RowEncoder {
  private final Schema schema;
  private final Missing missing;

  /** Encodes by this schema, which learns from the rows unless it is frozen. */
  public RowEncoder(Schema schema, Missing missing) {
    this.schema = schema;
    this.missing = missing;
  }

  /**
   * The features of a row.
   *
   * @param row the value of each column: a {@link Number}, a {@link CharSequence}, a {@link
   *     Boolean} or null
   * @return the features, immutable; null if a value is missing and such rows are {@linkplain
   *     Missing#SKIP left out}
   */
  public Features encode(Map<String, ?> row) {
    List<Field> fields = new ArrayList<>(row.size());
    row.forEach((name, value) -> fields.add(Field.of(name, value)));
    return encode(row.keySet(), fields);
  }

  /**
   * The features of a row whose values are all texts, treated as the fields of a CSV file: a new
   * column is numeric if its first value is a number, blanks around a value do not count, and an
   * empty text, {@code ?}, {@code NA}, {@code NaN} and {@code null} are missing. In a known column
   * of numbers or dates, {@linkplain Missing#isMark other marks} are missing, too.
   *
   * @return the features, immutable; null if a value is missing and such rows are {@linkplain
   *     Missing#SKIP left out}
   */
  public Features encodeText(Map<String, String> row) {
    List<Field> fields = new ArrayList<>(row.size());
    row.forEach((name, text) -> fields.add(Field.ofText(name, text, schema.column(name))));
    return encode(row.keySet(), fields);
  }

  private Features encode(Set<String> names, List<Field> fields) {
    RowBuilder row = new RowBuilder(schema, missing);
    schema.absent(names).forEach(row::missing);
    fields.forEach(field -> check(field, row));
    fields.forEach(field -> set(field, row));
    Features.Buffer features = new Features.Buffer();
    return row.end(features) ? features.features() : null;
  }

  /**
   * Handles a missing value, and throws an exception for a wrong one before the schema learns from
   * the row.
   */
  private void check(Field field, RowBuilder row) {
    if (field.value == null) {
      row.missing(field.name);
    } else if (!schema.isFrozen()) {
      expected(field).check(field.value, missing == Missing.ERROR);
    }
  }

  /** The column of a field, or one like it if it is still to be added. */
  private Column expected(Field field) {
    Column known = schema.column(field.name);
    if (known != null) {
      return known;
    }
    return field.isNumeric()
        ? new NumericColumn(field.name, Schema.NONE, Schema.NONE)
        : new CategoricalColumn(field.name, Schema.NONE);
  }

  private void set(Field field, RowBuilder row) {
    Column column = schema.column(field.name);
    if (column == null && field.value != null && !schema.isFrozen()) {
      column = schema.column(field.name, field.isNumeric());
    }
    if (column != null && field.value != null) {
      row.put(column, field.value);
    }
  }

  /** The number of a label, which is a number, a text or a boolean; NaN if it is null. */
  public double label(Object label) {
    if (label == null) {
      return RowBuilder.missingLabel(missing);
    }
    Object value = scalar(label);
    if (value == null) {
      throw new IllegalArgumentException("the label must be a number, a text or null");
    }
    return value instanceof Number number ? schema.label(number) : schema.label((String) value);
  }

  /** The text of a label: the original text, or the number. */
  public String labelText(double label) {
    return schema.labelText(label);
  }

  /**
   * A value of a row.
   *
   * @param value a text or a number, null if it is missing
   * @param mayBeNumber whether a text that looks like a number is one
   */
  private record Field(String name, Object value, boolean mayBeNumber) {
    Field {
      if (name == null) {
        throw new IllegalArgumentException("a column must have a name");
      }
    }

    static Field of(String name, Object value) {
      Object scalar = scalar(value);
      if (scalar == null && value != null) {
        throw new IllegalArgumentException(
            "column '" + name + "' must hold a number, a text, true, false or null");
      }
      return new Field(name, scalar, false);
    }

    /** A field of CSV; the column is null if it is new. */
    static Field ofText(String name, String text, Column column) {
      String field = text == null ? "" : text.strip();
      boolean isMark = column != null && Missing.isMark(field) && !column.accepts(field);
      return new Field(name, isMark || Missing.isMissing(field) ? null : field, true);
    }

    boolean isNumeric() {
      return value instanceof Number || mayBeNumber && Decimal.isNumber((String) value);
    }
  }

  /** A value as a text or a number; null if it is neither. */
  private static Object scalar(Object value) {
    if (value instanceof Boolean bit) {
      return bit ? 1 : 0;
    }
    if (value instanceof CharSequence text) {
      return text.toString();
    }
    return value instanceof Number ? value : null;
  }
}
