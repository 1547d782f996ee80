package org.avm4j.io;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.avm4j.data.BadDataException;
import org.avm4j.data.ColumnKind;
import org.avm4j.data.Note;
import org.avm4j.data.Schema;

/**
 * Examines the texts of a table before it is learned: which columns hold numbers, categories, dates
 * or nothing useful. The result is declared in a schema; {@link #notes} explains it to users.
 */
public final class TableProfile {
  private final ReadOptions options;
  private final Map<String, ColumnProfile> columns = new LinkedHashMap<>();
  private final Set<String> names = new LinkedHashSet<>();
  private final List<Note> notes = new ArrayList<>();
  private final Map<String, String> reasons = new LinkedHashMap<>();
  private long rows;
  private ColumnProfile label;
  private final LeakageCheck leakage = new LeakageCheck();
  private final Map<String, ColumnKind> kinds = new LinkedHashMap<>();
  private TimeColumn time;
  private String labelProblem;

  /** The columns of JSON with texts that look like numbers. */
  private final Set<String> quoted = new HashSet<>();

  /** The columns of JSON with arrays or objects. */
  private final Set<String> nested = new HashSet<>();

  /** Whether rows are JSON, whose values have a type, and which may share a line. */
  private boolean isJson;

  /** An empty profile. */
  TableProfile(ReadOptions options) {
    this.options = options;
  }

  /**
   * Examines all rows of CSV files, and of JSON files whose rows have columns as keys, and declares
   * their columns. Other files, which declare their own columns, and rows that cannot be read are
   * ignored here.
   *
   * @return the profile of all files
   */
  public static TableProfile declare(List<String> files, ReadOptions options, Schema schema)
      throws IOException {
    TableProfile look = new TableProfile(options);
    for (String file : files) {
      DataReader.sheetNote(file, options).map(Note::of).ifPresent(look.notes::add);
      try (CsvReader table = DataReader.table(file, options, schema)) {
        if (table != null) {
          look.addAll(file, table);
          continue;
        }
      }
      JsonTable table = JsonTable.of(file, options, schema);
      if (table != null) {
        look.addAll(table);
      }
    }
    look.time =
        options.table().time() == null
            ? TimeColumn.ordered(look.columns.values())
            : look.namedTime(files, schema);
    look.declare(schema);
    look.noteLeakage();
    return look;
  }

  private TimeColumn namedTime(List<String> files, Schema schema) throws IOException {
    if (names.isEmpty()) {
      throw new IllegalArgumentException(
          "--time-column needs a table with named columns, such as CSV");
    }
    List<String> wanted = List.of(options.table().time());
    String name = ColumnPatterns.find(wanted, List.copyOf(names)).iterator().next();
    if (label != null && label.name().equals(name)) {
      throw new IllegalArgumentException(
          "--time-column needs a feature, but column '"
              + name
              + "' is the label; --label chooses another one");
    }
    return TimeColumn.of(
        name,
        columns.get(name),
        isJson ? List.of() : files,
        file -> DataReader.table(file, options, schema));
  }

  private void addAll(String file, CsvReader table) throws IOException {
    checkSame(file, table.header());
    use(table.header());
    String[] fields = table.readGoodFields();
    while (fields != null) {
      add(table.header(), fields);
      if (fields.length == table.header().names().size()) {
        leakage.add(table.header(), fields);
      }
      fields = table.readGoodFields();
    }
  }

  private void addAll(JsonTable table) throws IOException {
    isJson = true;
    quoted.addAll(table.quoted());
    nested.addAll(table.nested());
    use(table.header());
    table.readAll(
        (header, fields) -> {
          add(header, fields);
          leakage.add(header, fields);
        });
  }

  /** Throws an exception if the columns of a file differ from those of earlier files. */
  private void checkSame(String file, Header header) throws BadDataException {
    if (names.isEmpty() || header == null || options.table().allowsAbsent()) {
      return;
    }
    Set<String> ignored = ColumnPatterns.findAny(options.table().ignore(), List.copyOf(names));
    for (String name : columns.keySet()) {
      if (!ignored.contains(name) && !header.names().contains(name)) {
        throw new BadDataException(
            file,
            1,
            "expected column '"
                + name
                + "' of the previous file; use --fill-columns to treat it as missing");
      }
    }
    ignored.add(options.table().weight());
    for (String name : header.features()) {
      if (!columns.containsKey(name) && !ignored.contains(name)) {
        throw new BadDataException(
            file,
            1,
            "column '" + name + "' is not in the previous file; use --fill-columns to allow this");
      }
    }
  }

  private void noteLeakage() {
    if (label != null && label.present() > 0) {
      Map<String, ColumnKind> plain = new LinkedHashMap<>(kinds);
      for (String name : kinds.keySet()) {
        if (kinds.get(name) == ColumnKind.UNITS) {
          columns.get(name).units().ifPresent(units -> leakage.replace(name, units));
          plain.put(name, ColumnKind.NUMBER);
        }
      }
      notes.addAll(leakage.notes(plain, label.numberKind()));
    }
  }

  /** Adds the columns of the next file. */
  void use(Header header) {
    for (int i = 0; header != null && i < header.names().size(); i++) {
      String name = header.names().get(i);
      if (i == header.label()) {
        label = label == null ? new ColumnProfile(name, false) : label;
      } else if (i != header.weight()) {
        columns.computeIfAbsent(name, n -> new ColumnProfile(n, header.isBlank(n)));
      }
      names.add(name);
    }
  }

  /** Adds a row, in which missing fields are null; a row of another length is ignored. */
  void add(Header header, String[] fields) {
    if (fields.length != header.names().size()) {
      return;
    }
    rows++;
    for (int i = 0; i < fields.length; i++) {
      if (fields[i] != null && i != header.weight()) {
        (i == header.label() ? label : columns.get(header.names().get(i))).add(fields[i]);
      }
    }
  }

  /** Declares all columns that the schema does not know yet, and the labels. */
  void declare(Schema schema) {
    TableOptions given = options.table();
    List<String> all = List.copyOf(names);
    Set<String> texts = ColumnPatterns.find(given.text(), all);
    Set<String> numbers = ColumnPatterns.find(given.numeric(), all);
    Set<String> ignored = ColumnPatterns.find(given.ignore(), all);
    Set<String> words = ColumnPatterns.find(given.words(), all);
    boolean isSurveyed = isSurveyed(schema);
    if (all().anyMatch(ColumnProfile::hasCommas)) {
      all().forEach(ColumnProfile::useCommas);
    }
    for (ColumnProfile column : columns.values()) {
      if (schema.column(column.name()) == null) {
        String name = column.name();
        ColumnKind kind =
            ignored.contains(name)
                ? ColumnKind.IGNORED
                : words.contains(name)
                    ? ColumnKind.WORDS
                    : texts.contains(name)
                        ? column.textKind()
                        : numbers.contains(name) ? column.kindOfNumbers() : found(column);
        kinds.put(name, kind);
        reasons.putIfAbsent(name, ignored.contains(name) ? "--ignore" : "");
        if (kind == ColumnKind.UNITS) {
          schema.declare(name, column.units().orElseThrow());
        } else {
          schema.declare(name, kind, kind == ColumnKind.CAPPED ? column.mostCommon() : List.of());
        }
        ColumnNotes.of(column, kind, texts.contains(name)).stream()
            .map(Note::of)
            .forEach(notes::add);
      }
    }
    if (label != null) {
      LabelProfile found = new LabelProfile(label, texts.contains(label.name()));
      labelProblem = found.problem().orElse(null);
      List<Note> told = new ArrayList<>(found.declare(schema));
      SentinelValue.in(label)
          .map(note -> Note.warning("the label '" + label.name() + "' " + note))
          .ifPresent(told::add);
      notes.addAll(isSurveyed ? List.of() : told);
    }
  }

  /** The columns and the label. */
  private Stream<ColumnProfile> all() {
    return Stream.concat(columns.values().stream(), Stream.ofNullable(label));
  }

  /** Whether all rows were examined before, so that notes on the first of them are not new. */
  private boolean isSurveyed(Schema schema) {
    Set<String> ignored = schema.origin().ignored();
    return !columns.isEmpty()
        && columns.keySet().stream()
            .allMatch(name -> schema.column(name) != null || ignored.contains(name));
  }

  private ColumnKind found(ColumnProfile column) {
    if (nested.contains(column.name())) {
      return column.textKind();
    }
    if (column.present() == 0) {
      notes.add(Note.of("column '" + column.name() + "' is empty and left out"));
      reasons.put(column.name(), "empty");
      return ColumnKind.IGNORED;
    }
    if (column.isRowNumber()) {
      notes.add(
          Note.of(
              "column '"
                  + column.name()
                  + "' only numbers the rows and is left out; use --numeric to include it"));
      reasons.put(column.name(), "numbers the rows");
      return ColumnKind.IGNORED;
    }
    ColumnKind kind = column.kind();
    boolean isText = kind.isNumeric() && quoted.contains(column.name());
    return isText || isJson && column.hasGaps(kind) ? column.textKind() : kind;
  }

  /** Notes for users on the columns. */
  public List<Note> notes() {
    return List.copyOf(notes);
  }

  /** The columns of numbers or dates with other texts, which a note has told. */
  List<String> withGaps() {
    return columns.values().stream()
        .filter(column -> column.hasGaps(kinds.getOrDefault(column.name(), ColumnKind.IGNORED)))
        .map(ColumnProfile::name)
        .toList();
  }

  /** The time column, if the user gave one or one is sorted. */
  public Optional<TimeColumn> time() {
    return Optional.ofNullable(time);
  }

  /**
   * Summaries of all columns, in the order of the table; call this after the rows were examined.
   */
  public List<ColumnSummary> columns() {
    List<ColumnSummary> all = new ArrayList<>();
    for (String name : names) {
      if (label != null && label.name().equals(name)) {
        ColumnKind number = label.numberKind(); // labels are never dates
        ColumnKind kind = number == null ? label.kind() : number;
        all.add(label.summary(ColumnSummary.Role.LABEL, kind, rows, ""));
      } else if (columns.containsKey(name)) {
        String reason = reasons.getOrDefault(name, "");
        ColumnProfile column = columns.get(name);
        all.add(column.summary(ColumnSummary.Role.FEATURE, kinds.get(name), rows, reason));
      }
    }
    return all;
  }

  /** Why the labels are probably a mistake; empty if they look right. */
  public Optional<String> labelProblem() {
    return Optional.ofNullable(labelProblem);
  }

  /** The column that only counts the rows, if there is one. */
  public Optional<String> counter() {
    return columns.values().stream()
        .filter(ColumnProfile::isCounter)
        .map(ColumnProfile::name)
        .findFirst();
  }

  /**
   * Why rows are not in order of time, even if neighbouring ones have similar labels: a column of
   * dates or years that starts again and again, or one of names by which the rows are sorted. Empty
   * if unknown.
   */
  public Optional<String> otherOrder() {
    for (ColumnProfile column : columns.values()) {
      String called = "column '" + column.name() + "'";
      if (column.hasTimesInBlocks()) {
        String hint = isJson ? "" : " (--time-column holds out its latest rows)";
        return Optional.of(called + " starts again and again" + hint);
      }
      if (column.sortsRows()) {
        return Optional.of("they are sorted by " + called);
      }
    }
    return Optional.empty();
  }

  /** Whether most rows have a text of their own in some column, so that they are no copies. */
  public boolean namesRows() {
    return columns.values().stream()
        .anyMatch(c -> kinds.get(c.name()) == ColumnKind.CAPPED && c.namesRows(rows));
  }
}
