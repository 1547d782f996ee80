package org.avm4j.serve;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A snapshot of a learner that the store keeps.
 *
 * @param number unique within a model; counts up in the order of snapshots
 * @param sequence the last row that the learner had learned
 * @param at when the snapshot was taken, in milliseconds since 1970
 * @param figures the figures of its answers at that time, as a JSON object
 */
record Version(long number, long sequence, long at, String figures) {
  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("version", number);
    json.put("sequence", sequence);
    json.put("at", at);
    json.putAll(JsonValues.object(figures.getBytes(StandardCharsets.UTF_8)));
    return json;
  }
}
