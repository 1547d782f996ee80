package org.avm4j.io;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.avm4j.data.Schema;

/**
 * The rows of a JSON file as those of a table, to be examined. Its columns are the keys of all
 * rows, so the file is read twice; null and absent values are missing.
 */
final class JsonTable {
  private final String file;
  private final ReadOptions options;
  private final Schema known;
  private final Set<String> names = new LinkedHashSet<>();
  private final Set<String> quoted = new HashSet<>();
  private final Set<String> nested = new HashSet<>();
  private Header header;

  private JsonTable(String file, ReadOptions options, Schema known) {
    this.file = file;
    this.options = options;
    this.known = known;
  }

  /**
   * Finds the columns of a file; null if it is no JSON, or no row has its columns as keys.
   *
   * @param known knows the label of earlier files
   */
  static JsonTable of(String file, ReadOptions options, Schema known) throws IOException {
    JsonTable table = new JsonTable(file, options, known);
    try (JsonReader json = DataReader.json(file, options, known)) {
      if (json == null) {
        return null;
      }
      json.examine(row -> row.forEach(table::note));
      table.header = table.header(json);
    }
    return table.names.isEmpty() ? null : table;
  }

  private void note(String name, JsonReader.Flat value) {
    names.add(name);
    if (value.isQuotedNumber()) {
      quoted.add(name);
    }
    if (!value.token().isScalarValue()) {
      nested.add(name);
    }
  }

  private Header header(JsonReader json) {
    List<String> all = new ArrayList<>(names);
    int label = json.label(all).map(all::indexOf).orElse(Header.NONE);
    int weight = all.indexOf(options.table().weight());
    return new Header(all, label, weight, Set.of(), List.of(), true);
  }

  Header header() {
    return header;
  }

  /** Reads all rows that have their columns as keys. */
  void readAll(BiConsumer<Header, String[]> rows) throws IOException {
    try (JsonReader json = DataReader.json(file, options, known)) {
      json.examine(row -> rows.accept(header, fields(row)));
    }
  }

  private String[] fields(Map<String, JsonReader.Flat> row) {
    return names.stream().map(name -> text(row.get(name))).toArray(String[]::new);
  }

  private static String text(JsonReader.Flat value) {
    return value == null ? null : value.text();
  }

  /** The columns with texts that look like numbers. */
  Set<String> quoted() {
    return quoted;
  }

  /** The columns with arrays or objects, which are refused when rows are read. */
  Set<String> nested() {
    return nested;
  }
}
