package org.avm4j.flink;

/** Formats a refused row as text for a dead letter. */
final class RefusedRow {
  private RefusedRow() {}

  static String of(AvmRow row) {
    StringBuilder text = new StringBuilder("key=").append(row.key());
    if (row.id() != null) {
      text.append(" id=").append(row.id());
    }
    text.append(" label=").append(row.label()).append(' ').append(row.values().text());
    return text.toString();
  }
}
