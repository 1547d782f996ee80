package org.avm4j.flink;

import org.avm4j.data.Row;

/** A row that was refused as text, for people who look at it. */
final class RefusedRow {
  private RefusedRow() {}

  static String of(AvmRow row) {
    StringBuilder text = new StringBuilder("key=").append(row.key());
    if (row.id() != null) {
      text.append(" id=").append(row.id());
    }
    text.append(" label=").append(row.label()).append(' ').append(values(row.values()));
    return text.toString();
  }

  private static String values(Row.Values values) {
    if (values instanceof Row.Indexed indexed) {
      return indexed.features().toString();
    }
    return values instanceof Row.Named named
        ? named.columns().toString()
        : ((Row.Texts) values).columns().toString();
  }
}
