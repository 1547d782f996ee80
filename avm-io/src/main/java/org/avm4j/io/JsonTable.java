package org.avm4j.io;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The rows of a JSON file as those of a table, to be examined. Its columns are the keys of all rows
 * so far; null and absent values are missing.
 */
final class JsonTable implements Closeable {
  private final JsonReader json;
  private final ReadOptions options;
  private final Set<String> names = new LinkedHashSet<>();
  private final Set<String> quoted = new HashSet<>();
  private Header header;

  JsonTable(JsonReader json, ReadOptions options) {
    this.json = json;
    this.options = options;
  }

  /**
   * Reads all rows that have their columns as keys.
   *
   * @param columns takes the columns of the first row, and of each row that has a new one
   * @param rows takes the columns so far and the fields of each row
   */
  void readAll(Consumer<Header> columns, BiConsumer<Header, String[]> rows) throws IOException {
    json.examine(
        row -> {
          if (names.addAll(row.keySet())) {
            header = header();
            columns.accept(header);
          }
          row.forEach(this::note);
          rows.accept(
              header, names.stream().map(name -> text(row.get(name))).toArray(String[]::new));
        });
  }

  private Header header() {
    List<String> all = new ArrayList<>(names);
    int label = json.label(all).map(all::indexOf).orElse(Header.NONE);
    int weight = all.indexOf(options.table().weight());
    return new Header(all, label, weight, Set.of(), List.of(), true);
  }

  private void note(String name, JsonReader.Flat value) {
    if (value.isQuotedNumber()) {
      quoted.add(name);
    }
  }

  private static String text(JsonReader.Flat value) {
    return value == null ? null : value.text();
  }

  /** The columns with texts that look like numbers. */
  Set<String> quoted() {
    return quoted;
  }

  @Override
  public void close() throws IOException {
    json.close();
  }
}
