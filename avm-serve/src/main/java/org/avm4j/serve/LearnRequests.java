package org.avm4j.serve;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.avm4j.serve.LearnTask.Outcome;
import org.avm4j.serve.ServedRow.Purpose;

/**
 * Requests to learn: rows, rows to be answered first, and labels that arrive later. They are on
 * disk before the reply.
 */
final class LearnRequests {
  private static final int MAX_KEY = 200;

  /** The values that the row of a label is taken to have. */
  private static final int LABEL_VALUES = 10;

  private static final List<String> LABEL_KEYS = List.of("id", "label", "weight");

  private final RowStore store;
  private final Executor threads;

  LearnRequests(RowStore store, Executor threads) {
    this.store = store;
    this.threads = threads;
  }

  /** The key and digest of a request; null if it has no key. */
  private static RowStore.Request request(Exchange exchange, Supplier<byte[]> digest) {
    List<String> keys = exchange.request.getHeaders().getValuesList("Idempotency-Key");
    String key = keys.isEmpty() ? null : keys.get(0);
    if (keys.size() > 1 || key != null && (key.isBlank() || key.length() > MAX_KEY)) {
      throw Problem.malformed(
          "there must be one Idempotency-Key of 1 to " + MAX_KEY + " characters");
    }
    return key == null ? null : new RowStore.Request(exchange.caller.owner(), key, digest.get());
  }

  /**
   * Stores rows to be learned. The reply waits for the learner only if the validator cannot
   * guarantee that they will be learned.
   */
  void learn(Exchange exchange, ServedModel model, byte[] body) {
    append(exchange, model, body, Purpose.LEARN);
  }

  /** Stores rows to be learned; the reply holds the answer to each from before it was learned. */
  void observe(Exchange exchange, ServedModel model, byte[] body) {
    append(exchange, model, body, Purpose.OBSERVE);
  }

  private void append(Exchange exchange, ServedModel model, byte[] body, Purpose purpose) {
    List<ServedRow> rows =
        RowParser.of(exchange, model, purpose, true).parse(body, exchange.contentType());
    boolean isSure = model.validator().check(model.published(), rows);
    CompletableFuture<Outcome> learned = new CompletableFuture<>();
    CompletableFuture<RowStore.Receipt> written =
        store.append(
            model.id(),
            request(exchange, () -> Fingerprint.ofRows(rows)),
            rows,
            batch -> model.learn(batch, learned));
    boolean isObserved = purpose == Purpose.OBSERVE;
    exchange.reply(
        settled(written, isSure && !isObserved ? null : learned),
        threads,
        settled ->
            settled.reply(
                () -> {
                  Map<String, Object> json = settled.json((sent, row) -> rows.get(sent) == row);
                  if (isObserved) {
                    List<Answer> answers = settled.outcome.answers();
                    json.put("predictions", answers);
                    model.traffic().answered(answers, exchange.nanos());
                  }
                  exchange.json(200, json);
                }));
  }

  /** Stores labels for rows that were answered earlier, so that these are learned. */
  void labels(Exchange exchange, ServedModel model, byte[] body) {
    if (!RowParser.isJson(body, exchange.contentType())) {
      throw new Problem(
          415, "the content type of labels must be application/json or application/x-ndjson");
    }
    List<RowStore.Labelled> labels = labelled(body);
    model.validator().checkLabels(model.published(), labels);
    CompletableFuture<Outcome> learned = new CompletableFuture<>();
    CompletableFuture<RowStore.Receipt> written =
        store.label(
            model.id(),
            request(exchange, () -> Fingerprint.ofLabels(labels)),
            labels,
            batch -> model.learn(batch, learned));
    exchange.reply(
        settled(written, learned),
        threads,
        settled ->
            settled.reply(
                () ->
                    exchange.json(
                        200, settled.json((sent, row) -> labels.get(sent).id().equals(row.id())))));
  }

  /** Whether the row or label at an index of the request, from 0, became a given stored row. */
  interface Origin {
    boolean isAt(int sent, ServedRow row);
  }

  /**
   * The receipt of stored rows, and the outcome of learning them.
   *
   * @param outcome {@link Outcome#NONE} if the reply does not wait for the learner
   */
  record Settled(RowStore.Receipt receipt, Outcome outcome) {
    /**
     * Writes a reply. If that fails, for instance because memory has run out, the error says that
     * the rows are stored, so that a client does not send them again.
     */
    void reply(Runnable write) {
      try {
        write.run();
      } catch (RuntimeException | Error wrong) {
        throw new Problem(
                500,
                "the rows of this request are stored, up to number "
                    + receipt.sequence()
                    + ", and must not be sent again; only the reply failed: "
                    + wrong.getClass().getSimpleName())
            .with("sequence", receipt.sequence());
      }
    }

    Map<String, Object> json(Origin origin) {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("rows", receipt.batch().rows().size() - outcome.refused().size());
      json.put("sequence", receipt.sequence());
      if (!outcome.refused().isEmpty()) {
        json.put("refused", refused(origin));
      }
      if (receipt.duplicates() > 0) {
        json.put("duplicates", receipt.duplicates());
      }
      if (!receipt.unknown().isEmpty()) {
        json.put("unknown", receipt.unknown());
      }
      if (receipt.isRepeated()) {
        json.put("repeated", true);
      }
      return json;
    }

    /** The refused rows with their numbers in the request; both are in the same order. */
    private List<Map<String, Object>> refused(Origin origin) {
      List<Map<String, Object>> all = new ArrayList<>();
      RowStore.Batch batch = receipt.batch();
      int sent = 0;
      for (Refusal refusal : outcome.refused()) {
        ServedRow row = batch.rows().get((int) (refusal.sequence() - batch.first()));
        while (!origin.isAt(sent, row)) {
          sent++;
        }
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("row", sent + 1);
        one.putAll(refusal.json());
        all.add(one);
      }
      return all;
    }
  }

  /**
   * Completes when rows are on disk and, if the reply waits for the learner, are learned.
   *
   * @param learned null if the reply does not wait for the learner
   */
  private static CompletableFuture<Settled> settled(
      CompletableFuture<RowStore.Receipt> written, CompletableFuture<Outcome> learned) {
    return written.thenCompose(
        receipt -> {
          boolean waits =
              learned != null && !receipt.isRepeated() && !receipt.batch().rows().isEmpty();
          return (waits ? learned : CompletableFuture.completedFuture(Outcome.NONE))
              .thenApply(outcome -> new Settled(receipt, outcome));
        });
  }

  private static List<RowStore.Labelled> labelled(byte[] body) {
    RequestCost cost = RequestCost.stored();
    List<RowStore.Labelled> labels = new ArrayList<>();
    for (Object each : JsonValues.all(body)) {
      int number = labels.size() + 1;
      cost.addRow();
      cost.addValues(LABEL_VALUES);
      if (!(each instanceof Map<?, ?> map)
          || map.get("id") == null
          || map.get("label") instanceof Map
          || map.get("label") instanceof List) {
        throw Problem.malformed("expected an object with \"id\" and \"label\"").atRow(number);
      }
      checkKeys(map, number);
      double weight = map.containsKey("weight") ? RowParser.weight(map.get("weight")) : 1;
      labels.add(
          new RowStore.Labelled(RowParser.id(map.get("id"), number), map.get("label"), weight));
    }
    if (labels.isEmpty()) {
      throw Problem.malformed("the body contains no labels");
    }
    return labels;
  }

  /** Refuses a label with other keys, one of which may be a misspelled weight. */
  private static void checkKeys(Map<?, ?> label, int number) {
    for (Object key : label.keySet()) {
      if (!LABEL_KEYS.contains(key)) {
        throw Problem.refused("a label has the keys " + LABEL_KEYS + ", found '" + key + "'")
            .atRow(number);
      }
    }
  }
}
