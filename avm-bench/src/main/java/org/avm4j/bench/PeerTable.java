package org.avm4j.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Rows of results under fixed column names: for people, as CSV and as JSON. */
final class PeerTable {
  private final String[] columns;
  private final List<Object[]> rows = new ArrayList<>();

  PeerTable(String... columns) {
    this.columns = columns;
  }

  /** Adds a row of texts and numbers, as many as there are columns. */
  PeerTable add(Object... values) {
    if (values.length != columns.length) {
      throw new IllegalArgumentException("as many values as columns: " + values.length);
    }
    rows.add(values);
    return this;
  }

  /** The values of a column. */
  List<Object> column(String name) {
    int at = List.of(columns).indexOf(name);
    return rows.stream().map(row -> row[at]).toList();
  }

  /** Columns side by side, numbers to the right. */
  String text() {
    StringBuilder text = new StringBuilder();
    line(text, columns);
    rows.forEach(row -> line(text, row));
    return text.toString();
  }

  private void line(StringBuilder text, Object[] values) {
    for (int c = 0; c < columns.length; c++) {
      boolean isText = rows.isEmpty() || rows.get(0)[c] instanceof String;
      String format = (isText ? "%-" : "%") + width(c) + "s" + (c + 1 < columns.length ? "  " : "");
      text.append(String.format(format, shown(values[c])));
    }
    text.setLength(text.toString().stripTrailing().length());
    text.append('\n');
  }

  /** A table of Markdown. */
  String markdown() {
    StringBuilder text = new StringBuilder();
    markdown(text, columns);
    text.append("|---".repeat(columns.length)).append("|\n");
    rows.forEach(row -> markdown(text, row));
    return text.toString();
  }

  private static void markdown(StringBuilder text, Object[] values) {
    for (Object value : values) {
      text.append("| ").append(shown(value)).append(' ');
    }
    text.append("|\n");
  }

  private int width(int c) {
    int width = columns[c].length();
    for (Object[] row : rows) {
      width = Math.max(width, shown(row[c]).length());
    }
    return width;
  }

  private static String shown(Object value) {
    if (value instanceof Double number) {
      return Math.abs(number) >= 1000
          ? String.format(Locale.ROOT, "%,.0f", number)
          : String.format(Locale.ROOT, "%.4g", number);
    }
    return value instanceof Number number
        ? String.format(Locale.ROOT, "%,d", number.longValue())
        : String.valueOf(value);
  }

  /** RFC 4180. */
  String csv() {
    StringBuilder text = new StringBuilder(String.join(",", columns)).append('\n');
    for (Object[] row : rows) {
      List<String> fields = new ArrayList<>();
      for (Object value : row) {
        String field = String.valueOf(value);
        boolean isQuoted = field.contains(",") || field.contains("\"");
        fields.add(isQuoted ? '"' + field.replace("\"", "\"\"") + '"' : field);
      }
      text.append(String.join(",", fields)).append('\n');
    }
    return text.toString();
  }

  /** An object for each row. */
  void json(JsonGenerator out) throws IOException {
    out.writeStartArray();
    for (Object[] row : rows) {
      out.writeStartObject();
      for (int c = 0; c < columns.length; c++) {
        out.writeFieldName(columns[c]);
        write(out, row[c]);
      }
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  private static void write(JsonGenerator out, Object value) throws IOException {
    if (value instanceof Double number && Double.isFinite(number)) {
      out.writeNumber(number);
    } else if (value instanceof Integer || value instanceof Long) {
      out.writeNumber(((Number) value).longValue());
    } else if (value instanceof String text) {
      out.writeString(text);
    } else {
      out.writeNull();
    }
  }

  /** Prints the table and writes NAME.csv and NAME.json into a folder, with what it ran on. */
  void publish(Path folder, String name) throws IOException {
    System.out.print(text());
    write(folder, name);
  }

  /** Writes NAME.csv and NAME.json into a folder, with what it ran on. */
  void write(Path folder, String name) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve(name + ".csv"), csv());
    try (JsonGenerator out =
        new JsonFactory()
            .createGenerator(Files.newBufferedWriter(folder.resolve(name + ".json")))) {
      out.useDefaultPrettyPrinter();
      out.writeStartObject();
      out.writeStringField("java", System.getProperty("java.vm.version"));
      out.writeStringField("machine", System.getProperty("os.arch"));
      out.writeNumberField("cores", Runtime.getRuntime().availableProcessors());
      out.writeFieldName("rows");
      json(out);
      out.writeEndObject();
    }
    System.out.println("written: " + folder.resolve(name + ".csv") + " and .json");
  }
}
