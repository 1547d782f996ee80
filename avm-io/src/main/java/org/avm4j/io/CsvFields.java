package org.avm4j.io;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader.CsvReaderBuilder;
import de.siegmar.fastcsv.reader.StringArrayHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.avm4j.Features;

/**
 * Splits a record into its fields, without blanks around them. A blank as delimiter means any run
 * of blanks and tabs.
 */
final class CsvFields {
  private static final Pattern WORD = Pattern.compile("\"((?:[^\"]|\"\")*)\"|\\S+");

  private final StringArrayHandler handler =
      StringArrayHandler.of(builder -> builder.maxFields(Features.MAX_DIMENSION));
  private final char delimiter;
  private final CsvReaderBuilder plain;
  private final CsvReaderBuilder quoted;

  CsvFields(char delimiter) {
    this.delimiter = delimiter;
    plain = parser(delimiter);
    quoted = parser(delimiter).trimWhitespacesAroundQuotes(true);
  }

  private static CsvReaderBuilder parser(char delimiter) {
    return de.siegmar.fastcsv.reader.CsvReader.builder().fieldSeparator(delimiter);
  }

  /**
   * The fields of a record.
   *
   * @throws CsvParseException if quotes are not balanced
   */
  String[] of(String record) {
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
  boolean isOpen(String record) {
    return record.indexOf('"') >= 0 && Delimiters.endsInQuotes(record, delimiter);
  }
}
