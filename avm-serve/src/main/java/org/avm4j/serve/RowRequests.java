package org.avm4j.serve;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.avm4j.Features;
import org.avm4j.Prediction;
import org.avm4j.serve.Row.Given;
import org.avm4j.serve.Row.How;

/**
 * What clients do with rows: predict, learn, observe, and labels that come later. A reply to what
 * is learned comes when it is on disk.
 */
final class RowRequests {
  private static final int MAX_KEY = 200;

  private final Store store;
  private final Executor threads;

  RowRequests(Store store, Executor threads) {
    this.store = store;
    this.threads = threads;
  }

  private List<Row> rows(
      Exchange exchange, ServedModel model, byte[] body, How how, boolean isLabelled) {
    String label = exchange.query("label");
    return new RowParser(model.spec(), how, isLabelled, label).parse(body, exchange.contentType());
  }

  private static String key(Exchange exchange) {
    String key = exchange.header("Idempotency-Key");
    if (key != null && (key.isBlank() || key.length() > MAX_KEY)) {
      throw Problem.malformed("an Idempotency-Key must have 1 to " + MAX_KEY + " characters");
    }
    return key;
  }

  /** Answers rows, and keeps those with an id until their label comes. */
  void predict(Exchange exchange, ServedModel model, byte[] body) {
    Published now = model.published();
    List<Features> plain =
        RowParser.isJson(body, exchange.contentType()) ? now.plainRows(body) : null;
    if (plain != null) {
      List<Answer> answers = new ArrayList<>(plain.size());
      plain.forEach(row -> answers.add(now.sent(now.answer(row), null)));
      send(exchange, model, now, answers);
    } else {
      predict(exchange, model, now, rows(exchange, model, body, How.LEARN, false));
    }
  }

  private void predict(Exchange exchange, ServedModel model, Published now, List<Row> rows) {
    List<Prediction> answers = new ArrayList<>(rows.size());
    List<Row> kept = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      Row row = rows.get(i);
      Prediction answer = now.answer(row.values(), i + 1);
      answers.add(answer);
      if (row.id() != null) {
        kept.add(row.answered(new Given(answer.label(), answer.scores(), now.sequence())));
      }
    }
    if (kept.isEmpty()) {
      send(exchange, model, now, sent(now, rows, answers, Map.of()));
    } else {
      exchange.reply(
          store.keep(model.id(), kept),
          threads,
          first -> send(exchange, model, now, sent(now, rows, answers, first)));
    }
  }

  private static List<Answer> sent(
      Published now, List<Row> rows, List<Prediction> answers, Map<String, Row> kept) {
    List<Answer> sent = new ArrayList<>(rows.size());
    for (int i = 0; i < rows.size(); i++) {
      String id = rows.get(i).id();
      Row first = id == null ? null : kept.get(id);
      boolean isNew = first == null || first.given() == null;
      Prediction answer = isNew ? answers.get(i) : given(first.given(), answers.get(i));
      sent.add(now.sent(answer, id));
    }
    return sent;
  }

  private static void send(
      Exchange exchange, ServedModel model, Published now, List<Answer> answers) {
    exchange.json(
        200,
        128 + 48 * answers.size(),
        out -> {
          out.writeStartObject();
          out.writeNumberField("sequence", now.sequence());
          if (!now.classes().isEmpty()) {
            out.writeFieldName("classes");
            JsonValues.write(out, now.classes());
          }
          out.writeArrayFieldStart("predictions");
          for (Answer answer : answers) {
            answer.write(out);
          }
          out.writeEndArray();
          out.writeEndObject();
        });
    model.traffic().answered(answers.size(), exchange.nanos());
  }

  /** The answer that an id got first, which a client that asks again gets again. */
  private static Prediction given(Given given, Prediction now) {
    boolean isSame = given.label() == now.label() && Arrays.equals(given.scores(), now.scores());
    return isSame ? now : new Prediction(given.label(), now.classes(), given.scores());
  }

  /** Writes rows, which are learned after the reply. */
  void learn(Exchange exchange, ServedModel model, byte[] body) {
    List<Row> rows = checked(exchange, model, body, How.LEARN);
    exchange.reply(
        store.append(model.id(), key(exchange), rows, batch -> model.learn(batch, null)),
        threads,
        receipt -> exchange.json(200, receipt(receipt)));
  }

  private List<Row> checked(Exchange exchange, ServedModel model, byte[] body, How how) {
    List<Row> rows = rows(exchange, model, body, how, true);
    new RowCheck(model.spec(), model.published()).check(rows);
    return rows;
  }

  private static Map<String, Object> receipt(Store.Receipt receipt) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("rows", receipt.batch().rows().size());
    json.put("sequence", receipt.sequence());
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

  /** Writes rows; the learner answers each before it learns it. */
  void observe(Exchange exchange, ServedModel model, byte[] body) {
    List<Row> rows = checked(exchange, model, body, How.OBSERVE);
    CompletableFuture<List<Answer>> answers = new CompletableFuture<>();
    CompletableFuture<Store.Receipt> written =
        store.append(model.id(), key(exchange), rows, batch -> model.learn(batch, answers));
    CompletableFuture<Store.Receipt> both =
        written.thenCompose(
            receipt ->
                receipt.isRepeated() || receipt.batch().rows().isEmpty()
                    ? CompletableFuture.completedFuture(receipt)
                    : answers.thenApply(given -> receipt));
    exchange.reply(
        both,
        threads,
        receipt -> {
          List<Answer> given = answers.isDone() ? answers.join() : List.of();
          exchange.json(
              200,
              128 + 64 * given.size(),
              out -> {
                out.writeStartObject();
                for (Map.Entry<String, Object> entry : receipt(receipt).entrySet()) {
                  out.writeFieldName(entry.getKey());
                  JsonValues.write(out, entry.getValue());
                }
                out.writeArrayFieldStart("predictions");
                for (Answer answer : given) {
                  if (answer == null) {
                    out.writeNull();
                  } else {
                    answer.write(out);
                  }
                }
                out.writeEndArray();
                out.writeEndObject();
              });
          model.traffic().answered(given.size(), exchange.nanos());
        });
  }

  /** Completes rows that were answered earlier. */
  void labels(Exchange exchange, ServedModel model, byte[] body) {
    List<Store.Labelled> labels = labelled(body);
    RowCheck check = new RowCheck(model.spec(), model.published());
    for (int i = 0; i < labels.size(); i++) {
      try {
        check.checkLabel(labels.get(i).label());
      } catch (IllegalArgumentException refused) {
        throw Problem.refused(refused.getMessage()).atRow(i + 1);
      } catch (Problem problem) {
        throw problem.atRow(i + 1);
      }
    }
    exchange.reply(
        store.label(model.id(), key(exchange), labels, batch -> model.learn(batch, null)),
        threads,
        receipt -> exchange.json(200, receipt(receipt)));
  }

  private static List<Store.Labelled> labelled(byte[] body) {
    Object parsed = JsonValues.parse(body);
    List<?> all = parsed instanceof List<?> list ? list : List.of(parsed);
    List<Store.Labelled> labels = new ArrayList<>();
    for (Object each : all) {
      int number = labels.size() + 1;
      if (!(each instanceof Map<?, ?> map)
          || map.get("id") == null
          || map.get("label") instanceof Map
          || map.get("label") instanceof List) {
        throw Problem.malformed("expected an object with \"id\" and \"label\"").atRow(number);
      }
      double weight = map.containsKey("weight") ? RowParser.weight(map.get("weight"), number) : 1;
      labels.add(new Store.Labelled(RowParser.id(map.get("id"), number), map.get("label"), weight));
    }
    if (labels.isEmpty()) {
      throw Problem.malformed("the body holds no label");
    }
    return labels;
  }
}
