package org.avm4j.data;

import java.util.Arrays;
import java.util.Map;
import org.avm4j.Features;

/**
 * Builds rows value by value: a {@link Schema} gives every value its feature, and missing values
 * are treated as a {@link Missing} says. This is what readers of files use; {@link RowEncoder} is
 * the simple form for whole rows.
 *
 * <pre>{@code
 * RowBuilder row = new RowBuilder(schema, Missing.MEAN);
 * row.begin();
 * row.set("age", "42");
 * row.set("colour", "red");
 * row.missing("size");
 * boolean isComplete = row.end(buffer);
 * }</pre>
 *
 * <p>A column that is not set is 0. A new name is added to the schema, or left out if the schema is
 * frozen. A value that does not fit throws an {@link IllegalArgumentException}; the schema keeps
 * what it learned from the row before. A builder is reused for many rows, by one thread.
 */
public final class RowBuilder {
  private final Schema schema;
  private final Missing missing;
  private final Entries entries = new Entries();
  private final Values values = new Values();
  private long row = 1;
  private long[] setIn = {};
  private boolean isIncomplete;

  /** Rows by this schema, which learns from them unless it is frozen. */
  public RowBuilder(Schema schema, Missing missing) {
    this.schema = schema;
    this.missing = missing;
  }

  /** Starts a row. */
  public void begin() {
    row++;
    entries.clear();
    isIncomplete = false;
  }

  /**
   * Sets the value of a column from text that may be a number, as in CSV: a new column is numeric
   * if its first value {@linkplain Decimal#isNumber looks like a number}.
   *
   * @return the column, null if it is unknown
   */
  public Column set(String name, String text) {
    Column column = schema.column(name);
    if (column == null && !schema.isFrozen()) {
      column = schema.column(name, Decimal.isNumber(text));
    }
    if (column != null) {
      set(column, text);
    }
    return column;
  }

  /** Sets the value of a column of the schema. */
  public void set(Column column, String text) {
    put(column, text);
  }

  /** Sets the value of a column to a text or a number. */
  void put(Column column, Object value) {
    checkFirst(column);
    column.set(value, values);
  }

  /** Notes that the value of a column is missing; this does not decide the kind of a new column. */
  public void missing(String name) {
    Column column = schema.column(name);
    if (column != null) {
      missing(column);
    } else if (!schema.isFrozen()) {
      checkMissing(name);
    }
  }

  /** Notes that the value of a column is missing. */
  public void missing(Column column) {
    checkFirst(column);
    checkMissing(column.name());
    replace(column);
  }

  private void replace(Column column) {
    column.setMissing(missing == Missing.MEAN && !schema.origin().fillsZero(), values);
  }

  /** The number of a label; NaN if it is null, which means a missing label. */
  public double label(String text) {
    isIncomplete |= text == null && missing == Missing.SKIP;
    return text == null ? missingLabel(missing) : schema.label(text);
  }

  /** The label to use if there is none. */
  static double missingLabel(Missing missing) {
    if (missing == Missing.ERROR) {
      throw new IllegalArgumentException("the label is missing");
    }
    return Double.NaN;
  }

  /**
   * Ends the row and writes it to a buffer.
   *
   * @return whether it is complete; if not, it must be left out, and the buffer is empty
   */
  public boolean end(Features.Buffer into) {
    into.clear();
    if (!isIncomplete) {
      entries.sortInto(into);
    }
    return !isIncomplete;
  }

  private void checkMissing(String name) {
    if (missing == Missing.ERROR) {
      throw new IllegalArgumentException("column '" + name + "' has no value");
    }
    isIncomplete |= missing == Missing.SKIP;
  }

  private void checkFirst(Column column) {
    if (column.place >= setIn.length) {
      setIn = Arrays.copyOf(setIn, Math.max(schema.columns().size(), 2 * setIn.length));
    }
    if (setIn[column.place] == row) {
      throw new IllegalArgumentException(
          "a column must appear once in a row, found again '" + column.name() + "'");
    }
    setIn[column.place] = row;
  }

  /** Collects the values of a row and lets the schema learn from them. */
  private final class Values implements Column.Sink {
    @Override
    public void add(NumericColumn column, double value) {
      schema.observe(column, value);
      entries.add(column.index(), value);
    }

    @Override
    public void replace(NumericColumn column, double value) {
      entries.add(column.index(), value);
    }

    @Override
    public void replace(int feature, double value) {
      entries.add(feature, value);
    }

    @Override
    public void add(CategoricalColumn column, String category) {
      add(column, category, 1);
    }

    @Override
    public void add(CategoricalColumn column, Map<String, Double> values) {
      values.forEach((category, value) -> add(column, category, value));
    }

    @Override
    public void addDate(CategoricalColumn column, Map<String, Double> parts) {
      schema.observe(column, parts.get(DateParts.YEAR));
      add(column, parts);
    }

    @Override
    public void addUnreadable(CategoricalColumn column, String text) {
      if (missing == Missing.ERROR) {
        throw column.unreadable(text);
      }
      isIncomplete |= missing == Missing.SKIP;
      RowBuilder.this.replace(column);
    }

    private void add(CategoricalColumn column, String category, double value) {
      int index = schema.index(column, category);
      if (index != Schema.NONE) {
        entries.add(index, value);
      }
    }
  }
}
