package org.avm4j.serve;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.table.RefusedRowException.Reason;

/**
 * Counts refused rows by reason, and keeps the last 20. Thread-safe.
 *
 * <p>In a snapshot, section {@code refusals}: the number of reasons (4), and the name (text) and
 * count (8) of each; the number of refusals kept (4), and the sequence number (8), reason (text)
 * and sentence (text) of each.
 */
final class Refusals {
  private static final int KEPT = 20;
  private static final int MAX_REASONS = 100;

  private final Map<String, Long> counts = new TreeMap<>();
  private final Deque<Refusal> last = new ArrayDeque<>();

  Refusals() {
    for (Reason reason : Reason.values()) {
      counts.put(reason.word(), 0L);
    }
  }

  /** The refusals in a snapshot of an older version, which has no reasons. */
  static Refusals earlier(long count, String lastSentence) {
    Refusals earlier = new Refusals();
    if (count > 0) {
      earlier.add(new Refusal(0, "unknown", lastSentence));
      earlier.counts.put("unknown", count);
    }
    return earlier;
  }

  synchronized void add(Refusal refusal) {
    counts.merge(refusal.reason(), 1L, Long::sum);
    last.addLast(refusal);
    if (last.size() > KEPT) {
      last.removeFirst();
    }
  }

  /**
   * An immutable copy of the refusals.
   *
   * @param counts the number of refusals by reason; zero for reasons that did not occur
   * @param last the last of them, the newest first
   */
  record Counted(Map<String, Long> counts, List<Refusal> last) {
    long total() {
      return counts.values().stream().mapToLong(count -> count).sum();
    }

    /** Why the last row was refused; empty if none was. */
    String lastSentence() {
      return last.isEmpty() ? "" : last.get(0).sentence();
    }

    Map<String, Object> json() {
      return Map.of("counts", counts, "last", last.stream().map(Refusal::json).toList());
    }
  }

  synchronized Counted counted() {
    List<Refusal> newest = new ArrayList<>(last);
    Collections.reverse(newest);
    return new Counted(new TreeMap<>(counts), newest);
  }

  void encode(Encoder out) {
    out.int32(counts.size());
    counts.forEach(
        (reason, count) -> {
          out.text(reason);
          out.int64(count);
        });
    out.int32(last.size());
    for (Refusal refusal : last) {
      out.int64(refusal.sequence());
      out.text(refusal.reason());
      out.text(refusal.detail());
    }
  }

  static Refusals decode(Decoder in) throws ModelFileException {
    Refusals refusals = new Refusals();
    for (int n = in.int32("the reasons", MAX_REASONS); n > 0; n--) {
      refusals.counts.put(in.text(), in.count("the refused rows"));
    }
    for (int n = in.int32("the refusals", KEPT); n > 0; n--) {
      refusals.last.add(new Refusal(in.count("the sequence"), in.text(), in.text()));
    }
    return refusals;
  }
}
