package org.avm4j.io;

import static org.avm4j.data.BadDataException.quote;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader.CsvReaderBuilder;
import de.siegmar.fastcsv.reader.StringArrayHandler;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.avm4j.Features;
import org.avm4j.data.BadDataException;
import org.avm4j.data.Decimal;
import org.avm4j.data.Missing;
import org.avm4j.data.Schema;

/**
 * Reads CSV, with or without a header. Records are parsed one by one, so that a broken one costs
 * itself and no more.
 */
final class CsvReader extends TableReader {
  private static final String DELIMITERS = ",;\t";
  private static final int MAX_SPAN = 100;
  private static final int MAX_RECORD = 1 << 24;

  private final StringArrayHandler handler =
      StringArrayHandler.of(builder -> builder.maxFields(Features.MAX_DIMENSION));
  private char delimiter;
  private CsvReaderBuilder plain;
  private CsvReaderBuilder quoted;
  private String[] first;
  private String text;

  CsvReader(String name, InputStream in, ReadOptions options, Schema schema) throws IOException {
    super(name, new Lines(name, in), options, schema);
    if (nextLine()) {
      delimiter = options.delimiter() == null ? likely(text) : options.delimiter();
      plain = parser(delimiter);
      quoted = parser(delimiter).trimWhitespacesAroundQuotes(true);
      readHeader(readRecord());
    }
  }

  @Override
  String[] readFields() throws IOException {
    String[] fields = first;
    first = null;
    if (fields == null && nextLine()) {
      fields = readRecord();
    }
    for (int i = 0; fields != null && i < fields.length; i++) {
      fields[i] = Missing.isMissing(fields[i]) ? null : fields[i];
    }
    return fields;
  }

  private void readHeader(String[] record) throws BadDataException {
    boolean header = options.header() == null ? hasName(record) : options.header();
    if (header) {
      use(allowed(() -> Header.named(names(record), options, schema)));
    } else {
      first = record;
      use(allowed(() -> Header.nameless(record.length, options)));
    }
  }

  private static List<String> names(String[] record) {
    List<String> names = new ArrayList<>();
    for (String name : record) {
      names.add(name.isEmpty() ? "x" + (names.size() + 1) : name);
    }
    return names;
  }

  private static boolean hasName(String[] record) {
    boolean hasName = false;
    for (String field : record) {
      if (!Missing.isMissing(field) && Decimal.isNumber(field)) {
        return false;
      }
      hasName |= !Missing.isMissing(field);
    }
    return hasName;
  }

  private boolean nextLine() throws IOException {
    while (lines.next()) {
      text = lines.text();
      if (!text.isBlank()) {
        startsAt(lines.number());
        return true;
      }
    }
    return false;
  }

  /** The fields of the record that starts on this line; in quotes it may span several. */
  private String[] readRecord() throws IOException {
    boolean quotes = text.indexOf('"') >= 0;
    for (int span = 1; quotes && endsInQuotes(); span++) {
      if (span == MAX_SPAN || text.length() > MAX_RECORD || !lines.next()) {
        throw bad("a quoted field must end within " + MAX_SPAN + " lines");
      }
      text = text + "\n" + lines.text();
    }
    if (text.indexOf('\r') >= 0) {
      throw bad("a carriage return must stand before the end of a line");
    }
    return fields(quotes ? quoted : plain);
  }

  private String[] fields(CsvReaderBuilder parser) throws BadDataException {
    try {
      String[] fields = parser.ofSingleCsvRecord(handler, text);
      for (int i = 0; i < fields.length; i++) {
        fields[i] = fields[i].strip();
      }
      return fields;
    } catch (CsvParseException e) {
      throw bad("expected fields with a delimiter after a closing quote, found " + quote(text));
    }
  }

  /** Whether the text stops inside a quoted field: quotes count at the start of a field only. */
  private boolean endsInQuotes() {
    boolean inside = false;
    boolean mayOpen = true;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' && (inside || mayOpen)) {
        inside = !inside;
        mayOpen = !inside;
      } else if (!inside) {
        mayOpen = c == delimiter || mayOpen && c == ' ';
      }
    }
    return inside;
  }

  private static CsvReaderBuilder parser(char delimiter) {
    return de.siegmar.fastcsv.reader.CsvReader.builder().fieldSeparator(delimiter);
  }

  /** The delimiter that the line has most of. */
  private static char likely(String line) {
    char best = ',';
    for (char candidate : DELIMITERS.toCharArray()) {
      best = count(line, candidate) > count(line, best) ? candidate : best;
    }
    return best;
  }

  private static long count(String line, char wanted) {
    return line.chars().filter(c -> c == wanted).count();
  }
}
