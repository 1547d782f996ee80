package org.avm4j.io;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.avm4j.Features;
import org.avm4j.data.Column;
import org.avm4j.data.Schema;

/** Writes dense ARFF; the label is the last attribute. */
final class ArffWriter implements DataWriter {
  private static final Pattern PLAIN = Pattern.compile("[\\p{Alnum}_.+-]+");

  private final Writer out;
  private final Schema schema;
  private final List<String> classes;
  private final int declared;
  private final RowText cells;

  ArffWriter(OutputStream out, Layout layout) throws IOException {
    this.out = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8), 1 << 16);
    schema = layout.schema();
    classes = layout.classes();
    declared = schema.dimension();
    cells = new RowText(layout);
    writeHeader();
  }

  @Override
  public void write(Features row, double label) throws IOException {
    if (!schema.columns().isEmpty() && row.dimension() > declared) {
      throw new IOException(
          "'" + schema.featureName(declared) + "' appeared after the header was written");
    }
    for (String cell : cells.of(row)) {
      out.write(cell == null ? "?" : quoted(cell));
      out.write(',');
    }
    out.write(label(label));
    out.write('\n');
  }

  @Override
  public void close() throws IOException {
    out.close();
  }

  private void writeHeader() throws IOException {
    out.write("@relation data\n");
    for (String name : cells.names()) {
      writeAttribute(name, type(schema.column(name)));
    }
    writeAttribute(cells.labelName(), classes.isEmpty() ? "numeric" : nominal(classes));
    out.write("@data\n");
  }

  private void writeAttribute(String name, String type) throws IOException {
    out.write("@attribute " + quoted(name) + " " + type + "\n");
  }

  private static String type(Column column) {
    boolean isNominal = column != null && !column.categories().isEmpty();
    return isNominal ? nominal(column.categories()) : "numeric";
  }

  private static String nominal(Collection<String> values) {
    return values.stream().map(ArffWriter::quoted).collect(Collectors.joining(",", "{", "}"));
  }

  private String label(double label) throws IOException {
    if (Double.isNaN(label)) {
      return "?";
    }
    String text = schema.labelText(label);
    if (!classes.isEmpty() && !classes.contains(text)) {
      throw new IOException("the label '" + text + "' is not among the classes of the header");
    }
    return quoted(text);
  }

  private static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + escaped(word) + "'";
  }

  private static String escaped(String word) {
    return word.replace("\\", "\\\\")
        .replace("'", "\\'")
        .replace("\n", "\\n")
        .replace("\r", "\\r")
        .replace("\t", "\\t");
  }
}
