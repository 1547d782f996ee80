package org.avm4j.io;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.avm4j.data.BadDataException;
import org.avm4j.data.ColumnKind;
import org.avm4j.data.Missing;
import org.avm4j.data.Schema;

/**
 * A look at the texts of a table before it is learned from: which columns hold numbers, categories,
 * dates or nothing of use. What was found is declared to a schema; {@link #notes} says in sentences
 * what a person should know.
 */
public final class TableLook {
  private final ReadOptions options;
  private final Map<String, ColumnLook> columns = new LinkedHashMap<>();
  private final List<String> names = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private ColumnLook label;

  /** Nothing seen yet. */
  TableLook(ReadOptions options) {
    this.options = options;
  }

  /**
   * Looks at all rows of these files and declares their columns; files of other formats tell about
   * themselves. Lines that cannot be read are passed over here.
   *
   * @return what a person should know about the columns
   */
  public static List<String> declare(List<String> files, ReadOptions options, Schema schema)
      throws IOException {
    TableLook look = new TableLook(options);
    for (String file : files) {
      try (CsvReader table = DataReader.table(file, options, schema)) {
        if (table != null) {
          look.addAll(table);
        }
      }
    }
    look.declare(schema);
    return look.notes;
  }

  private void addAll(CsvReader table) throws IOException {
    use(table.header());
    while (true) {
      try {
        String[] fields = table.readFields();
        if (fields == null) {
          return;
        }
        add(table.header(), fields);
      } catch (BadDataException broken) {
        // It is told when it is read to be learned.
      }
    }
  }

  /** The names of the columns to come. */
  void use(Header header) {
    for (int i = 0; header != null && i < header.names().size(); i++) {
      String name = header.names().get(i);
      if (i == header.label()) {
        label = label == null ? new ColumnLook(name, false) : label;
      } else if (i != header.weight()) {
        columns.computeIfAbsent(name, n -> new ColumnLook(n, header.isBlank(n)));
      }
      if (!names.contains(name)) {
        names.add(name);
      }
    }
  }

  /** Takes a row into account, whose missing fields are null. */
  void add(Header header, String[] fields) {
    if (fields.length != header.names().size()) {
      return;
    }
    for (int i = 0; i < fields.length; i++) {
      if (fields[i] != null && i != header.weight()) {
        (i == header.label() ? label : columns.get(header.names().get(i))).add(fields[i]);
      }
    }
  }

  /** Declares all columns that the schema does not know. */
  void declare(Schema schema) {
    TableOptions given = options.table();
    Set<String> texts = ColumnPatterns.find(given.text(), names);
    Set<String> numbers = ColumnPatterns.find(given.numeric(), names);
    Set<String> ignored = ColumnPatterns.find(given.ignore(), names);
    Set<String> words = ColumnPatterns.find(given.words(), names);
    for (ColumnLook column : columns.values()) {
      if (schema.column(column.name()) == null) {
        String name = column.name();
        ColumnKind kind =
            ignored.contains(name)
                ? ColumnKind.IGNORED
                : words.contains(name)
                    ? ColumnKind.WORDS
                    : texts.contains(name)
                        ? column.textKind()
                        : numbers.contains(name) ? number(column) : found(column);
        schema.declare(name, kind, kind == ColumnKind.CAPPED ? column.mostCommon() : List.of());
        note(column, kind);
      }
    }
    declareLabel(schema);
  }

  private static ColumnKind number(ColumnLook column) {
    ColumnKind kind = column.numberKind();
    return kind == null ? ColumnKind.NUMBER : kind;
  }

  private ColumnKind found(ColumnLook column) {
    if (column.present() == 0) {
      notes.add("column '" + column.name() + "' is empty and left out");
      return ColumnKind.IGNORED;
    }
    if (column.isRowNumber()) {
      notes.add(
          "column '"
              + column.name()
              + "' only numbers the rows and is left out; --numeric takes it in");
      return ColumnKind.IGNORED;
    }
    return column.kind();
  }

  private void note(ColumnLook column, ColumnKind kind) {
    String name = "column '" + column.name() + "' ";
    switch (kind) {
      case CAPPED -> notes.add(name + capped(column));
      case DATE, DATE_MONTH_FIRST -> {
        String order = kind == ColumnKind.DATE ? "" : ", the month before the day";
        notes.add(name + "holds dates" + order);
      }
      case DECIMAL_COMMA -> notes.add(name + "holds numbers with a decimal comma");
      case NUMBER -> {
        if (column.isMixed()) {
          notes.add(
              name
                  + String.format(
                      Locale.ROOT,
                      "holds numbers; %,d texts in it count as missing",
                      column.texts()));
        }
      }
      case CATEGORIES -> {
        if (column.isMixed() && !options.table().text().contains(column.name())) {
          notes.add(name + "mixes numbers and texts and is read as text; --numeric changes that");
        }
      }
      default -> {}
    }
  }

  private static String capped(ColumnLook column) {
    return column.isUnique()
        ? "has a different text in nearly every row, like an id or free text, and tells little;"
            + " --ignore leaves it out, --text-words reads its words"
        : "has "
            + column.differentText()
            + " different texts; the "
            + column.mostCommon().size()
            + " most common have a feature each, the others share one";
  }

  /** Labels that are numbers at first and texts later are texts. */
  private void declareLabel(Schema schema) {
    if (label == null || label.present() == 0) {
      return;
    }
    ColumnKind kind = label.numberKind();
    if (kind != null) {
      schema.describe(schema.origin().withLabelKind(kind));
    } else if (label.isMixed() && schema.labels().isEmpty()) {
      label.all().forEach(schema::textLabel);
    }
  }

  /** What a person should know. */
  List<String> notes() {
    return notes;
  }

  /** A field as it is learned from: null where its value is missing. */
  static String[] withoutMissing(String[] fields) {
    for (int i = 0; fields != null && i < fields.length; i++) {
      fields[i] = Missing.isMissing(fields[i]) ? null : fields[i];
    }
    return fields;
  }

  /** The columns that are left out by name. */
  static Set<String> ignored(Header header, ReadOptions options, Schema schema) {
    Set<String> ignored = new LinkedHashSet<>(schema.origin().ignored());
    if (!schema.isFrozen()) {
      ignored.addAll(ColumnPatterns.find(options.table().ignore(), header.names()));
    }
    if (header.weight() >= 0) {
      ignored.add(header.names().get(header.weight()));
    }
    return ignored;
  }
}
