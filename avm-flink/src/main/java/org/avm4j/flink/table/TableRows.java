package org.avm4j.flink.table;

import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.types.Row;
import org.apache.flink.util.Collector;
import org.avm4j.flink.AvmRow;
import org.avm4j.flink.AvmStreams;
import org.avm4j.flink.DeadLetter;
import org.avm4j.flink.LateLabel;

/**
 * Converts the rows of a table into rows or labels to learn, with dates and times as ISO texts;
 * invalid ones become dead letters.
 */
final class TableRows<T> extends ProcessFunction<Row, T> {
  private static final long serialVersionUID = 1;
  private static final String ONE_KEY = "all";

  private final TableColumns columns;
  private final Converter<T> converter;

  /** Converts the fields of a table row by their names. */
  private interface Converter<T> extends Serializable {
    T of(Map<String, Object> fields, TableColumns columns);
  }

  private TableRows(TableColumns columns, Converter<T> converter) {
    this.columns = columns;
    this.converter = converter;
  }

  /** Converts rows to learn; all columns but the special ones are features. */
  static TableRows<AvmRow> rows(TableColumns columns) {
    return new TableRows<>(columns, TableRows::row);
  }

  private static AvmRow row(Map<String, Object> fields, TableColumns columns) {
    String key = key(fields, columns);
    Object id = columns.id() == null ? null : fields.remove(columns.id());
    Object label = fields.remove(columns.label());
    return AvmRow.of(key, fields, label).withId(id);
  }

  /** Converts labels that follow their rows. */
  static TableRows<LateLabel> labels(TableColumns columns) {
    return new TableRows<>(columns, TableRows::label);
  }

  private static LateLabel label(Map<String, Object> fields, TableColumns columns) {
    Object label = fields.get(columns.label());
    Object id = fields.get(columns.id());
    if (label == null || id == null) {
      throw new IllegalArgumentException("a late label must have a label and the id of a row");
    }
    return LateLabel.of(key(fields, columns), id, label, 1);
  }

  private static String key(Map<String, Object> fields, TableColumns columns) {
    return columns.key() == null ? ONE_KEY : String.valueOf(fields.remove(columns.key()));
  }

  @Override
  public void processElement(Row row, Context context, Collector<T> out) {
    Map<String, Object> fields = new LinkedHashMap<>();
    for (String name : row.getFieldNames(true)) {
      fields.put(name, TableValues.of(row.getField(name)));
    }
    fields.remove(columns.time());
    try {
      out.collect(converter.of(fields, columns));
    } catch (IllegalArgumentException refused) {
      DeadLetter letter =
          new DeadLetter(row.toString(), DeadLetter.MALFORMED, refused.getMessage());
      context.output(AvmStreams.DEAD_LETTERS, letter);
    }
  }
}
