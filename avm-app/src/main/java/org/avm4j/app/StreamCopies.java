package org.avm4j.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Temporary copies of streams. They are deleted when the program ends, also by Ctrl-C. */
final class StreamCopies {
  private final Map<String, String> names = new LinkedHashMap<>();

  private StreamCopies() {}

  /**
   * Copies streams, "-" for standard input. A copy keeps the extension, which may show the format.
   */
  static StreamCopies of(List<String> streams) throws IOException {
    StreamCopies copies = new StreamCopies();
    for (String stream : streams) {
      boolean isInput = stream.equals("-");
      Path name = Path.of(isInput ? "" : stream).getFileName();
      Path copy = Files.createTempFile("avm-copy", isInput ? "" : "-" + name);
      copy.toFile().deleteOnExit();
      copies.names.put(copy.toString(), isInput ? "standard input" : stream);
      try (var out = Files.newOutputStream(copy)) {
        if (isInput) {
          System.in.transferTo(out);
        } else {
          Files.copy(Path.of(stream), out);
        }
      }
    }
    return copies;
  }

  List<String> files() {
    return new ArrayList<>(names.keySet());
  }

  /** Replaces the names of the copies in a sentence by those of the streams. */
  String named(String sentence) {
    String named = sentence;
    for (Map.Entry<String, String> name : names.entrySet()) {
      named = named.replace(name.getKey(), name.getValue());
    }
    return named;
  }

  void delete() throws IOException {
    for (String file : names.keySet()) {
      Files.deleteIfExists(Path.of(file));
    }
  }
}
