package org.avm4j.io;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.avm4j.data.BadDataException;
import org.avm4j.data.Column;
import org.avm4j.data.ColumnKind;
import org.avm4j.data.Missing;
import org.avm4j.data.Schema;

/** The base of the readers of CSV and ARFF, whose rows have one field for each column. */
abstract sealed class TableReader extends RowReader permits CsvReader, ArffReader {
  /** Number of texts among numbers or dates that count as missing even if the others are fewer. */
  private static final long MOST_TEXTS = 20;

  private Header table;
  private Column[] columns;
  private boolean[] isIgnored;
  private boolean[] hasUnseen;
  private long[] numbers;
  private long[] texts;
  private final Set<String> told = new HashSet<>();
  private List<Column> absent;

  TableReader(Lines lines, ReadOptions options, Schema schema) {
    super(lines, options, schema);
  }

  /** Reads the fields of the next row, null where a value is missing; null at the end. */
  abstract String[] readFields() throws IOException;

  /** The columns; null if the file is empty. */
  final Header header() {
    return table;
  }

  /** Sets the columns of all rows. The first value of a new column determines its kind. */
  final void use(Header table) throws BadDataException {
    this.table = table;
    schema.describe(table.origin(schema.origin()));
    Set<String> ignored = allowed(() -> table.ignored(options, schema));
    ignored.forEach(name -> schema.describe(schema.origin().without(name)));
    this.columns = new Column[table.names().size()];
    this.isIgnored = new boolean[columns.length];
    this.hasUnseen = new boolean[columns.length];
    this.numbers = new long[columns.length];
    this.texts = new long[columns.length];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = schema.column(table.names().get(i));
      isIgnored[i] = ignored.contains(table.names().get(i));
    }
    this.absent = allowed(this::findAbsent);
    checkAbsent();
  }

  /** The columns that the table lacks; if it lacks all, its first record may be no header. */
  private List<Column> findAbsent() {
    try {
      return schema.absent(table.features());
    } catch (IllegalArgumentException none) {
      boolean mayBeRow =
          table.isNamed()
              && options.header() == null
              && !schema.columns().isEmpty()
              && !hasNameInOtherCase();
      throw new IllegalArgumentException(
          none.getMessage()
              + (mayBeRow
                  ? "; if the file has no header, --no-header takes its columns in their order"
                  : ""),
          none);
    }
  }

  private boolean hasNameInOtherCase() {
    return schema.columns().stream()
        .anyMatch(column -> table.features().stream().anyMatch(column.name()::equalsIgnoreCase));
  }

  private void checkAbsent() throws BadDataException {
    if (options.table().knownLabelsOnly() && options.labelled() && table.label() == Header.NONE) {
      throw bad("expected the label in column '" + schema.origin().label() + "'");
    }
    if (absent.isEmpty()) {
      return;
    }
    if (options.missing() == Missing.ERROR || options.missing() == Missing.SKIP) {
      throw bad("column '" + absent.get(0).name() + "' of the model is absent");
    }
    if (schema.isFrozen() && !options.table().allowsAbsent()) {
      String names =
          absent.stream().limit(10).map(Column::name).collect(Collectors.joining("', '"));
      String more = absent.size() > 10 ? " and " + (absent.size() - 10) + " more" : "";
      throw bad(
          "expected the model's column"
              + (absent.size() == 1 ? " '" : "s '")
              + names
              + "'"
              + more
              + ", or --fill-columns");
    }
  }

  @Override
  final boolean readRow() throws IOException {
    String[] fields = readFields();
    if (fields == null) {
      return false;
    }
    if (fields.length != columns.length) {
      throw bad("expected " + columns.length + " fields, found " + fields.length);
    }
    set(() -> allowed(() -> setFields(fields)));
    return true;
  }

  @Override
  public final void undo() {
    super.undo();
    for (int i = 0; columns != null && !schema.isFrozen() && i < columns.length; i++) {
      columns[i] = schema.column(table.names().get(i));
    }
  }

  private void setFields(String[] fields) {
    for (int i = 0; i < columns.length; i++) {
      if (i == table.label()) {
        setLabel(fields[i]);
      } else if (i == table.weight()) {
        setWeight(fields[i]);
      } else if (!isIgnored[i]) {
        setField(i, fields[i]);
      }
    }
    absent.forEach(row::missing);
  }

  private void setField(int i, String text) {
    Column column = columns[i];
    if (column == null) {
      setNew(i, text);
    } else if (text == null || isOutOfPlace(i, text)) {
      row.missing(column);
    } else {
      noteUnseen(i, text);
      row.set(column, text);
    }
  }

  /** Adds a note, once for each column, on a category that the model has not learned. */
  private void noteUnseen(int i, String text) {
    boolean isUnseen =
        isApplied()
            && !hasUnseen[i]
            && columns[i].kind() == ColumnKind.CATEGORIES
            && !columns[i].categories().contains(text);
    if (isUnseen) {
      hasUnseen[i] = true;
      note(
          "column '"
              + columns[i].name()
              + "' has texts that the model has not learned, the first on line "
              + line()
              + ": "
              + BadDataException.quote(text));
    }
  }

  /** Marks a column of numbers or dates as one whose other texts need no note. */
  final void hasTold(String column) {
    told.add(column);
  }

  /** Whether a model is applied to the table, and does not learn from it. */
  private boolean isApplied() {
    return schema.isFrozen() && options.table().lookAhead() == 0;
  }

  /**
   * Whether a text in a column of numbers or dates counts as missing. This holds for columns whose
   * kind was decided before, unless after some rows there are more such texts than numbers or
   * dates; the usual marks of a missing value do not count.
   */
  private boolean isOutOfPlace(int i, String text) {
    boolean isSettled = schema.isFrozen() || options.table().lookAhead() > 0;
    boolean isRefused = options.missing() == Missing.ERROR;
    Column column = columns[i];
    boolean isDate = column.kind().isDate();
    if (!isSettled || isRefused || !column.isNumeric() && !isDate) {
      return false;
    }
    if (column.accepts(text)) {
      numbers[i]++;
      return false;
    }
    if (told.add(column.name())) {
      note(
          "column '"
              + column.name()
              + "' holds "
              + (isDate ? "dates, so that other texts" : "numbers, so that texts in it")
              + " count as missing, the first on line "
              + line()
              + ": "
              + BadDataException.quote(text));
    }
    texts[i] += Missing.isMark(text) ? 0 : 1;
    boolean isMissing = texts[i] <= Math.max(numbers[i], MOST_TEXTS);
    if (!isMissing && isDate && isApplied()) {
      throw new IllegalArgumentException(
          "column '" + column.name() + "' holds dates, found " + BadDataException.quote(text));
    }
    return isMissing;
  }

  private void setNew(int i, String text) {
    if (schema.isFrozen()) {
      return;
    }
    String name = table.names().get(i);
    if (text == null) {
      row.missing(name);
    } else {
      columns[i] = row.set(name, text);
    }
  }
}
