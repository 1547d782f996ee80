package org.avm4j.io;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.avm4j.data.BadDataException;
import org.avm4j.data.Missing;
import org.avm4j.data.Schema;
import org.avm4j.data.TableOrigin;

/** Reads CSV, with or without a header. */
final class CsvReader extends TableReader {
  private static final int SAMPLE = 100;

  /** Minimum number of rows that show where a table begins. */
  private static final int FEWEST_ROWS = 2;

  private final CsvRecords records;
  private String[] heading = {};
  private boolean hasRepeatedHeading;
  private String[] first;
  private int width;

  CsvReader(String name, InputStream in, ReadOptions options, Schema schema) throws IOException {
    this(name, in, options, schema, !schema.isFrozen() && options.table().lookAhead() > 0);
  }

  /**
   * Reads a table.
   *
   * @param looks whether the rows read ahead decide the kinds of columns
   */
  CsvReader(String name, InputStream in, ReadOptions options, Schema schema, boolean looks)
      throws IOException {
    super(new Lines(name, in), options, schema);
    int ahead = looks ? Math.max(SAMPLE, options.table().lookAhead()) : SAMPLE;
    records =
        new CsvRecords(
            lines,
            options.delimiter(),
            ahead,
            !schema.isFrozen(),
            this::isHeaderBelowTitle,
            this::add);
    List<String[]> sample = records.sample();
    String[] record = records.next();
    startsAt(records.start());
    if (record != null) {
      List<String[]> rest = sample.isEmpty() ? sample : sample.subList(1, sample.size());
      boolean hasTwoLines =
          !Boolean.FALSE.equals(options.header()) && isHeaderOfTwoLines(record, rest);
      readHeader(
          hasTwoLines ? oneLine(record) : record,
          hasTwoLines ? rest.subList(1, rest.size()) : rest,
          looks);
    }
  }

  /** Whether two records are a header, the names of the columns and for instance their units. */
  private static boolean isHeaderOfTwoLines(String[] record, List<String[]> rest) {
    return HeaderGuess.isSecondLine(rest)
        && record.length == rest.get(0).length
        && HeaderGuess.isHeaderOfNumbers(record, rest.subList(1, rest.size()));
  }

  /** The line of a header of two lines that names the columns: the one with more names. */
  private String[] oneLine(String[] record) throws IOException {
    String[] second = records.next();
    boolean isFirst = differentNames(record) >= differentNames(second);
    note(
        "the header has two lines; the "
            + (isFirst ? "second" : "first")
            + " is left out: "
            + BadDataException.quote(String.join(",", isFirst ? second : record)));
    return isFirst ? record : second;
  }

  private static long differentNames(String[] record) {
    return Arrays.stream(record).filter(name -> !name.isEmpty()).distinct().count();
  }

  @Override
  boolean isSlow() {
    return records.isSlow();
  }

  @Override
  String[] readFields() throws IOException {
    String[] fields = first;
    first = null;
    while (fields == null || isHeading(fields)) {
      noteHeading(fields);
      fields = records.next();
      startsAt(records.start());
      if (fields == null) {
        return null;
      }
    }
    return fit(fields);
  }

  /** Whether a record is the header again, as where tables were put one after the other. */
  private boolean isHeading(String[] record) {
    return heading.length > 1 && Arrays.equals(record, heading);
  }

  /** Adds a note, once, on a record that is the header again; null is none. */
  private void noteHeading(String[] record) {
    if (record != null && !hasRepeatedHeading) {
      hasRepeatedHeading = true;
      note(
          "line "
              + records.start()
              + " repeats the header and is left out, and so are others like it");
    }
  }

  /**
   * The fields of the next row that can be read; null if there is none. The errors of rows before
   * it are reported when the rows are learned or answered.
   */
  String[] readGoodFields() throws IOException {
    while (true) {
      try {
        return readFields();
      } catch (BadDataException broken) {
        continue;
      }
    }
  }

  /**
   * The fields without surplus empty ones at the end of the line; texts for missing values, such as
   * NA, are null.
   */
  private String[] fit(String[] fields) {
    int count = fields.length;
    while (count > width && fields[count - 1].isEmpty()) {
      count--;
    }
    String[] fitting = count == fields.length ? fields : Arrays.copyOf(fields, count);
    for (int i = 0; i < count; i++) {
      fitting[i] = Missing.isMissing(fitting[i]) ? null : fitting[i];
    }
    return fitting;
  }

  private void readHeader(String[] record, List<String[]> rest, boolean looks)
      throws BadDataException {
    Header header;
    List<String[]> others = rest.stream().filter(row -> !Arrays.equals(row, record)).toList();
    String[] titles = RowNames.withIndex(record, others);
    if (hasHeader(titles, rest, others)) {
      heading = record;
      List<String> names = names(titles);
      if (titles != record) {
        note("the header has one name less than the rows have fields: the first column is 'x1'");
      }
      width = names.size();
      header = allowed(() -> Header.named(names, options, schema));
      header.renamed().forEach(this::note);
    } else {
      first = record;
      if (options.header() == null && !schema.isFrozen() && HeaderGuess.countsFromOne(record)) {
        note(
            "the first line counts the columns, but is learned as a row; use --header if it holds"
                + " their names");
      }
      width = width(record, rest);
      header = allowed(() -> Header.nameless(width, options, schema));
    }
    if (looks) {
      look(header, rest);
    }
    use(header);
  }

  private void look(Header header, List<String[]> rest) throws BadDataException {
    header.names().stream().filter(name -> schema.column(name) != null).forEach(this::hasTold);
    TableProfile look = new TableProfile(options);
    look.use(header);
    if (first != null) {
      look.add(header, fit(first.clone()));
    }
    rest.stream().filter(row -> !isHeading(row)).forEach(row -> look.add(header, fit(row)));
    allowed(() -> look.declare(schema));
    look.notes().forEach(this::add);
    look.withGaps().forEach(this::hasTold);
  }

  /**
   * Whether the first record is a header: by the options, the model, or a guess from the rows.
   *
   * @param rest the records after it
   * @param others those of them that do not repeat it
   */
  private boolean hasHeader(String[] record, List<String[]> rest, List<String[]> others) {
    TableOrigin known = schema.origin();
    if (options.header() != null) {
      return options.header();
    }
    if (schema.isFrozen() && known.isKnown()) {
      return known.isNamed();
    }
    return schema.isFrozen() && !schema.columns().isEmpty()
        ? Arrays.stream(record).anyMatch(name -> schema.column(name) != null)
            || HeaderGuess.isHeader(record, List.of())
        : HeaderGuess.isHeader(record, rest) || HeaderGuess.isHeaderOfNumbers(record, others);
  }

  /** Whether a record below lines of fewer fields is a header: the first line may be one, too. */
  private boolean isHeaderBelowTitle(String[] record, List<String[]> rest) {
    boolean isKnown = schema.isFrozen() && !schema.columns().isEmpty();
    boolean isHeader =
        isKnown
            ? 2 * Arrays.stream(record).filter(name -> schema.column(name) != null).count()
                >= record.length
            : rest.size() >= FEWEST_ROWS && HeaderGuess.isHeaderOfNumbers(record, rest);
    return options.header() == null && isHeader;
  }

  /** The names, without empty ones at the end of the line. */
  private static List<String> names(String[] record) {
    List<String> names = new ArrayList<>(List.of(record));
    while (names.size() > 1 && names.get(names.size() - 1).isEmpty()) {
      names.remove(names.size() - 1);
    }
    return names;
  }

  /** The number of columns, without those at the end that are always empty. */
  private static int width(String[] record, List<String[]> rest) {
    int width = record.length;
    while (width > 1 && isEmptyAt(width - 1, record, rest)) {
      width--;
    }
    return width;
  }

  private static boolean isEmptyAt(int column, String[] record, List<String[]> rest) {
    return !rest.isEmpty()
        && record[column].isEmpty()
        && rest.stream().allMatch(row -> row.length <= column || row[column].isEmpty());
  }
}
