package org.avm4j.io;

import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.avm4j.data.Column;
import org.avm4j.data.ColumnKind;
import org.avm4j.data.Schema;

/**
 * Reads the columns that a model does not use as features, such as ids, row numbers and the label,
 * and those of which it knows only the most common texts, since these may be ids, so that they can
 * be written beside its answers. Rows must be requested in the order of the files. There are no
 * such columns for standard input, which can be read only once, and for formats other than CSV with
 * a header.
 */
public final class IdColumns implements Closeable {
  private final ReadOptions options;
  private final Schema schema;
  private final List<String> names;
  private String file;
  private CsvReader table;

  private IdColumns(ReadOptions options, Schema schema, List<String> names) {
    this.options = options;
    this.schema = schema;
    this.names = names;
  }

  /**
   * The columns of the first file that are kept.
   *
   * @param schema the columns of the model
   */
  public static IdColumns open(List<String> files, ReadOptions options, Schema schema)
      throws IOException {
    if (files.contains("-")) {
      return new IdColumns(options, schema, List.of());
    }
    try (CsvReader first = DataReader.table(files.get(0), options, schema.frozen())) {
      boolean isTable = first != null && first.header() != null && first.header().isNamed();
      List<String> names =
          isTable
              ? first.header().names().stream().filter(name -> isKept(schema.column(name))).toList()
              : List.of();
      return new IdColumns(options, schema, names);
    }
  }

  private static boolean isKept(Column column) {
    return column == null || column.kind() == ColumnKind.CAPPED;
  }

  /** The names of the columns. */
  public List<String> names() {
    return names;
  }

  /** The texts of the row on a line of a file; empty for missing values. */
  public String[] of(String name, long line) throws IOException {
    String[] texts = new String[names.size()];
    Arrays.fill(texts, "");
    if (texts.length == 0) {
      return texts;
    }
    if (!name.equals(file)) {
      close();
      file = name;
      table = DataReader.table(name, options, schema.frozen());
    }
    String[] fields = fields(line);
    for (int i = 0; fields != null && i < texts.length; i++) {
      int place = table.header().names().indexOf(names.get(i));
      texts[i] = place < 0 || place >= fields.length || fields[place] == null ? "" : fields[place];
    }
    return texts;
  }

  /** The fields of the first row that starts on this line or later; null if there is none. */
  private String[] fields(long line) throws IOException {
    String[] fields = table == null ? null : table.readGoodFields();
    while (fields != null && table.line() < line) {
      fields = table.readGoodFields();
    }
    return fields;
  }

  @Override
  public void close() throws IOException {
    if (table != null) {
      table.close();
    }
  }
}
