package org.avm4j.flink.job;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import org.avm4j.flink.AvmAnswer;
import org.avm4j.flink.AvmRow;
import org.avm4j.flink.DeadLetter;
import org.avm4j.flink.LateLabel;
import org.avm4j.flink.ModelUpdate;

/** Writes the output of a job as one JSON object per line, and reads back models. */
final class JsonLines {
  private static final JsonFactory JSON = new JsonFactory();

  private JsonLines() {}

  static String of(AvmAnswer answer) {
    return object(
        out -> {
          out.writeStringField("key", answer.key());
          if (answer.id() != null) {
            out.writeStringField("id", answer.id());
          }
          scalar(out, "label", answer.label());
          doubles(out, "scores", answer.scores());
          if (answer.probabilities().length > 0) {
            doubles(out, "probabilities", answer.probabilities());
          }
          if (answer.interval() != null) {
            out.writeArrayFieldStart("interval");
            number(out, answer.interval().low());
            number(out, answer.interval().high());
            out.writeEndArray();
          }
          if (answer.labels() != null) {
            out.writeArrayFieldStart("labels");
            for (Object label : answer.labels()) {
              scalar(out, label);
            }
            out.writeEndArray();
          }
          if (answer.isFar()) {
            out.writeBooleanField("far", true);
          }
          if (answer.truth() != null) {
            scalar(out, "truth", answer.truth());
          }
          out.writeStringField("version", answer.version());
        });
  }

  static String of(DeadLetter letter) {
    return object(
        out -> {
          out.writeStringField("row", letter.row());
          out.writeStringField("kind", letter.kind());
          out.writeStringField("reason", letter.reason());
        });
  }

  /** A row whose label did not arrive in time. */
  static String expired(AvmRow row) {
    return object(
        out -> {
          out.writeStringField("expired", "row");
          out.writeStringField("key", row.key());
          out.writeStringField("id", row.id());
        });
  }

  /** A label whose row did not arrive in time. */
  static String expired(LateLabel label) {
    return object(
        out -> {
          out.writeStringField("expired", "label");
          out.writeStringField("key", label.key());
          out.writeStringField("id", label.id());
          scalar(out, "label", label.label());
        });
  }

  static String of(ModelUpdate model) {
    return object(
        out -> {
          out.writeStringField("key", model.key());
          out.writeStringField("version", model.version());
          out.writeStringField("model", Base64.getEncoder().encodeToString(model.bytes()));
        });
  }

  /** Parses a model that {@link #of(ModelUpdate)} wrote. */
  static ModelUpdate model(String line) {
    Map<String, String> fields = new HashMap<>();
    try (JsonParser in = JSON.createParser(line)) {
      if (in.nextToken() != JsonToken.START_OBJECT) {
        throw new IllegalArgumentException("a model must be a JSON object");
      }
      for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
        fields.put(name, in.nextTextValue());
      }
    } catch (IOException wrong) {
      throw new IllegalArgumentException("a model must be a JSON object");
    }
    String model = fields.get("model");
    String version = fields.get("version");
    if (model == null || version == null) {
      throw new IllegalArgumentException("a model must have a \"version\" and a \"model\"");
    }
    return new ModelUpdate(
        fields.getOrDefault("key", "model"), version, Base64.getDecoder().decode(model));
  }

  private static String object(Content content) {
    StringWriter text = new StringWriter(256);
    try (JsonGenerator out = JSON.createGenerator(text)) {
      out.writeStartObject();
      content.write(out);
      out.writeEndObject();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return text.toString();
  }

  private static void scalar(JsonGenerator out, String name, Object value) throws IOException {
    out.writeFieldName(name);
    scalar(out, value);
  }

  private static void scalar(JsonGenerator out, Object value) throws IOException {
    if (value instanceof Double number) {
      number(out, number);
    } else if (value == null) {
      out.writeNull();
    } else {
      out.writeString(value.toString());
    }
  }

  private static void number(JsonGenerator out, double number) throws IOException {
    if (number == Math.rint(number) && Math.abs(number) < 1e15) {
      out.writeNumber((long) number);
    } else if (Double.isFinite(number)) {
      out.writeNumber(number);
    } else {
      out.writeNull();
    }
  }

  private static void doubles(JsonGenerator out, String name, double[] values) throws IOException {
    out.writeArrayFieldStart(name);
    for (double value : values) {
      out.writeNumber(value);
    }
    out.writeEndArray();
  }

  private interface Content {
    void write(JsonGenerator out) throws IOException;
  }
}
