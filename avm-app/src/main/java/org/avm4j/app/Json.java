package org.avm4j.app;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.PrettyPrinter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes maps, lists and plain values as JSON text. */
final class Json {
  private Json() {}

  /** An object with these members: names and values in turn. */
  static Map<String, Object> members(Object... namesAndValues) {
    Map<String, Object> members = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      members.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return members;
  }

  /** The text of an object, ending in a line end. */
  static String of(Map<String, ?> object) {
    return text(object, new DefaultPrettyPrinter()) + '\n';
  }

  /** The text of an object on one line, without a line end. */
  static String line(Map<String, ?> object) {
    return text(object, null);
  }

  private static String text(Map<String, ?> object, PrettyPrinter printer) {
    StringWriter text = new StringWriter();
    try (JsonGenerator out = new JsonFactory().createGenerator(text)) {
      out.setPrettyPrinter(printer);
      write(out, object);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return text.toString();
  }

  private static void write(JsonGenerator out, Object value) throws IOException {
    if (value instanceof Map<?, ?> map) {
      out.writeStartObject();
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        out.writeFieldName(entry.getKey().toString());
        write(out, entry.getValue());
      }
      out.writeEndObject();
    } else if (value instanceof Iterable<?> list) {
      out.writeStartArray();
      for (Object element : list) {
        write(out, element);
      }
      out.writeEndArray();
    } else {
      writePlain(out, value);
    }
  }

  private static void writePlain(JsonGenerator out, Object value) throws IOException {
    if (value instanceof Integer || value instanceof Long) {
      out.writeNumber(((Number) value).longValue());
    } else if (value instanceof Double number && Double.isFinite(number)) {
      out.writeNumber(number);
    } else if (value instanceof Boolean flag) {
      out.writeBoolean(flag);
    } else if (value == null || value instanceof Double) {
      out.writeNull();
    } else {
      out.writeString(value.toString());
    }
  }
}
