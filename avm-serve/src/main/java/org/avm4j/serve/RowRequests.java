package org.avm4j.serve;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.avm4j.Features;
import org.avm4j.Prediction;
import org.avm4j.serve.LearnTask.Outcome;
import org.avm4j.serve.ServedRow.PastAnswer;
import org.avm4j.serve.ServedRow.Purpose;

/**
 * The requests about rows: predict, learn, observe, and labels that arrive later. Rows to be
 * learned are on disk before the reply.
 */
final class RowRequests {
  /** The query parameter for the row that a model must have learned before it answers. */
  static final String MIN_SEQUENCE = "min-sequence";

  /** The query parameter for the column of the label in CSV. */
  static final String LABEL = "label";

  private static final int MAX_KEY = 200;
  private static final long MAX_WAIT_SECONDS = 5;

  /** The answer of a model that has learned nothing. */
  private static final Prediction UNKNOWN =
      new Prediction(Double.NaN, new double[0], new double[0]);

  private final Store store;
  private final Executor threads;

  RowRequests(Store store, Executor threads) {
    this.store = store;
    this.threads = threads;
  }

  private List<ServedRow> rows(
      Exchange exchange, ServedModel model, byte[] body, Purpose purpose, boolean isLabelled) {
    String label = exchange.query(LABEL);
    return new RowParser(model.spec(), purpose, isLabelled, label)
        .parse(body, exchange.contentType());
  }

  /** The key and digest of a request; null if it has no key. */
  private static RowStore.Request request(Exchange exchange, Supplier<byte[]> digest) {
    String key = exchange.header("Idempotency-Key");
    if (key != null && (key.isBlank() || key.length() > MAX_KEY)) {
      throw Problem.malformed("an Idempotency-Key must have 1 to " + MAX_KEY + " characters");
    }
    return key == null ? null : new RowStore.Request(exchange.caller.owner(), key, digest.get());
  }

  /**
   * Completes when a model has learned the row given by {@code min-sequence}, so that clients can
   * read their own writes. Called before the body is read, so that waiting takes no memory.
   *
   * @param now the state that would answer without waiting
   */
  static CompletableFuture<Published> awaitSequence(
      Exchange exchange, ServedModel model, Published now) {
    long wanted = minSequence(exchange.query(MIN_SEQUENCE));
    if (now.sequence() >= wanted) {
      return CompletableFuture.completedFuture(now);
    }
    if (now.version() > 0) {
      boolean isPinned = now.version() == model.champion().version();
      throw new Problem(
              409,
              "version "
                  + now.version()
                  + (isPinned ? " is pinned and will never learn row " : " will never learn row ")
                  + wanted
                  + (isPinned ? "; unpin it to get answers from the latest version" : ""))
          .with("sequence", now.sequence());
    }
    return model
        .published(wanted)
        .orTimeout(MAX_WAIT_SECONDS, TimeUnit.SECONDS)
        .exceptionally(
            late -> {
              throw new Problem(
                      503,
                      "the model did not learn row "
                          + wanted
                          + " within "
                          + MAX_WAIT_SECONDS
                          + " s")
                  .with("sequence", model.published().sequence());
            });
  }

  private static long minSequence(String given) {
    try {
      long sequence = given == null ? 0 : Long.parseLong(given);
      if (sequence >= 0) {
        return sequence;
      }
    } catch (NumberFormatException wrong) {
      // reported below
    }
    throw Problem.malformed("min-sequence must be the number of a row");
  }

  /** Answers rows, and stores those with an id until their label arrives. */
  void predict(Exchange exchange, ServedModel model, byte[] body) {
    Published now = model.champion();
    List<Features> plain =
        RowParser.isJson(body, exchange.contentType()) ? now.plainRows(body) : null;
    if (plain != null) {
      List<Answer> answers = new ArrayList<>(plain.size());
      plain.forEach(row -> answers.add(now.sent(now.answer(row), null)));
      send(exchange, model, now, answers);
    } else {
      predict(exchange, model, now, rows(exchange, model, body, Purpose.LEARN, false));
    }
  }

  private void predict(Exchange exchange, ServedModel model, Published now, List<ServedRow> rows) {
    int quota = exchange.caller.quota(store.limits().pending());
    boolean mayKeep = quota > 0 || store.limits().pending() == 0;
    if (!mayKeep && rows.stream().anyMatch(row -> row.id() != null)) {
      throw new Problem(
          403,
          "a row with an id is learned when its label arrives, which needs a token with the role"
              + " learn or with pending=N");
    }
    List<Prediction> answers = new ArrayList<>(rows.size());
    List<ServedRow> kept = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      ServedRow row = rows.get(i);
      Prediction answer = answer(model, now, row, i + 1);
      answers.add(answer);
      if (row.id() != null) {
        kept.add(row.answered(given(answer, now)));
      }
    }
    if (kept.isEmpty()) {
      send(exchange, model, now, sent(model, now, rows, answers, Map.of()));
    } else {
      exchange.reply(
          store.rows().keep(model.id(), exchange.caller.owner(), quota, kept, model.unlabelled()),
          threads,
          first -> send(exchange, model, now, sent(model, now, rows, answers, first)));
    }
  }

  /** The answer to a row; null for a row with an id if the model has learned nothing yet. */
  private static Prediction answer(ServedModel model, Published now, ServedRow row, int number) {
    if (row.id() != null) {
      model.validator().checkValues(model.published(), row.row(), number);
    }
    boolean isTooEarly = row.id() != null && !now.check().hasLearned();
    return isTooEarly ? null : model.validator().answer(now, row.row(), number);
  }

  private static PastAnswer given(Prediction answer, Published now) {
    return answer == null
        ? null
        : new PastAnswer(answer.label(), answer.scores(), now.sequence(), now.learner());
  }

  private static List<Answer> sent(
      ServedModel model,
      Published now,
      List<ServedRow> rows,
      List<Prediction> answers,
      Map<String, ServedRow> kept) {
    List<Answer> sent = new ArrayList<>(rows.size());
    for (int i = 0; i < rows.size(); i++) {
      String id = rows.get(i).id();
      ServedRow first = id == null ? null : kept.get(id);
      Prediction answer = answers.get(i);
      if (answer != null && first != null && isOf(now, first.pastAnswer())) {
        answer = first(first.pastAnswer(), answer);
      }
      Answer found = answer == null ? Answer.none(id) : now.sent(answer, id);
      boolean isAsked = id != null && model.asks(answer == null ? UNKNOWN : answer);
      sent.add(isAsked ? found.asked() : found);
    }
    return sent;
  }

  /** Whether an earlier answer, which may be null, is by the learner that answers now. */
  private static boolean isOf(Published now, PastAnswer given) {
    return given != null && given.learner() == now.learner();
  }

  private static void send(
      Exchange exchange, ServedModel model, Published now, List<Answer> answers) {
    exchange.json(
        200,
        128 + 48 * answers.size(),
        out -> {
          out.writeStartObject();
          out.writeNumberField("sequence", now.sequence());
          if (now.version() > 0) {
            out.writeNumberField("version", now.version());
          }
          if (!now.classes().isEmpty()) {
            JsonValues.writeField(out, "classes", now.classes());
          }
          out.writeArrayFieldStart("predictions");
          for (Answer answer : answers) {
            answer.write(out);
          }
          out.writeEndArray();
          out.writeEndObject();
        });
    model.traffic().answered(answers, exchange.nanos());
  }

  /** The first answer to a row with an id, which is repeated if a client asks again. */
  private static Prediction first(PastAnswer given, Prediction now) {
    boolean isSame = given.label() == now.label() && Arrays.equals(given.scores(), now.scores());
    return isSame ? now : new Prediction(given.label(), now.classes(), given.scores());
  }

  /**
   * Stores rows to be learned. The reply waits for the learner only if the validator cannot
   * guarantee that they will be learned.
   */
  void learn(Exchange exchange, ServedModel model, byte[] body) {
    append(exchange, model, rows(exchange, model, body, Purpose.LEARN, true), Purpose.LEARN);
  }

  /** Stores rows to be learned; the reply holds the answer to each from before it was learned. */
  void observe(Exchange exchange, ServedModel model, byte[] body) {
    append(exchange, model, rows(exchange, model, body, Purpose.OBSERVE, true), Purpose.OBSERVE);
  }

  private void append(Exchange exchange, ServedModel model, List<ServedRow> rows, Purpose purpose) {
    boolean isSure = model.validator().check(model.published(), rows);
    CompletableFuture<Outcome> learned = new CompletableFuture<>();
    CompletableFuture<RowStore.Receipt> written =
        store
            .rows()
            .append(
                model.id(),
                request(exchange, () -> Fingerprint.ofRows(rows)),
                rows,
                batch -> model.learn(batch, learned));
    boolean isObserved = purpose == Purpose.OBSERVE;
    exchange.reply(
        settled(written, isSure && !isObserved ? null : learned),
        threads,
        settled -> {
          Map<String, Object> json = settled.json((sent, row) -> rows.get(sent) == row);
          if (isObserved) {
            List<Answer> answers = settled.outcome.answers();
            json.put("predictions", answers);
            model.traffic().answered(answers, exchange.nanos());
          }
          exchange.json(200, json);
        });
  }

  /** Stores labels for rows that were answered earlier, so that these are learned. */
  void labels(Exchange exchange, ServedModel model, byte[] body) {
    List<RowStore.Labelled> labels = labelled(body);
    model.validator().checkLabels(model.published(), labels);
    CompletableFuture<Outcome> learned = new CompletableFuture<>();
    CompletableFuture<RowStore.Receipt> written =
        store
            .rows()
            .label(
                model.id(),
                request(exchange, () -> Fingerprint.ofLabels(labels)),
                labels,
                batch -> model.learn(batch, learned));
    exchange.reply(
        settled(written, learned),
        threads,
        settled ->
            exchange.json(
                200, settled.json((sent, row) -> labels.get(sent).id().equals(row.id()))));
  }

  /** Whether the row or label at an index of the request, from 0, became a given stored row. */
  private interface Origin {
    boolean isAt(int sent, ServedRow row);
  }

  /**
   * The receipt of stored rows, and the outcome of learning them.
   *
   * @param outcome {@link Outcome#NONE} if the reply does not wait for the learner
   */
  private record Settled(RowStore.Receipt receipt, Outcome outcome) {
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
    Object parsed = JsonValues.parse(body);
    List<?> all = parsed instanceof List<?> list ? list : List.of(parsed);
    List<RowStore.Labelled> labels = new ArrayList<>();
    for (Object each : all) {
      int number = labels.size() + 1;
      if (!(each instanceof Map<?, ?> map)
          || map.get("id") == null
          || map.get("label") instanceof Map
          || map.get("label") instanceof List) {
        throw Problem.malformed("expected an object with \"id\" and \"label\"").atRow(number);
      }
      double weight = map.containsKey("weight") ? RowParser.weight(map.get("weight")) : 1;
      labels.add(
          new RowStore.Labelled(RowParser.id(map.get("id"), number), map.get("label"), weight));
    }
    if (labels.isEmpty()) {
      throw Problem.malformed("the body contains no labels");
    }
    return labels;
  }
}
