package org.avm4j.serve;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.avm4j.Features;
import org.avm4j.Prediction;
import org.avm4j.serve.ServedRow.PastAnswer;
import org.avm4j.serve.ServedRow.Purpose;

/** Requests for the answers to rows. */
final class PredictRequests {
  /** The answer of a model that has learned nothing. */
  private static final Prediction UNKNOWN =
      new Prediction(Double.NaN, new double[0], new double[0]);

  private final Store store;
  private final Executor threads;

  PredictRequests(Store store, Executor threads) {
    this.store = store;
    this.threads = threads;
  }

  /** Answers rows, and stores those with an id until their label arrives. */
  void predict(Exchange exchange, ServedModel model, byte[] body) {
    Published now = model.champion();
    List<Features> plain =
        RowParser.isJson(body, exchange.contentType()) ? now.plainRows(body) : null;
    if (plain != null) {
      RequestCost.answered(now).addRows(plain.size());
      List<Answer> answers = new ArrayList<>(plain.size());
      for (Features row : plain) {
        answers.add(now.sent(now.answer(row), null));
        GiveWay.afterRow(answers.size());
      }
      send(exchange, model, now, answers);
    } else {
      predict(
          exchange,
          model,
          now,
          RowParser.of(exchange, model, Purpose.LEARN, false).parse(body, exchange.contentType()));
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
      GiveWay.afterRow(answers.size());
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
        : new PastAnswer(
            answer.label(), answer.scores(), now.sequence(), now.learner(), answer.isFar());
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
    if (isSame) {
      return now;
    }
    Prediction first = new Prediction(given.label(), now.classes(), given.scores());
    return given.isFar() ? first.withFar(true) : first;
  }
}
