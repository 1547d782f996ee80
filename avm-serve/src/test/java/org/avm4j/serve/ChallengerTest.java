package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.avm4j.data.Row;
import org.avm4j.serve.ServedRow.PastAnswer;
import org.avm4j.serve.ServedRow.Purpose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A challenger: another learner of the same rows, which may be promoted to answer. */
@Timeout(120)
class ChallengerTest {
  private static final Map<String, Object> SGD =
      Map.of("task", "binary", "update", "sgd", "gamma", 2, "delta", 0.3, "lambda", 1e-4);
  private static final Map<String, Object> FINER =
      Map.of("task", "binary", "update", "sgd", "gamma", 20, "delta", 0.1, "lambda", 1e-5);
  private static final List<Map<String, Object>> ASKED =
      VersionsTest.unlabelled(ApiTest.rows(20, 99));

  @TempDir Path folder;

  /** Waits until the challenger of a model has learned a row. */
  private static Map<String, Object> challenger(Service service, long sequence) throws Exception {
    Map<String, Object> now = service.client.challenger("m");
    while (((Number) now.get("sequence")).longValue() < sequence) {
      Thread.sleep(10);
      now = service.client.challenger("m");
    }
    return now;
  }

  private byte[] file(Service service, String model) throws IOException {
    Path file = folder.resolve(model + ".avm");
    service.client.save(model, file);
    return Files.readAllBytes(file);
  }

  private static Object predictions(Service service, String model) throws IOException {
    return service.client.predict(model, ASKED).get("predictions");
  }

  @Test
  void aChallengerIsTheModelThatItsOptionsAloneWouldHaveGiven() throws Exception {
    try (Service service = new Service(folder)) {
      service.client.create("m", SGD);
      service.client.create("alone", FINER);
      for (int i = 0; i < 20; i++) {
        if (i == 5) {
          service.client.challenge("m", FINER);
        }
        for (String model : List.of("m", "alone")) {
          service.client.observe(model, ApiTest.rows(40, 2 * i), null);
          service.client.learn(model, ApiTest.rows(10, 2 * i + 1), null);
        }
      }
      Object answers = predictions(service, "m");
      Map<String, Object> challenger = challenger(service, 1000);
      Map<String, Object> alone = service.settled("alone", 1000);
      for (String figure :
          List.of("learned", "instances", "mistakeRate", "recent", "size", "confusion", "spec")) {
        assertThat(challenger.get(figure)).as(figure).isEqualTo(alone.get(figure));
      }
      Map<?, ?> against = (Map<?, ?>) challenger.get("against");
      assertThat(against.get("instances")).isEqualTo(challenger.get("instances"));
      assertThat(against.get("mistakeRate")).isNotEqualTo(challenger.get("mistakeRate"));
      assertThat(service.client.models()).hasSize(2);
      assertThat(service.get("/metrics").body())
          .contains("avm_sequence{model=\"m/challenger\"} 1000");

      assertThat(service.client.promote("m")).containsEntry("spec", alone.get("spec"));
      assertThat(predictions(service, "m"))
          .isEqualTo(predictions(service, "alone"))
          .isNotEqualTo(answers);
      assertThat(file(service, "m")).isEqualTo(file(service, "alone"));
      for (String model : List.of("m", "alone")) {
        service.client.observe(model, ApiTest.rows(40, 77), null);
      }
      assertThat(file(service, "m")).isEqualTo(file(service, "alone"));
    }
  }

  @Test
  void whatIsPromotedCanBePromotedBackAndNothingIsLostByRestarts() throws Exception {
    try (Service service = new Service(folder)) {
      service.client.create("plain", SGD);
      service.client.create("m", SGD);
      service.client.challenge("m", FINER);
    }
    List<Map<String, Object>> sent = new ArrayList<>();
    for (int start = 0; start < 4; start++) {
      try (Service service = new Service(folder)) {
        List<Map<String, Object>> rows = ApiTest.rows(60, start);
        service.client.observe("m", rows, null);
        service.client.observe("plain", rows, null);
        sent.addAll(rows);
        service.client.promote("m");
        assertThat(service.client.versions("m")).containsEntry("champion", null);
      }
    }
    try (Service service = new Service(folder)) {
      assertThat(challenger(service, sent.size())).containsEntry("learned", 240L);
      assertThat(file(service, "m")).isEqualTo(file(service, "plain"));
      assertThat(service.client.model("m").get("mistakeRate"))
          .isEqualTo(service.client.model("plain").get("mistakeRate"));
      service.client.withdraw("m");
      assertThat(service.get("/v1/models/m/challenger").status()).isEqualTo(404);
      service.client.challenge("m", FINER);
      assertThat(challenger(service, 240)).containsEntry("instances", 240L);
    }
  }

  /** The rows come from the store: they were handed to the learner that led before. */
  @Test
  void aPromotedLearnerReadsTheRowsThatTheOtherHasNotLearned() throws Exception {
    try (Service service = new Service(folder)) {
      service.client.create("m", Map.of("task", "binary"));
      service.client.challenge("m", SGD);
      service.client.learn("m", ApiTest.rows(50, 1), null);
      challenger(service, 50);
    }
    try (Service service = new Service(folder)) {
      challenger(service, 50);
      service.client.learn("m", ApiTest.rows(3000, 2), null);
      service.client.promote("m");
      assertThat(service.settled("m", 3050)).containsEntry("learned", 3050L);
    }
  }

  /** Nothing but the promotion gives the learner a turn here: no clock runs. */
  @Test
  void aPromotedLearnerIsWokenToReadWhatItLacks() throws Exception {
    Store store = Store.open(folder, StoreLimits.DEFAULT, Clock.systemUTC());
    try (Models models = new Models(store, new ServeLog(line -> {}))) {
      ServedModel model = models.create("m", SGD).join();
      ServedModel challenger = new ModelRoles(models).challenge("m", FINER).join();
      List<ServedRow> rows = new ArrayList<>();
      for (int i = 0; i < 30; i++) {
        rows.add(new ServedRow(Row.named(Map.of("x", i % 2), i % 2), null, Purpose.LEARN, null));
      }
      CompletableFuture<LearnTask.Outcome> learned = new CompletableFuture<>();
      store.rows().append(model.id(), null, rows, batch -> model.learn(batch, learned)).join();
      learned.join();
      assertThat(challenger.traffic().learned()).isZero();
      challenger.lead(30);
      for (int i = 0; i < 3000 && challenger.traffic().learned() < 30; i++) {
        Thread.sleep(10);
      }
      assertThat(challenger.traffic().learned()).isEqualTo(30);
    }
  }

  private static void untilPublished(ServedModel model, long sequence) throws Exception {
    for (int i = 0; i < 2000 && !isIdleAt(model, sequence); i++) {
      model.tick();
      Thread.sleep(5);
    }
    assertThat(isIdleAt(model, sequence)).isTrue();
  }

  private static boolean isIdleAt(ServedModel model, long sequence) {
    return model.published().sequence() == sequence && model.lagSeconds() == 0;
  }

  /** No clock runs here, so that the challenger reads no rows. */
  @Test
  void aChallengerThatHasRowsToReadTellsHowLongTheyWait() throws Exception {
    MovableClock clock = new MovableClock();
    Store store = Store.open(folder, StoreLimits.DEFAULT, clock);
    try (Models models = new Models(store, new ServeLog(line -> {}))) {
      ServedModel model = models.create("m", SGD).join();
      ServedModel challenger = new ModelRoles(models).challenge("m", FINER).join();
      assertThat(challenger.lagSeconds()).isZero();
      for (int i = 0; i < 3; i++) {
        ServedRow row = new ServedRow(Row.named(Map.of("x", i), i % 2), null, Purpose.LEARN, null);
        CompletableFuture<LearnTask.Outcome> learned = new CompletableFuture<>();
        store
            .rows()
            .append(model.id(), null, List.of(row), batch -> model.learn(batch, learned))
            .join();
        learned.join();
        clock.now = clock.now.plusSeconds(10);
      }
      untilPublished(model, 3);
      assertThat(challenger.backlog()).isEqualTo(3);
      assertThat(challenger.lagSeconds()).isEqualTo(30);
      untilPublished(challenger, 3);
    }
  }

  @Test
  void howLongRowsWaitIsUnknownIfTheStoreCannotBeRead() throws Exception {
    Store store = Store.open(folder, StoreLimits.DEFAULT, Clock.systemUTC());
    try (Models models = new Models(store, new ServeLog(line -> {}))) {
      ServedModel model = models.create("m", SGD).join();
      ServedModel challenger = new ModelRoles(models).challenge("m", FINER).join();
      ServedRow row = new ServedRow(Row.named(Map.of("x", 1), 1), null, Purpose.LEARN, null);
      CompletableFuture<LearnTask.Outcome> learned = new CompletableFuture<>();
      store
          .rows()
          .append(model.id(), null, List.of(row), batch -> model.learn(batch, learned))
          .join();
      learned.join();
      model.published(1).join();
      store.close();
      assertThat(challenger.lagSeconds()).isNaN();
      assertThat(new Telemetry().text(models, new Health(models), 0, 0))
          .contains("avm_learning_lag_seconds{model=\"m\"} 0")
          .doesNotContain("avm_learning_lag_seconds{model=\"m/challenger\"}")
          .doesNotContain("NaN");
    }
  }

  @Test
  void rowsThatComeDuringPromotionsAreLearnedOnceAndInOrder() throws Exception {
    try (Service service = new Service(folder)) {
      service.client.create("m", SGD);
      service.client.challenge("m", FINER);
      service.client.learn("m", ApiTest.rows(50, 1), null);
      AtomicReference<Throwable> failure = new AtomicReference<>();
      Thread sender =
          new Thread(
              () -> {
                try {
                  for (int i = 0; i < 300; i++) {
                    service.client.observe("m", ApiTest.rows(7, i), null);
                  }
                } catch (IOException | RuntimeException wrong) {
                  failure.set(wrong);
                }
              });
      sender.start();
      int promotions = 0;
      while (sender.isAlive()) {
        try {
          service.client.promote("m");
          promotions++;
        } catch (AvmServiceException behind) {
          assertThat(behind.status()).isEqualTo(503);
        }
      }
      assertThat(failure.get()).isNull();
      assertThat(promotions).isGreaterThan(2);
      assertThat(service.settled("m", 2150)).containsEntry("learned", 2150L);
      assertThat(challenger(service, 2150)).containsEntry("learned", 2150L);
      boolean isFirst = promotions % 2 == 0;
      service.client.create("alone", isFirst ? SGD : FINER);
      service.client.learn("alone", ApiTest.rows(50, 1), null);
      for (int i = 0; i < 300; i++) {
        service.client.learn("alone", ApiTest.rows(7, i), null);
      }
      assertThat(file(service, "m")).isEqualTo(file(service, "alone"));
    }
  }

  @Test
  void rowsThatWaitForTheirLabelsAreLearnedByBothLearnersAfterAPromotion() throws Exception {
    try (Service service = new Service(folder)) {
      service.client.create("m", SGD);
      service.client.learn("m", text(List.of("yes", "no", "yes", "no"), null), null);
      service.settled("m", 4);
      service.client.predict("m", text(List.of("?"), "a"));
      service.client.challenge("m", FINER);
      challenger(service, 4);
      service.client.promote("m");
      service.client.predict("m", text(List.of("?"), "b"));
      assertThat(service.client.predict("m", text(List.of("?"), "a")).get("predictions"))
          .asString()
          .contains("label=yes");
      List<Map<String, Object>> labels =
          List.of(Map.of("id", "a", "label", "yes"), Map.of("id", "b", "label", "yes"));
      assertThat(service.client.labels("m", labels, null)).containsEntry("rows", 2L);
      assertThat(service.settled("m", 6))
          .containsEntry("instances", 2L)
          .containsEntry("mistakeRate", 0L);
      assertThat(challenger(service, 6))
          .containsEntry("instances", 2L)
          .containsEntry("mistakeRate", 0L);
    }
  }

  @Test
  void aLearnerIsJudgedByItsOwnAnswers() {
    ModelSpec spec = ModelSpec.of(SGD);
    Learning first = Learning.of(spec);
    Learning second = Learning.of(spec, 1, 0);
    for (int i = 0; i < 20; i++) {
      ServedRow row =
          new ServedRow(Row.named(Map.of("x", i % 2), i % 2), null, Purpose.LEARN, null);
      first.take(row);
      second.take(row);
    }
    PastAnswer wrong =
        new PastAnswer(first.pipeline().classes()[0], new double[] {-1}, 20, 0, false);
    first.take(new ServedRow(Row.named(Map.of("x", 1), 1), "a", Purpose.COMPLETE, wrong));
    second.take(new ServedRow(Row.named(Map.of("x", 1), 1), "a", Purpose.COMPLETE, wrong));
    assertThat(first.board().figures(Double::toString)).containsEntry("mistakeRate", 100.0);
    assertThat(second.board().figures(Double::toString)).containsEntry("mistakeRate", 0.0);
    assertThat(second.pipeline().toBytes()).isEqualTo(first.pipeline().toBytes());
  }

  /** Rows with labels that are texts, or with an id and no label. */
  private static List<Map<String, Object>> text(List<String> labels, String id) {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (String label : labels) {
      double x = rows.size() % 2 + 0.1;
      rows.add(id == null ? Map.of("x", x, "label", label) : Map.of("x", x, "id", id));
    }
    return rows;
  }

  @Test
  void aPromotionUnpinsAndItsVersionsAreNoLongerListed() throws Exception {
    try (Service service = new Service(folder)) {
      service.client.create("m", SGD);
      service.client.challenge("m", FINER);
      service.client.observe("m", ApiTest.rows(50, 1), null);
      long version = ((Number) service.client.keepVersion("m").get("version")).longValue();
      service.client.pin("m", version);
      challenger(service, 50);
      service.client.promote("m");
      assertThat(service.client.predict("m", ASKED)).doesNotContainKey("version");
      assertThatThrownBy(() -> service.client.pin("m", version)).hasMessageContaining("not stored");
      long next = ((Number) service.client.keepVersion("m").get("version")).longValue();
      assertThat(next).isGreaterThan(version);
    }
  }

  @Test
  void whatCannotChallengeIsRefused() throws IOException {
    try (Service service = new Service(folder)) {
      service.client.create("m", SGD);
      String path = "/v1/models/m/challenger";
      assertThat(service.post("/v1/models/m/promote", "").status()).isEqualTo(404);
      assertThat(service.put(path, "{\"label\":\"y\"}").body()).contains("remove \\\"label\\\"");
      assertThat(service.put(path, "{\"gama\":1}").status()).isEqualTo(422);
      assertThat(service.put(path, "[]").status()).isEqualTo(400);
      assertThat(service.put("/v1/models/none/challenger", "{}").status()).isEqualTo(404);
      assertThat(service.put(path, "{}").status()).isEqualTo(201);
      assertThat(service.put(path, "{}").status()).isEqualTo(409);
      assertThat(service.post("/v1/models/m/promote", "").body()).contains("has learned nothing");
      service.client.delete("m");
      service.client.create("m", SGD);
      assertThat(service.get(path).status()).isEqualTo(404);
    }
  }
}
