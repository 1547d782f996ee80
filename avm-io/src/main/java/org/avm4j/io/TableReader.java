package org.avm4j.io;

import java.io.IOException;
import java.util.List;
import org.avm4j.data.BadDataException;
import org.avm4j.data.Column;
import org.avm4j.data.Missing;
import org.avm4j.data.Schema;

/** What CSV and ARFF share: every row has one field for each column of the file. */
abstract sealed class TableReader extends RowReader permits CsvReader, ArffReader {
  private Header table;
  private Column[] columns;
  private List<Column> absent;

  TableReader(String name, Lines lines, ReadOptions options, Schema schema) {
    super(name, lines, options, schema);
  }

  /** Reads the fields of the next row, null where a value is missing; null at the end. */
  abstract String[] readFields() throws IOException;

  /** Rows have the columns of this table. A new column shows its kind by its first value. */
  final void use(Header table) throws BadDataException {
    this.table = table;
    this.absent = allowed(() -> schema.absent(table.features()));
    this.columns = new Column[table.names().size()];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = schema.column(table.names().get(i));
    }
    if (!absent.isEmpty()
        && (options.missing() == Missing.ERROR || options.missing() == Missing.SKIP)) {
      throw bad("column '" + absent.get(0).name() + "' of the model is absent");
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
    allowed(() -> setFields(fields));
    return true;
  }

  private void setFields(String[] fields) {
    for (int i = 0; i < columns.length; i++) {
      if (i == table.label()) {
        setLabel(fields[i]);
      } else {
        setField(i, fields[i]);
      }
    }
    absent.forEach(row::missing);
  }

  private void setField(int i, String text) {
    Column column = columns[i];
    if (column == null) {
      setNew(i, text);
    } else if (text == null) {
      row.missing(column);
    } else {
      row.set(column, text);
    }
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
