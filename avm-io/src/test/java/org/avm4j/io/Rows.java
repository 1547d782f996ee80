package org.avm4j.io;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.avm4j.data.Instance;
import org.avm4j.data.Schema;

/** Reads texts in tests. */
final class Rows {
  private Rows() {}

  static DataReader reader(String name, String text, ReadOptions options, Schema schema)
      throws IOException {
    return reader(name, text.getBytes(StandardCharsets.UTF_8), options, schema);
  }

  static DataReader reader(String name, byte[] bytes, ReadOptions options, Schema schema)
      throws IOException {
    return DataReader.of(name, new ByteArrayInputStream(bytes), options, schema);
  }

  static List<Instance> all(String name, String text, ReadOptions options, Schema schema)
      throws IOException {
    return all(reader(name, text, options, schema));
  }

  static List<Instance> all(DataReader reader) throws IOException {
    List<Instance> rows = new ArrayList<>();
    try (reader) {
      while (reader.next()) {
        rows.add(new Instance(reader.features().copy(), reader.label()));
      }
    }
    return rows;
  }
}
