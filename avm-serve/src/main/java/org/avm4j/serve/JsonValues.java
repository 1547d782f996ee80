package org.avm4j.serve;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads and writes JSON. Numbers are {@link Long} or {@link Double}; hostile input is refused. */
final class JsonValues {
  private static final int DEPTH = 32;
  private static final int NUMBER = 400;

  static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(DEPTH)
                  .maxNumberLength(NUMBER)
                  .maxStringLength(1 << 20)
                  .maxNameLength(1 << 10)
                  .build())
          .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
          .enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER)
          .build();

  private JsonValues() {}

  /** Parses a text that holds exactly one value. */
  static Object parse(byte[] text) {
    try (JsonParser in = FACTORY.createParser(text)) {
      in.nextToken();
      Object value = value(in);
      if (in.nextToken() != null) {
        throw malformed(in, "expected a single JSON value");
      }
      return value;
    } catch (IOException wrong) {
      throw malformed(wrong);
    }
  }

  /** Parses values that follow each other, as in NDJSON; an array stands for its elements. */
  static List<Object> all(byte[] text) {
    List<Object> all = new ArrayList<>();
    try (JsonParser in = FACTORY.createParser(text)) {
      while (in.nextToken() != null) {
        Object value = value(in);
        all.addAll(value instanceof List<?> list ? list : Collections.singletonList(value));
      }
      return all;
    } catch (IOException wrong) {
      throw malformed(wrong);
    }
  }

  /** Parses a text that holds an object; an empty text counts as an empty object. */
  @SuppressWarnings("unchecked")
  static Map<String, Object> object(byte[] text) {
    if (text.length == 0) {
      return new LinkedHashMap<>();
    }
    if (!(parse(text) instanceof Map<?, ?> map)) {
      throw Problem.malformed("expected a JSON object");
    }
    return (Map<String, Object>) map;
  }

  /** The value that begins at the current token. */
  static Object value(JsonParser in) throws IOException {
    JsonToken token = in.currentToken();
    if (token == null) {
      throw malformed(in, "expected a JSON value, found nothing");
    }
    return switch (token) {
      case START_OBJECT -> object(in);
      case START_ARRAY -> array(in);
      default -> scalar(in);
    };
  }

  private static Map<String, Object> object(JsonParser in) throws IOException {
    Map<String, Object> object = new LinkedHashMap<>();
    int n = 0;
    for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
      in.nextToken();
      object.put(name, value(in));
      checkNew(in, name, ++n, object);
    }
    return object;
  }

  /** Refuses a duplicate name: the map then has fewer entries than the {@code n} that were read. */
  static void checkNew(JsonParser in, String name, int n, Map<String, ?> object) {
    if (object.size() < n) {
      throw malformed(in, "a key must appear only once in an object").with("column", name);
    }
  }

  private static List<Object> array(JsonParser in) throws IOException {
    List<Object> array = new ArrayList<>();
    while (in.nextToken() != JsonToken.END_ARRAY) {
      array.add(value(in));
    }
    return array;
  }

  /** The text, number, boolean or null at the current token. */
  static Object scalar(JsonParser in) throws IOException {
    return switch (in.currentToken()) {
      case VALUE_STRING -> in.getText();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      case VALUE_NUMBER_INT -> whole(in);
      case VALUE_NUMBER_FLOAT -> in.getDoubleValue();
      default -> throw malformed(in, "expected a number, a string, true, false or null");
    };
  }

  private static Number whole(JsonParser in) throws IOException {
    return switch (in.getNumberType()) {
      case INT, LONG -> in.getLongValue();
      default -> in.getDoubleValue();
    };
  }

  static Problem malformed(JsonParser in, String sentence) {
    return Problem.malformed(sentence).with("line", in.currentLocation().getLineNr());
  }

  /** A problem for an error of the parser, in our own words instead of the parser's. */
  static Problem malformed(IOException wrong) {
    if (wrong instanceof JsonProcessingException json) {
      String sentence =
          json instanceof StreamConstraintsException
              ? "the JSON has a number, key or string that is too long, or is nested too deeply"
              : json instanceof JsonEOFException ? "the JSON is incomplete" : "expected JSON";
      JsonLocation place = json.getLocation();
      return place == null
          ? Problem.malformed(sentence)
          : Problem.malformed(sentence + ", at character " + place.getColumnNr() + " of a line")
              .with("line", place.getLineNr());
    }
    return Problem.malformed("expected JSON in UTF-8");
  }

  /** A text for display: cut to a length, control characters and unpaired surrogates replaced. */
  static String shortened(String text, int longest) {
    String whole = String.valueOf(text);
    String first = whole.length() > longest ? whole.substring(0, longest) + "…" : whole;
    return first.replaceAll("[\\p{Cntrl}\\p{Cs}]", "?");
  }

  /** An object with these members in this order, given as alternating names and values. */
  static Map<String, Object> members(Object... namesAndValues) {
    Map<String, Object> members = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      members.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return members;
  }

  static byte[] bytes(Object value) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(256);
    try (JsonGenerator json = FACTORY.createGenerator(out)) {
      write(json, value);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return out.toByteArray();
  }

  static String text(Object value) {
    return new String(bytes(value), StandardCharsets.UTF_8);
  }

  /**
   * Writes maps, lists, arrays of numbers, answers and plain values; NaN and infinity become null.
   */
  static void write(JsonGenerator out, Object value) throws IOException {
    if (value instanceof Map<?, ?> map) {
      out.writeStartObject();
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        writeField(out, entry.getKey().toString(), entry.getValue());
      }
      out.writeEndObject();
    } else if (value instanceof Iterable<?> list) {
      out.writeStartArray();
      for (Object element : list) {
        write(out, element);
      }
      out.writeEndArray();
    } else if (value instanceof double[] numbers) {
      write(out, numbers);
    } else if (value instanceof Answer answer) {
      answer.write(out);
    } else {
      writePlain(out, value);
    }
  }

  static void writeField(JsonGenerator out, String name, Object value) throws IOException {
    out.writeFieldName(name);
    write(out, value);
  }

  static void write(JsonGenerator out, double[] numbers) throws IOException {
    out.writeStartArray();
    for (double number : numbers) {
      write(out, number);
    }
    out.writeEndArray();
  }

  static void write(JsonGenerator out, double number) throws IOException {
    if (!Double.isFinite(number)) {
      out.writeNull();
    } else if (number == Math.rint(number) && Math.abs(number) < 1e15) {
      out.writeNumber((long) number);
    } else {
      out.writeNumber(number);
    }
  }

  private static void writePlain(JsonGenerator out, Object value) throws IOException {
    if (value instanceof Integer || value instanceof Long) {
      out.writeNumber(((Number) value).longValue());
    } else if (value instanceof Number number) {
      write(out, number.doubleValue());
    } else if (value instanceof Boolean flag) {
      out.writeBoolean(flag);
    } else if (value == null) {
      out.writeNull();
    } else {
      out.writeString(value.toString());
    }
  }
}
