package org.avm4j.io;

import static org.avm4j.data.BadDataException.quote;

import de.siegmar.fastcsv.reader.CsvParseException;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.avm4j.data.BadDataException;
import org.avm4j.data.Note;

/**
 * Splits a CSV file into records and fields. Each record is parsed on its own, so that a malformed
 * one does not affect the others. Some lines are read ahead to find the delimiter and the header;
 * lines of text above the header and below the rows are left out, with a note.
 */
final class CsvRecords implements Closeable {
  private static final int MAX_SPAN = 100;
  private static final int MAX_RECORD = 1 << 24;
  private static final Pattern HINT = Pattern.compile("(?i)\"?sep=([,;|\\t])\"?\\s*");

  /** Begins with a digit, perhaps after a sign or a currency. */
  private static final Pattern NUMERIC = Pattern.compile("\\s*[-+(]?\\W?[.,]?\\d.*");

  /** At least two words, as in a source or a remark below a table. */
  private static final Pattern PROSE = Pattern.compile(".*\\p{L}.*\\s\\S.*");

  /** Maximum number of lines below the rows of a table. */
  private static final int MOST_REMARKS = 10;

  /**
   * A line that was read ahead.
   *
   * @param text the line
   * @param number its number
   */
  private record Line(String text, long number) {}

  private final Lines lines;
  private final Consumer<Note> notes;
  private final Deque<Line> ahead = new ArrayDeque<>();
  private final CsvFields fields;
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
   * @param isHeader whether a record below a title is a header, given the records after it
   * @param notes receives notes for users on lines that are left out
   */
  CsvRecords(
      Lines lines,
      Character delimiter,
      int look,
      boolean waits,
      BiPredicate<String[], List<String[]>> isHeader,
      Consumer<Note> notes)
      throws IOException {
    this.lines = lines;
    this.notes = notes;
    readAhead(look, waits);
    Character hinted = takeHint();
    Character known = delimiter != null ? delimiter : hinted;
    leaveOutTitles(new TitleLines(texts(firstLines()), isHeader).count(known));
    fields = new CsvFields(known != null ? known : Delimiters.likely(texts(firstLines())));
    width = findWidth();
  }

  private void leaveOutTitles(int count) {
    List<Line> first = firstLines();
    if (count > 0) {
      notes.accept(Note.of(leftOut(count, "above the header", first.get(0).text)));
    }
    while (count > 0 && ahead.peek() != first.get(count)) {
      ahead.poll();
    }
  }

  private static String leftOut(long count, String where, String first) {
    return count == 1
        ? "left out a line " + where + ": " + quote(first)
        : "left out " + count + " lines " + where + ", the first: " + quote(first);
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

  /** The lines that show the delimiter and the header, without comments above the table. */
  private List<Line> firstLines() {
    List<Line> all = ahead.stream().limit(100).toList();
    List<Line> plain = all.stream().filter(line -> !line.text.startsWith("#")).toList();
    return plain.isEmpty() ? all : plain;
  }

  private static List<String> texts(List<Line> lines) {
    return lines.stream().map(Line::text).toList();
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
      for (int span = 1; span < MAX_SPAN && fields.isOpen(record) && all.hasNext(); span++) {
        record = record + "\n" + all.next().text;
      }
      addTo(sample, record);
    }
    return sample;
  }

  private void addTo(List<String[]> sample, String record) {
    try {
      String[] found = fields.isOpen(record) ? null : fields.of(record);
      if (found != null && !isEmpty(found) && !isComment(found)) {
        sample.add(found);
      }
    } catch (CsvParseException broken) {
      // The error is reported when the record is read.
    }
  }

  /** The fields of the next record that is neither empty nor a comment; null at the end. */
  String[] next() throws IOException {
    while (nextLine()) {
      start = number;
      String[] record = record();
      if (isRemark(record) && isBelowRows(record[0])) {
        return null;
      }
      if (!isEmpty(record) && !isComment(record)) {
        return record;
      }
    }
    return null;
  }

  /**
   * Whether a record begins with prose, has fewer than half of the fields of the table, and no
   * field that may be a number: a row that was cut off is no remark.
   */
  private boolean isRemark(String[] record) {
    return 2 * record.length < width
        && PROSE.matcher(record[0]).matches()
        && Arrays.stream(record).noneMatch(field -> NUMERIC.matcher(field).matches());
  }

  /**
   * Whether no row follows on a remark in a file that is not cut off; if so, it is told. A live
   * stream has no end to wait for.
   */
  private boolean isBelowRows(String remark) throws IOException {
    Deque<Line> next = new ArrayDeque<>();
    boolean isLast = true;
    try {
      while (isLast && !isSlow() && moveOn()) {
        next.addFirst(new Line(text, number));
        isLast = next.size() < MOST_REMARKS && (text.isBlank() || isRemark(fields.of(text)));
      }
    } catch (BadDataException | CsvParseException e) {
      broken = e instanceof BadDataException bad ? bad : broken;
      isLast = false;
    }
    if (isLast && !isSlow() && !lines.isCutOff()) {
      long more = next.stream().filter(line -> !line.text.isBlank()).count();
      notes.accept(Note.warning(leftOut(1 + more, "below the rows", remark)));
      return true;
    }
    next.forEach(ahead::addFirst);
    return false;
  }

  /** Whether a record starts with # and has another number of fields than the table. */
  private boolean isComment(String[] fields) {
    return width > 0 && fields[0].startsWith("#") && fields.length != width;
  }

  /** The number of fields of the first line that does not start with #; 0 if there is none. */
  private int findWidth() {
    for (Line line : ahead) {
      try {
        if (!line.text.startsWith("#") && !fields.isOpen(line.text)) {
          return fields.of(line.text).length;
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
    for (int span = 1; fields.isOpen(record); span++) {
      if (span == MAX_SPAN || record.length() > MAX_RECORD || !moveOn()) {
        throw bad("a quoted field must end within " + MAX_SPAN + " lines");
      }
      record = record + "\n" + text;
    }
    if (record.indexOf('\r') >= 0) {
      throw bad("a line must end with a line feed, found a carriage return without one");
    }
    try {
      return fields.of(record);
    } catch (CsvParseException e) {
      boolean isLong = record.length() > MAX_RECORD;
      throw bad(
          isLong
              ? String.format(
                  Locale.ROOT,
                  "expected a line of a table, found %,d characters without a line break",
                  record.length())
              : "expected a delimiter after a closing quote, found "
                  + quote(record)
                  + (record.indexOf("\\\"") < 0
                      ? ""
                      : "; a quote inside quotes is written twice, not after a backslash"));
    }
  }

  private BadDataException bad(String expectation) {
    return new BadDataException(lines.name(), start, expectation);
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
