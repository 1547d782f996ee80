package org.avm4j.io;

import java.io.IOException;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.avm4j.Features;
import org.avm4j.data.BadDataException;
import org.avm4j.data.Decimal;
import org.avm4j.data.Entries;
import org.avm4j.data.InstanceReader;
import org.avm4j.data.Schema;

/**
 * What readers of named columns share: a schema gives every value its feature, missing values are
 * treated as wished, and the entries are sorted into a row.
 */
abstract sealed class RowReader implements InstanceReader permits TableReader, JsonReader {
  private static final Pattern INFINITE = Pattern.compile("(?i)[-+]?inf(inity)?");
  private static final int SHOWN = 40;

  final Schema schema;
  final ReadOptions options;
  final Lines lines;
  private final String name;
  private final Entries entries = new Entries();
  private final Features.Buffer row = new Features.Buffer();
  private double label;
  private long line;
  private boolean incomplete;
  private long skipped;

  RowReader(String name, Lines lines, ReadOptions options, Schema schema) {
    this.name = name;
    this.lines = lines;
    this.options = options;
    this.schema = schema;
  }

  /** Reads the next row into this one; false at the end of the input. */
  abstract boolean readRow() throws IOException;

  @Override
  public final boolean next() throws IOException {
    do {
      clear();
      if (!readRow()) {
        return false;
      }
      skipped += incomplete ? 1 : 0;
    } while (incomplete);
    int twice = entries.sortInto(row);
    if (twice != Entries.ALL_DIFFERENT) {
      throw bad(
          "a column must appear once in a row, found again '" + schema.featureName(twice) + "'");
    }
    return true;
  }

  @Override
  public final Features features() {
    return row.features();
  }

  @Override
  public final double label() {
    return label;
  }

  @Override
  public final long line() {
    return line;
  }

  @Override
  public final void close() throws IOException {
    lines.close();
  }

  /** How many rows were left out because a value was missing. */
  final long skipped() {
    return skipped;
  }

  /** The row starts on this line. */
  final void startsAt(long line) {
    this.line = line;
  }

  /** The column of this name, added if it is new; null if it is new and the schema is frozen. */
  final Schema.Column column(String name, boolean numeric) throws BadDataException {
    Schema.Column known = schema.column(name);
    if (known != null || schema.isFrozen()) {
      return known;
    }
    return allowed(() -> numeric ? schema.addNumeric(name) : schema.addCategorical(name));
  }

  /** Sets the value of a column. */
  final void set(Schema.Column column, String text) throws BadDataException {
    if (column instanceof Schema.Numeric numeric) {
      setNumber(numeric, text);
    } else if (column instanceof Schema.Categorical categorical) {
      setCategory(categorical, text);
    }
  }

  private void setNumber(Schema.Numeric column, String text) throws BadDataException {
    double value = Decimal.parse(text);
    if (!Double.isFinite(value)) {
      throw bad("column '" + column.name() + "' holds finite numbers, found " + shown(text));
    }
    schema.observe(column, value);
    entries.add(column.index(), value);
  }

  private void setCategory(Schema.Categorical column, String text) throws BadDataException {
    int index = allowed(() -> schema.index(column, text));
    if (index != Schema.NONE) {
      entries.add(index, 1);
    }
  }

  /** The value of this column is missing; a column that is null has not shown its kind yet. */
  final void setMissing(String name, Schema.Column column) throws BadDataException {
    switch (options.missing()) {
      case ERROR -> throw bad("column '" + name + "' has no value");
      case SKIP -> incomplete = true;
      case ZERO -> replace(column, 0);
      case MEAN -> replace(column, column instanceof Schema.Numeric numeric ? numeric.mean() : 0);
    }
  }

  private void replace(Schema.Column column, double value) {
    if (column instanceof Schema.Numeric numeric) {
      entries.add(numeric.index(), value);
    }
  }

  /** Sets the label, null if it is missing. */
  final void setLabel(String text) throws BadDataException {
    if (text != null) {
      label = allowed(() -> schema.label(text));
    } else if (options.missing() == Missing.ERROR) {
      throw bad("the label is missing");
    } else {
      incomplete |= options.missing() == Missing.SKIP;
    }
  }

  /** Whether a new column whose first value is this text holds numbers. */
  static boolean looksNumeric(String text) {
    return !Double.isNaN(Decimal.parse(text)) || INFINITE.matcher(text).matches();
  }

  /** The exception that names the file and the line of this row. */
  final BadDataException bad(String expectation) {
    return new BadDataException(name, line, expectation);
  }

  /** A text in quotes, shortened and without control characters. */
  static String shown(String text) {
    String cut = text.length() > SHOWN ? text.substring(0, SHOWN) + "..." : text;
    return "'" + cut.replaceAll("\\p{Cntrl}", "?") + "'";
  }

  /** What a schema refuses is bad data. */
  final <T> T allowed(Supplier<T> step) throws BadDataException {
    try {
      return step.get();
    } catch (IllegalArgumentException e) {
      throw bad(e.getMessage());
    }
  }

  private void clear() {
    entries.clear();
    row.clear();
    label = Double.NaN;
    incomplete = false;
  }
}
