package org.avm4j.io;

import static org.avm4j.data.BadDataException.quote;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader.CsvReaderBuilder;
import de.siegmar.fastcsv.reader.StringArrayHandler;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.avm4j.Features;
import org.avm4j.data.BadDataException;

/**
 * Splits a CSV file into records and fields. Each record is parsed on its own, so that a malformed
 * one does not affect the others. Some lines are read ahead to find the delimiter; a blank as
 * delimiter means any run of blanks and tabs.
 */
final class CsvRecords implements Closeable {
  private static final int MAX_SPAN = 100;
  private static final int MAX_RECORD = 1 << 24;
  private static final Pattern HINT = Pattern.compile("(?i)\"?sep=([,;|\\t])\"?\\s*");
  private static final Pattern WORD = Pattern.compile("\"((?:[^\"]|\"\")*)\"|\\S+");

  /**
   * A line that was read ahead.
   *
   * @param text the line
   * @param number its number
   */
  private record Line(String text, long number) {}

  private final StringArrayHandler handler =
      StringArrayHandler.of(builder -> builder.maxFields(Features.MAX_DIMENSION));
  private final String name;
  private final Lines lines;
  private final Deque<Line> ahead = new ArrayDeque<>();
  private final char delimiter;
  private final CsvReaderBuilder plain;
  private final CsvReaderBuilder quoted;
  private BadDataException broken;
  private long start;
  private long number;
  private final int width;
  private String text;

  /**
   * Records from the first line on.
   *
   * @param delimiter the character between fields; null to find it from the lines read ahead
   * @param look the maximum number of lines to read ahead
   * @param waits whether to wait for more lines than the first if they are not available yet
   */
  CsvRecords(String name, Lines lines, Character delimiter, int look, boolean waits)
      throws IOException {
    this.name = name;
    this.lines = lines;
    readAhead(look, waits);
    Character hinted = takeHint();
    this.delimiter =
        delimiter != null ? delimiter : hinted != null ? hinted : Delimiters.likely(firstLines());
    plain = parser(this.delimiter);
    quoted = parser(this.delimiter).trimWhitespacesAroundQuotes(true);
    width = findWidth();
  }

  private void readAhead(int look, boolean waits) throws IOException {
    try {
      while (ahead.size() < look && isWorthReading(waits) && lines.next()) {
        String line = lines.text();
        if (!line.isBlank()) {
          ahead.add(new Line(line, lines.number()));
        }
      }
    } catch (BadDataException tooLong) {
      broken = tooLong;
    }
  }

  /** Whether to read another line ahead; with {@code waits}, at least a header and a row. */
  private boolean isWorthReading(boolean waits) {
    boolean isFirst = ahead.size() < (waits ? 2 : 1);
    return isFirst || lines.hasNext() || waits && !lines.isSlow();
  }

  /** Whether records arrive too slowly to wait for many more; see {@link Lines#isSlow}. */
  boolean isSlow() {
    return ahead.isEmpty() && lines.isSlow();
  }

  /** Removes a first line such as {@code sep=;}, meant for Excel; null if there is none. */
  private Character takeHint() {
    Line first = ahead.peek();
    Matcher hint = HINT.matcher(first == null ? "" : first.text);
    if (!hint.matches()) {
      return null;
    }
    ahead.poll();
    return hint.group(1).charAt(0);
  }

  /** The lines from which the delimiter is guessed, without comments above the table. */
  private List<String> firstLines() {
    List<String> texts = ahead.stream().map(Line::text).limit(100).toList();
    List<String> plain = texts.stream().filter(text -> !text.startsWith("#")).toList();
    return plain.isEmpty() ? texts : plain;
  }

  private static CsvReaderBuilder parser(char delimiter) {
    return de.siegmar.fastcsv.reader.CsvReader.builder().fieldSeparator(delimiter);
  }

  /** The character between fields. */
  char delimiter() {
    return delimiter;
  }

  /** The line on which the last record started. */
  long start() {
    return start;
  }

  /** The records in the lines read ahead, which {@link #next} will return; without broken ones. */
  List<String[]> sample() {
    List<String[]> sample = new ArrayList<>();
    Iterator<Line> all = ahead.iterator();
    while (all.hasNext()) {
      String record = all.next().text;
      for (int span = 1; span < MAX_SPAN && isOpen(record) && all.hasNext(); span++) {
        record = record + "\n" + all.next().text;
      }
      addTo(sample, record);
    }
    return sample;
  }

  private void addTo(List<String[]> sample, String record) {
    try {
      String[] fields = isOpen(record) ? null : parse(record);
      if (fields != null && !isEmpty(fields) && !isComment(fields)) {
        sample.add(fields);
      }
    } catch (CsvParseException broken) {
      // The error is reported when the record is read.
    }
  }

  /** The fields of the next record that is neither empty nor a comment; null at the end. */
  String[] next() throws IOException {
    while (nextLine()) {
      start = number;
      String[] fields = record();
      if (!isEmpty(fields) && !isComment(fields)) {
        return fields;
      }
    }
    return null;
  }

  /** Whether a record starts with # and has another number of fields than the table. */
  private boolean isComment(String[] fields) {
    return width > 0 && fields[0].startsWith("#") && fields.length != width;
  }

  /** The number of fields of the first line that does not start with #; 0 if there is none. */
  private int findWidth() {
    for (Line line : ahead) {
      try {
        if (!line.text.startsWith("#") && !isOpen(line.text)) {
          return parse(line.text).length;
        }
      } catch (CsvParseException broken) {
        continue; // The error is reported when the record is read.
      }
    }
    return 0;
  }

  private static boolean isEmpty(String[] fields) {
    return fields.length > 1 && Arrays.stream(fields).allMatch(String::isEmpty);
  }

  private boolean nextLine() throws IOException {
    while (moveOn()) {
      if (!text.isBlank()) {
        return true;
      }
    }
    return false;
  }

  private boolean moveOn() throws IOException {
    Line kept = ahead.poll();
    if (kept == null && broken != null) {
      BadDataException failure = broken;
      broken = null;
      throw failure;
    }
    if (kept == null && !lines.next()) {
      return false;
    }
    text = kept == null ? lines.text() : kept.text;
    number = kept == null ? lines.number() : kept.number;
    return true;
  }

  /** The fields of the record that starts on this line; quoted fields may span several lines. */
  private String[] record() throws IOException {
    String record = text;
    for (int span = 1; isOpen(record); span++) {
      if (span == MAX_SPAN || record.length() > MAX_RECORD || !moveOn()) {
        throw bad("a quoted field must end within " + MAX_SPAN + " lines");
      }
      record = record + "\n" + text;
    }
    if (record.indexOf('\r') >= 0) {
      throw bad("a line must end with a line feed, found a carriage return without one");
    }
    try {
      return parse(record);
    } catch (CsvParseException e) {
      boolean isLong = record.length() > MAX_RECORD;
      throw bad(
          isLong
              ? String.format(
                  Locale.ROOT,
                  "expected a line of a table, found %,d characters without a line break",
                  record.length())
              : "expected a delimiter after a closing quote, found " + quote(record));
    }
  }

  private BadDataException bad(String expectation) {
    return new BadDataException(name, start, expectation);
  }

  private String[] parse(String record) {
    if (delimiter == ' ') {
      return words(record);
    }
    boolean hasQuotes = record.indexOf('"') >= 0;
    String[] fields = (hasQuotes ? quoted : plain).ofSingleCsvRecord(handler, record);
    for (int i = 0; i < fields.length; i++) {
      fields[i] = fields[i].strip();
    }
    return fields;
  }

  private static String[] words(String record) {
    List<String> fields = new ArrayList<>();
    Matcher words = WORD.matcher(record);
    while (words.find()) {
      String inside = words.group(1);
      fields.add(inside == null ? words.group() : inside.replace("\"\"", "\"").strip());
    }
    return fields.toArray(String[]::new);
  }

  /** Whether the text ends inside a quoted field; a quote opens only at the start of a field. */
  private boolean isOpen(String record) {
    return record.indexOf('"') >= 0 && Delimiters.endsInQuotes(record, delimiter);
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
