package org.avm4j.io;

import static org.avm4j.data.BadDataException.quote;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.avm4j.data.BadDataException;
import org.avm4j.data.Column;
import org.avm4j.data.Decimal;
import org.avm4j.data.Schema;

/**
 * Reads one JSON object a line, or an array of objects: {@code {"label": 1, "features": {"age": 42,
 * "colour": "red"}}}, or the features as an array, whose columns are then called x1, x2, … A number
 * is a number, true is 1, false is 0, a text is a category, null is missing, and an absent name is
 * 0. Without the key features, all keys but the label are columns, and an absent one is missing:
 * {@code {"label": 1, "age": 42}}.
 */
final class JsonReader extends RowReader {
  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private static final int MOST_BLANKS = 1000;
  private static final String BLANKS = " \t\r\n";
  private static final String BROKEN = "the JSON array is broken here";

  private final String labelName;
  private final JsonParser array;
  private Consumer<Map<String, Flat>> look;

  /** Whether the end of the array was read, with or without an error. */
  private boolean isArrayOver;

  JsonReader(String name, InputStream in, ReadOptions options, Schema schema) throws IOException {
    super(new Lines(name, in), options, schema);
    labelName = labelName(options, schema);
    array = array(in);
    if (options.labelled()) {
      schema.describe(schema.origin().of(labelName, 0, 0, true));
    }
    allowed(schema::checkHasNames);
  }

  /**
   * Examines the rows of a file that have their columns as keys, and reads none. Rows that are bad
   * are told when they are learned.
   */
  void examine(Consumer<Map<String, Flat>> rows) throws IOException {
    look = rows;
    boolean isOver = false;
    while (!isOver) {
      try {
        isOver = !next();
      } catch (BadDataException refused) {
        continue;
      }
    }
  }

  private static String labelName(ReadOptions options, Schema schema) {
    String known = schema.origin().label() == null ? "label" : schema.origin().label();
    return options.label() == null ? known : options.label();
  }

  @Override
  boolean readRow() throws IOException {
    if (array != null) {
      return readElement();
    }
    do {
      if (!lines.next()) {
        return false;
      }
    } while (lines.text().isBlank());
    startsAt(lines.number());
    try (JsonParser json =
        JSON.createParser(lines.bytes(), lines.start(), lines.end() - lines.start())) {
      set(() -> readObject(json));
    } catch (BadDataException e) {
      throw e;
    } catch (IOException e) {
      throw bad("expected one JSON object a line, found " + quote(lines.text()));
    }
    return true;
  }

  /** A parser of an array of rows if the text starts with one, at its first element; else null. */
  private JsonParser array(InputStream in) throws IOException {
    int first;
    int skipped = 0;
    in.mark(MOST_BLANKS);
    do {
      first = in.read();
    } while (first >= 0 && BLANKS.indexOf(first) >= 0 && ++skipped < MOST_BLANKS);
    in.reset();
    if (first != '[') {
      return null;
    }
    JsonParser parser = JSON.createParser(in);
    try {
      parser.nextToken();
    } catch (JsonProcessingException broken) {
      startsAt(1);
      throw bad(BROKEN);
    }
    return parser;
  }

  /** Reads the next object of the array; anything that is no JSON ends the reading. */
  private boolean readElement() throws IOException {
    try {
      return readNextElement();
    } catch (JsonProcessingException broken) {
      throw new DamagedDataException(bad(BROKEN).getMessage(), broken);
    }
  }

  private boolean readNextElement() throws IOException {
    if (isArrayOver) {
      return false;
    }
    JsonToken token = array.nextToken();
    startsAt(array.currentLocation().getLineNr());
    if (token == null || token == JsonToken.END_ARRAY) {
      isArrayOver = true;
      check(array.nextToken() == null, "expected nothing after the JSON array");
      return false;
    }
    try {
      check(token == JsonToken.START_OBJECT, "expected an array of JSON objects");
      set(() -> readRow(array));
      return true;
    } catch (BadDataException refused) {
      passOver();
      throw refused;
    }
  }

  /** Moves to the end of the element in which the parser is. */
  private void passOver() throws IOException {
    if (array.currentToken().isStructStart()) {
      array.skipChildren();
    }
    while (!array.getParsingContext().getParent().inRoot()) {
      array.nextToken();
    }
  }

  private void readObject(JsonParser json) throws IOException {
    check(json.nextToken() == JsonToken.START_OBJECT, "expected a JSON object");
    readRow(json);
    check(json.nextToken() == null, "expected one JSON object a line");
  }

  /**
   * Reads the keys of an object: the label, and the features, or else all other keys as columns.
   */
  private void readRow(JsonParser json) throws IOException {
    boolean labelled = !options.labelled() || schema.isFrozen() || options.table().namedLabelOnly();
    boolean featured = false;
    boolean weighted = weightName() == null || schema.isFrozen();
    String label = null;
    Map<String, Flat> flat = new LinkedHashMap<>();
    for (String key = json.nextFieldName(); key != null; key = json.nextFieldName()) {
      json.nextToken();
      if (isLabel(key) && (look == null || !options.labelled())) {
        check(label == null, "expected one label, found \"" + label + "\" and \"" + key + "\"");
        label = key;
        readLabel(json);
        labelled = true;
      } else if (look == null && key.equals(weightName())) {
        readWeight(json);
        weighted = true;
      } else if (key.equals("features")) {
        featured = true;
        if (look == null) {
          readFeatures(json);
        } else {
          json.skipChildren();
        }
      } else {
        JsonToken token = json.currentToken();
        flat.put(key, new Flat(token, token.isScalarValue() ? text(json) : null));
        json.skipChildren();
      }
    }
    if (look != null) {
      if (!featured) {
        look.accept(flat);
      }
      return;
    }
    check(labelled, "expected the key \"" + labelName + "\"");
    check(weighted, "expected the key \"" + weightName() + "\" with the weight");
    check(featured || !flat.isEmpty(), "expected the key \"features\"");
    if (!featured) {
      setFlat(flat);
    }
  }

  private String weightName() {
    return options.table().weight();
  }

  private void readWeight(JsonParser json) throws IOException {
    check(json.currentToken().isScalarValue(), "the weight must be a number");
    String text = text(json);
    allowed(() -> setWeight(text));
  }

  /**
   * A value of a row without the key "features".
   *
   * @param text the value, null if it is missing or no scalar
   */
  record Flat(JsonToken token, String text) {
    /** Whether the value is a text, though it looks like a number. */
    boolean isQuotedNumber() {
      return token == JsonToken.VALUE_STRING && Decimal.isNumber(text);
    }
  }

  /** Sets the columns of a row; a column that the row lacks is missing, as in the service. */
  private void setFlat(Map<String, Flat> flat) throws BadDataException {
    for (Column absent : allowed(() -> absent(flat.keySet()))) {
      allowed(() -> row.missing(absent));
    }
    for (Map.Entry<String, Flat> value : flat.entrySet()) {
      Flat of = value.getValue();
      if (schema.origin().ignored().contains(value.getKey())) {
        continue;
      }
      checkScalar(value.getKey(), of.token);
      allowed(() -> set(value.getKey(), of.token, of.text));
    }
  }

  /** The columns that are not among these keys; a row to be learned may have new columns only. */
  private List<Column> absent(Set<String> keys) {
    return schema.isFrozen()
        ? schema.absent(keys)
        : schema.columns().stream().filter(column -> !keys.contains(column.name())).toList();
  }

  /** The name of the label, if one of these keys is it. */
  Optional<String> label(Collection<String> keys) {
    return keys.stream().filter(key -> options.labelled() && isLabel(key)).findFirst();
  }

  private boolean isLabel(String key) {
    boolean isPlain = options.label() == null && key.equals("label");
    return key.equals(labelName) || isPlain && schema.column(key) == null;
  }

  private void readLabel(JsonParser json) throws IOException {
    if (!options.labelled()) {
      json.skipChildren();
      return;
    }
    check(json.currentToken().isScalarValue(), "the label must be a number, a text or null");
    String text = text(json);
    boolean isUnknown = text != null && (text.isEmpty() || text.equals("?"));
    allowed(() -> setLabel(isUnknown ? null : text));
  }

  private void readFeatures(JsonParser json) throws IOException {
    if (json.currentToken() == JsonToken.START_ARRAY) {
      for (int i = 1; json.nextToken() != JsonToken.END_ARRAY; i++) {
        readValue("x" + i, json);
      }
      return;
    }
    check(json.currentToken() == JsonToken.START_OBJECT, "features must be an object or an array");
    for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
      json.nextToken();
      readValue(name, json);
    }
  }

  private void readValue(String name, JsonParser json) throws IOException {
    JsonToken token = json.currentToken();
    checkScalar(name, token);
    String text = text(json);
    allowed(() -> set(name, token, text));
  }

  private void checkScalar(String name, JsonToken token) throws BadDataException {
    if (!token.isScalarValue()) {
      throw bad("column '" + name + "' must hold a number, a text, true, false or null");
    }
  }

  private void set(String name, JsonToken token, String text) {
    if (token == JsonToken.VALUE_NULL) {
      row.missing(name);
      return;
    }
    boolean isText = token == JsonToken.VALUE_STRING;
    Column column = schema.column(name, !isText);
    if (column != null && isText && isTextAmongNumbers(column, text)) {
      row.missing(column);
    } else if (column != null) {
      row.set(column, text);
    }
  }

  /** Whether a text stands in a column that {@code --numeric} made one of numbers. */
  private boolean isTextAmongNumbers(Column column, String text) {
    return column.isNumeric()
        && !column.accepts(text)
        && !ColumnPatterns.findAny(options.table().numeric(), List.of(column.name())).isEmpty();
  }

  private static String text(JsonParser json) throws IOException {
    return switch (json.currentToken()) {
      case VALUE_NULL -> null;
      case VALUE_TRUE -> "1";
      case VALUE_FALSE -> "0";
      default -> json.getText();
    };
  }

  private void check(boolean holds, String sentence) throws BadDataException {
    if (!holds) {
      throw bad(sentence);
    }
  }
}
