package org.avm4j.flink.job;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.avm4j.data.Decimal;
import org.avm4j.data.Missing;
import org.avm4j.data.Row;
import org.avm4j.data.UnicodeText;
import org.avm4j.flink.AvmRow;
import org.avm4j.flink.LateLabel;

/**
 * Parses lines of text into rows: a JSON object or the fields of a CSV record by column name, or a
 * line of LIBSVM. A malformed line throws an {@link IllegalArgumentException}.
 *
 * @param form the format of a line
 * @param columns the names of the columns; empty for JSON whose columns are added when they first
 *     appear
 * @param key the column of the key; null if all rows share one learner
 * @param label the column of the label
 * @param id the column of the id
 * @param weight the column of the weight
 */
record RowFormat(
    Form form, List<String> columns, String key, String label, String id, String weight)
    implements Serializable {

  enum Form {
    /** An object. */
    JSON,
    /** Fields between commas. */
    CSV,
    /** A label, then 1-based indices with values. */
    LIBSVM
  }

  /** The longest line that is parsed. */
  private static final int MOST = 1 << 20;

  private static final Pattern WHOLE = Pattern.compile("-?\\d+\\.0+");

  /** The key if all rows share one learner. */
  static final String ONE_KEY = "all";

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(32)
                  .maxNumberLength(400)
                  .maxNameLength(1 << 10)
                  .build())
          .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
          .build();

  /** Parses a row; null for a line of CSV that holds the names of the columns. */
  AvmRow row(String line) {
    if (form == Form.LIBSVM) {
      return LibsvmLine.row(line);
    }
    Map<String, Object> fields = fields(line);
    if (isCsv() && List.copyOf(fields.values()).equals(columns)) {
      return null;
    }
    String itsKey = key == null ? ONE_KEY : text(fields.remove(key), key);
    Object itsId = id(fields.remove(id));
    Object itsLabel = label(fields.remove(label));
    double itsWeight = weight(fields.remove(weight));
    if (fields.isEmpty()) {
      throw new IllegalArgumentException("a row must have at least one column");
    }
    return new AvmRow(itsKey, null, values(fields), itsLabel, itsWeight).withId(itsId);
  }

  /** Parses a label with its key and id, and perhaps a weight. */
  LateLabel lateLabel(String line) {
    Map<String, Object> fields = fields(line);
    String itsKey = key == null ? ONE_KEY : text(fields.get(key), key);
    Object itsLabel = label(fields.get(label));
    if (itsLabel == null) {
      throw new IllegalArgumentException("expected a label under '" + label + "'");
    }
    Object itsId = id(fields.get(id));
    if (itsId == null) {
      throw missing(id);
    }
    return LateLabel.of(itsKey, itsId, itsLabel, weight(fields.get(weight)));
  }

  private Map<String, Object> fields(String line) {
    if (line.length() > MOST) {
      throw new IllegalArgumentException(
          "a row must have at most " + MOST + " characters: " + line.length());
    }
    return isCsv() ? csv(line) : json(line);
  }

  private boolean isCsv() {
    return form == Form.CSV;
  }

  private Row.Values values(Map<String, Object> fields) {
    if (!isCsv()) {
      return new Row.Named(fields);
    }
    Map<String, String> texts = new LinkedHashMap<>();
    fields.forEach((name, value) -> texts.put(name, (String) value));
    return new Row.Texts(texts);
  }

  /** The fields of a record of CSV, without blanks and without the mark at the start of a file. */
  static List<String> csvFields(String line) {
    String text = line.startsWith("\ufeff") ? line.substring(1) : line;
    List<String> found = new ArrayList<>();
    try (CsvReader<CsvRecord> in =
        CsvReader.builder().allowUnclosedQuote(false).ofCsvRecord(text)) {
      in.forEach(record -> record.getFields().forEach(field -> found.add(field.strip())));
    } catch (CsvParseException | IOException wrong) {
      throw new IllegalArgumentException(
          "malformed CSV: a quoted field must end with a quote, followed by a comma or nothing");
    }
    return found;
  }

  private Map<String, Object> csv(String line) {
    List<String> found = csvFields(line);
    if (found.size() != columns.size()) {
      throw new IllegalArgumentException(
          "expected " + columns.size() + " fields, found " + found.size());
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    for (int i = 0; i < found.size(); i++) {
      fields.put(columns.get(i), found.get(i));
    }
    return fields;
  }

  private Map<String, Object> json(String line) {
    Map<String, Object> fields = new LinkedHashMap<>();
    try (JsonParser in = JSON.createParser(line)) {
      if (in.nextToken() != JsonToken.START_OBJECT) {
        throw new IllegalArgumentException("a row must be a JSON object");
      }
      for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
        in.nextToken();
        UnicodeText.check("the name of a column", name);
        if (fields.put(name, scalar(in, name)) != null) {
          throw new IllegalArgumentException("column '" + name + "' must appear only once");
        }
      }
      if (in.nextToken() != null) {
        throw new IllegalArgumentException("expected a single JSON object");
      }
    } catch (JsonProcessingException wrong) {
      throw new IllegalArgumentException("expected JSON: " + wrong.getOriginalMessage());
    } catch (IOException impossible) {
      throw new IllegalArgumentException("expected JSON");
    }
    checkKnown(fields.keySet());
    return fields;
  }

  private void checkKnown(Set<String> names) {
    if (columns.isEmpty()) {
      return;
    }
    Set<String> unknown = new HashSet<>(names);
    columns.forEach(unknown::remove);
    unknown.remove(key);
    unknown.remove(label);
    unknown.remove(id);
    unknown.remove(weight);
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException("there is no column '" + unknown.iterator().next() + "'");
    }
  }

  private static Object scalar(JsonParser in, String name) throws IOException {
    return switch (in.currentToken()) {
      case VALUE_STRING -> UnicodeText.check("column '" + name + "'", in.getText());
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      case VALUE_NUMBER_INT -> finite(in.getNumberValue(), name);
      case VALUE_NUMBER_FLOAT -> finite(in.getDoubleValue(), name);
      default ->
          throw new IllegalArgumentException(
              "column '" + name + "' must hold a number, a text, true, false or null");
    };
  }

  private static Number finite(Number number, String name) {
    if (!Double.isFinite(number.doubleValue())) {
      throw new IllegalArgumentException("column '" + name + "' must hold a finite number");
    }
    return number;
  }

  private static String text(Object value, String column) {
    if (value == null || value.toString().isEmpty()) {
      throw missing(column);
    }
    return value instanceof Number number ? Decimal.text(number) : value.toString();
  }

  private static IllegalArgumentException missing(String column) {
    return new IllegalArgumentException("expected a value in column '" + column + "'");
  }

  /** The id in a field; in CSV, 677.0 is the same as 677. */
  private Object id(Object value) {
    if (value == null || value.toString().isEmpty()) {
      return null;
    }
    String text = value.toString();
    boolean isWhole = isCsv() && WHOLE.matcher(text).matches();
    return isWhole ? text.substring(0, text.indexOf('.')) : value;
  }

  /** The label in a field; null for a missing value of CSV. */
  private Object label(Object value) {
    if (!isCsv() || value == null) {
      return value;
    }
    String field = value.toString();
    return Missing.isMissing(field) ? null : field;
  }

  private static double weight(Object value) {
    if (value == null) {
      return 1;
    }
    double weight =
        value instanceof Number number ? number.doubleValue() : Decimal.parse(value.toString());
    if (!(weight > 0)) {
      throw new IllegalArgumentException("a weight must be a number > 0: " + value);
    }
    return weight;
  }
}
