package org.avm4j.app;

import java.util.LinkedHashMap;
import java.util.Map;

/** A report: named values for JSON, and rows of text, below which further tables may follow. */
final class Report {
  private final Map<String, Object> values = new LinkedHashMap<>();
  private final Map<String, String> rows = new LinkedHashMap<>();
  private final StringBuilder tables = new StringBuilder();

  /** The values for JSON, to be extended. */
  Map<String, Object> values() {
    return values;
  }

  /** The rows of the table, names and values as text, to be extended. */
  Map<String, String> rows() {
    return rows;
  }

  /** Appends a value to both. */
  void add(String name, String text) {
    values.put(name, text);
    rows.put(name, text);
  }

  /** Puts a value before all others. */
  void lead(String name, Object value, String text) {
    putFirst(values, name, value);
    putFirst(rows, name, text);
  }

  private static <T> void putFirst(Map<String, T> map, String name, T value) {
    Map<String, T> others = new LinkedHashMap<>(map);
    map.clear();
    map.put(name, value);
    map.putAll(others);
  }

  /** Puts a row after another one; left out if the other one is missing. */
  void putAfter(String other, String name, String text) {
    Map<String, String> all = new LinkedHashMap<>(rows);
    rows.clear();
    all.forEach(
        (key, line) -> {
          rows.put(key, line);
          if (key.equals(other)) {
            rows.put(name, text);
          }
        });
  }

  /** Appends a table below the rows. */
  void append(String table) {
    tables.append(table);
  }

  String json() {
    return Json.of(values);
  }

  String table() {
    return Text.table(rows) + tables;
  }
}
