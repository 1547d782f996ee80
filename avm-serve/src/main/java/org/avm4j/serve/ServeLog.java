package org.avm4j.serve;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** The log: one JSON object a line. */
final class ServeLog {
  private final Consumer<String> lines;

  ServeLog(Consumer<String> lines) {
    this.lines = lines;
  }

  void write(String event, Map<String, ?> more) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("time", Instant.now().toString());
    line.put("event", event);
    line.putAll(more);
    lines.accept(JsonValues.text(line));
  }
}
