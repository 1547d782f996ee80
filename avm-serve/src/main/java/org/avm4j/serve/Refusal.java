package org.avm4j.serve;

import java.util.LinkedHashMap;
import java.util.Map;
import org.avm4j.table.RefusedRowException;

/**
 * A row that was not learned.
 *
 * @param sequence its number in the store; 0 if it was refused before it was stored
 * @param reason the name of the reason in JSON and metrics
 * @param detail why, in one sentence
 */
record Refusal(long sequence, String reason, String detail) {
  private static final int LONGEST = 300;

  Refusal {
    detail = JsonValues.shortened(detail, LONGEST);
  }

  /** A refusal for an exception; any but a {@link RefusedRowException} has the reason "error". */
  static Refusal of(long sequence, RuntimeException thrown) {
    String reason =
        thrown instanceof RefusedRowException refused ? refused.reason().word() : "error";
    return new Refusal(sequence, reason, String.valueOf(thrown.getMessage()));
  }

  /** The detail, after the number of the row if it has one. */
  String sentence() {
    return sequence == 0 ? detail : "row " + sequence + ": " + detail;
  }

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    if (sequence > 0) {
      json.put("sequence", sequence);
    }
    json.put("reason", reason);
    json.put("detail", detail);
    return json;
  }
}
