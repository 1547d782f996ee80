package org.avm4j.flink;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.flink.core.memory.DataInputView;
import org.avm4j.Features;
import org.avm4j.data.Row;

/** Reads rows and scalars in version 1 of the formats, which preceded the format of the core. */
final class FirstFormat {
  private FirstFormat() {}

  static AvmRow row(DataInputView in) throws IOException {
    return new AvmRow(Formats.text(in), Formats.text(in), values(in), scalar(in), in.readDouble());
  }

  static LateLabel lateLabel(DataInputView in) throws IOException {
    return new LateLabel(Formats.text(in), Formats.text(in), scalar(in), in.readDouble());
  }

  static AvmAnswer answer(DataInputView in) throws IOException {
    return new AvmAnswer(
        Formats.text(in),
        Formats.text(in),
        scalar(in),
        Formats.doubles(in),
        Formats.doubles(in),
        scalar(in),
        Formats.text(in));
  }

  private static Row.Values values(DataInputView in) throws IOException {
    byte form = in.readByte();
    return switch (form) {
      case 0 -> new Row.Indexed(features(in));
      case 1 -> new Row.Named(named(in));
      case 2 -> new Row.Texts(texts(in));
      default -> throw new IOException("a row has the unknown form " + form);
    };
  }

  private static Map<String, Object> named(DataInputView in) throws IOException {
    Map<String, Object> columns = new LinkedHashMap<>();
    for (int n = in.readInt(); n > 0; n--) {
      columns.put(Formats.text(in), scalar(in));
    }
    return columns;
  }

  private static Map<String, String> texts(DataInputView in) throws IOException {
    Map<String, String> columns = new LinkedHashMap<>();
    for (int n = in.readInt(); n > 0; n--) {
      columns.put(Formats.text(in), Formats.text(in));
    }
    return columns;
  }

  /** Dimension (4), count (4), and for each entry its index (4) and value (8). */
  private static Features features(DataInputView in) throws IOException {
    int dimension = in.readInt();
    Features.Buffer buffer = new Features.Buffer();
    for (int n = in.readInt(); n > 0; n--) {
      buffer.add(in.readInt(), in.readDouble());
    }
    if (dimension > buffer.features().dimension()) {
      buffer.add(dimension - 1, 0);
    }
    return buffer.features();
  }

  /** A number, a text, a boolean or null, after a byte for its type. */
  static Object scalar(DataInputView in) throws IOException {
    byte tag = in.readByte();
    return switch (tag) {
      case 0 -> null;
      case 1 -> in.readDouble();
      case 2 -> in.readLong();
      case 3 -> false;
      case 4 -> true;
      case 5 -> Formats.text(in);
      default -> throw new IOException("a row holds a value of the unknown kind " + tag);
    };
  }
}
