package org.avm4j.flink.table;

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
abstract class TableRows<T> extends ProcessFunction<Row, T> {
  private static final long serialVersionUID = 1;
  private static final String ONE_KEY = "all";

  final TableColumns columns;

  private TableRows(TableColumns columns) {
    this.columns = columns;
  }

  /** Converts rows to learn; all columns but the special ones are features. */
  static TableRows<AvmRow> rows(TableColumns columns) {
    return new TableRows<>(columns) {
      private static final long serialVersionUID = 1;

      @Override
      AvmRow of(Map<String, Object> fields) {
        Object key = key(fields);
        Object id = columns.id() == null ? null : fields.remove(columns.id());
        Object label = fields.remove(columns.label());
        return AvmRow.of(String.valueOf(key), fields, label).withId(id);
      }
    };
  }

  /** Converts labels that follow their rows. */
  static TableRows<LateLabel> labels(TableColumns columns) {
    return new TableRows<>(columns) {
      private static final long serialVersionUID = 1;

      @Override
      LateLabel of(Map<String, Object> fields) {
        Object label = fields.get(columns.label());
        Object id = fields.get(columns.id());
        if (label == null || id == null) {
          throw new IllegalArgumentException("a late label must have a label and the id of a row");
        }
        return LateLabel.of(String.valueOf(key(fields)), id, label, 1);
      }
    };
  }

  abstract T of(Map<String, Object> fields);

  Object key(Map<String, Object> fields) {
    return columns.key() == null ? ONE_KEY : fields.remove(columns.key());
  }

  @Override
  public void processElement(Row row, Context context, Collector<T> out) {
    Map<String, Object> fields = new LinkedHashMap<>();
    for (String name : row.getFieldNames(true)) {
      fields.put(name, TableValues.of(row.getField(name)));
    }
    fields.remove(columns.time());
    try {
      out.collect(of(fields));
    } catch (IllegalArgumentException refused) {
      DeadLetter letter =
          new DeadLetter(row.toString(), DeadLetter.MALFORMED, refused.getMessage());
      context.output(AvmStreams.DEAD_LETTERS, letter);
    }
  }
}
