package org.avm4j.io;

import static org.avm4j.data.BadDataException.quote;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.io.InputStream;
import org.avm4j.data.BadDataException;
import org.avm4j.data.Column;
import org.avm4j.data.Schema;

/**
 * Reads one JSON object a line: {@code {"label": 1, "features": {"age": 42, "colour": "red"}}}, or
 * the features as an array, whose columns are then called x1, x2, … A number is a number, true is
 * 1, false is 0, a text is a category, null is missing, and an absent name is 0.
 */
final class JsonReader extends RowReader {
  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private final String labelName;

  JsonReader(String name, InputStream in, ReadOptions options, Schema schema) throws IOException {
    super(name, new Lines(name, in), options, schema);
    labelName = labelName(options, schema);
    if (options.labelled()) {
      schema.describe(schema.origin().of(labelName, 0, 0, true));
    }
    allowed(schema::checkHasNames);
  }

  private static String labelName(ReadOptions options, Schema schema) {
    String known = schema.origin().label() == null ? "label" : schema.origin().label();
    return options.label() == null ? known : options.label();
  }

  @Override
  boolean readRow() throws IOException {
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

  private void readObject(JsonParser json) throws IOException {
    check(json.nextToken() == JsonToken.START_OBJECT, "expected a JSON object");
    boolean labelled = !options.labelled() || schema.isFrozen() || options.table().namedLabelOnly();
    boolean featured = false;
    for (String key = json.nextFieldName(); key != null; key = json.nextFieldName()) {
      json.nextToken();
      if (isLabel(key)) {
        readLabel(json);
        labelled = true;
      } else if (key.equals("features")) {
        readFeatures(json);
        featured = true;
      } else {
        json.skipChildren();
      }
    }
    check(labelled, "expected the key \"" + labelName + "\"");
    check(featured, "expected the key \"features\"");
    check(json.nextToken() == null, "expected one JSON object a line");
  }

  private boolean isLabel(String key) {
    return key.equals(labelName) || options.label() == null && key.equals("label");
  }

  private void readLabel(JsonParser json) throws IOException {
    if (!options.labelled()) {
      json.skipChildren();
      return;
    }
    check(json.currentToken().isScalarValue(), "the label must be a number, a text or null");
    String text = text(json);
    allowed(() -> setLabel(text));
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
    if (!token.isScalarValue()) {
      throw bad("column '" + name + "' must hold a number, a text, true, false or null");
    }
    String text = text(json);
    allowed(() -> set(name, token, text));
  }

  private void set(String name, JsonToken token, String text) {
    if (token == JsonToken.VALUE_NULL) {
      row.missing(name);
      return;
    }
    Column column = schema.column(name, token != JsonToken.VALUE_STRING);
    if (column != null) {
      row.set(column, text);
    }
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
