package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is refused changes nothing, and what is acknowledged is learned. */
class RowTransactionsTest {
  @TempDir Path folder;

  private static void make(Service service, String spec) {
    assertThat(service.put("/v1/models/m", spec).status()).isEqualTo(201);
  }

  /** The reply to rows that are learned. */
  private static Map<String, Object> learn(Service service, String... rows) {
    Service.Reply reply = service.post("/v1/models/m/learn", "[" + String.join(",", rows) + "]");
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    return reply.json();
  }

  private static Map<String, Object> refused(Service service, String action, String body) {
    Service.Reply reply = service.post("/v1/models/m/" + action, body);
    assertThat(reply.status()).as(reply.body()).isEqualTo(422);
    return reply.json();
  }

  private static Service.Reply predict(Service service, String row) {
    Service.Reply reply = service.post("/v1/models/m/predict", row);
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    return reply;
  }

  private static Object label(Service.Reply reply) {
    return ((Map<?, ?>) ((List<?>) reply.json().get("predictions")).get(0)).get("label");
  }

  private static long number(Map<String, Object> model, String name) {
    return ((Number) model.get(name)).longValue();
  }

  @Test
  void absurdValuesAreRefusedWithTheColumnAndRuinNothing() throws IOException {
    try (Service service = new Service(folder)) {
      make(service, "{}");
      learn(service, "{\"x\":1,\"y\":2,\"label\":\"a\"}", "{\"x\":3,\"y\":1,\"label\":\"b\"}");
      service.settled("m", 2);
      for (String value : List.of("1e300", "1e20", "-1.1e15")) {
        assertThat(refused(service, "learn", "{\"x\":" + value + ",\"label\":\"a\"}"))
            .containsEntry("reason", "value")
            .containsEntry("column", "x")
            .extractingByKey("detail")
            .asString()
            .contains("±1e15");
        refused(service, "observe", "{\"x\":" + value + ",\"label\":\"a\"}");
        refused(service, "predict", "{\"x\":" + value + ",\"y\":1}");
        refused(service, "predict", "{\"x\":" + value + ",\"y\":1,\"id\":1}");
      }
      learn(service, "{\"y\":1,\"label\":\"b\"}");
      Map<String, Object> model = service.settled("m", 3);
      assertThat(model).containsEntry("learned", 3L).containsEntry("refused", 0L);
      assertThat(model).containsEntry("refusedAtDoor", 12L);
      assertThat(model.get("columns").toString()).contains("mean=2");
      predict(service, "{\"y\":1}");
    }
  }

  @Test
  void aBinaryTaskTakesAnyTwoLabelsAndRefusesAThirdByTheirNames() throws IOException {
    try (Service service = new Service(folder)) {
      for (List<String> two :
          List.of(List.of("0", "1"), List.of("\"good\"", "\"bad\""), List.of("3", "4"))) {
        make(service, "{\"task\":\"binary\"}");
        for (int i = 0; i < 10; i++) {
          String row = "{\"x\":" + i % 2 + ",\"label\":" + two.get(i % 2) + "}";
          assertThat(learn(service, row)).containsEntry("rows", 1L).doesNotContainKey("refused");
        }
        assertThat(service.settled("m", 10)).containsEntry("learned", 10L);
        assertThat(predict(service, "{\"x\":0}").body()).contains("\"label\":" + two.get(0));
        assertThat(predict(service, "{\"x\":1}").body()).contains("\"label\":" + two.get(1));
        assertThat(refused(service, "learn", "{\"x\":1,\"label\":7}"))
            .containsEntry("reason", "label")
            .extractingByKey("detail")
            .asString()
            .contains(two.get(0).replace("\"", "'"), two.get(1).replace("\"", "'"), "'7'");
        service.client.delete("m");
      }
    }
  }

  @Test
  void textLabelsAreClassesHoweverMany() throws IOException {
    try (Service service = new Service(folder)) {
      make(service, "{\"max-size\":50}");
      String[] rows = new String[700];
      for (int i = 0; i < rows.length; i++) {
        int c = i % 40 < 14 ? i % 40 : i % 2;
        rows[i] = "{\"x\":" + c + ",\"label\":\"c" + c + "\"}";
      }
      learn(service, rows);
      assertThat(service.settled("m", 700)).containsEntry("task", "multiclass");
      assertThat(label(predict(service, "{\"x\":0}")).toString()).matches("c\\d+");
      service.client.delete("m");
      make(service, "{\"task\":\"regression\"}");
      assertThat(refused(service, "learn", "{\"x\":1,\"label\":\"a\"}"))
          .containsEntry("reason", "label")
          .extractingByKey("detail")
          .asString()
          .contains("regression");
    }
  }

  @Test
  void aClassBeyondTheLimitIsRefusedAndKnownClassesGoOn() throws IOException {
    try (Service service = new Service(folder)) {
      make(
          service,
          "{\"task\":\"multiclass\",\"update\":\"sgd\",\"gamma\":1,\"delta\":9,\"max-size\":5}");
      String[] rows =
          IntStream.range(0, 1000)
              .mapToObj(i -> "{\"x\":1,\"label\":\"c" + i + "\"}")
              .toArray(String[]::new);
      learn(service, rows);
      service.settled("m", 1000);
      assertThat(refused(service, "learn", "{\"x\":1,\"label\":\"new\"}"))
          .containsEntry("reason", "limit");
      assertThat(learn(service, "{\"x\":1,\"label\":\"c7\"}")).containsEntry("rows", 1L);
      assertThat(service.settled("m", 1001))
          .containsEntry("learned", 1001L)
          .containsEntry("refused", 0L);
    }
  }

  @Test
  void halvesOfSurrogatePairsAreRefusedWhereverTheyStand() throws IOException {
    try (Service service = new Service(folder)) {
      make(service, "{}");
      String half = "\"\\ud800\"";
      for (String row :
          List.of(
              "{\"x\":1,\"label\":" + half + "}",
              "{\"x\":" + half + ",\"label\":\"a\"}",
              "{\"x\":1,\"label\":\"a\",\"id\":" + half + "}")) {
        refused(service, "learn", row);
        refused(service, "observe", row);
      }
      refused(service, "predict", "{\"x\":1,\"id\":" + half + "}");
      refused(service, "labels", "{\"id\":" + half + ",\"label\":1}");
      String name = "{" + half + ":1,\"label\":\"a\"}";
      assertThat(service.post("/v1/models/m/learn", name).status()).isEqualTo(400);
      learn(service, "{\"x\":\"\\ud83d\\ude00\",\"label\":\"\\ud83d\\ude01\"}");
      assertThat(service.settled("m", 1)).containsEntry("learned", 1L);
    }
  }

  private static void makeWithColumns(Service service) throws IOException {
    service.client.delete("m");
    make(service, "{\"columns\":{\"age\":\"number\",\"city\":\"text\"}}");
    learn(service, "{\"age\":1,\"city\":\"Rome\",\"label\":\"a\"}");
    service.settled("m", 1);
  }

  @Test
  void misspelledColumnsAreRefusedWhereColumnsWereDeclared() throws IOException {
    try (Service service = new Service(folder)) {
      make(service, "{}");
      makeWithColumns(service);
      for (String action : List.of("predict", "learn")) {
        assertThat(refused(service, action, "{\"agee\":1,\"city\":\"Rome\",\"label\":\"a\"}"))
            .containsEntry("reason", "columns")
            .containsEntry("column", "agee")
            .extractingByKey("detail")
            .asString()
            .contains("'agee'", "did you mean 'age'?");
      }
      predict(service, "{\"age\":1}");
    }
  }

  @Test
  void aRowWithAnIdWaitsForItsLabelFromTheVeryFirst() throws IOException {
    try (Service service = new Service(folder)) {
      make(service, "{}");
      assertThat(refused(service, "predict", "{\"x\":1}").get("detail").toString())
          .contains("learned nothing");
      Service.Reply early = predict(service, "[{\"x\":1,\"id\":677},{\"x\":2,\"id\":\"b\"}]");
      assertThat(early.body()).contains("\"id\":\"677\"", "\"label\":null");
      assertThat(refused(service, "predict", "{\"x\":1e300,\"id\":1}"))
          .containsEntry("reason", "value");
      Map<String, Object> reply =
          service
              .post(
                  "/v1/models/m/labels",
                  "[{\"id\":\"677\",\"label\":\"a\"},{\"id\":\"b\",\"label\":\"c\"}]")
              .json();
      assertThat(reply).containsEntry("rows", 2L).containsEntry("sequence", 2L);
      Map<String, Object> model = service.settled("m", 2);
      assertThat(model).containsEntry("learned", 2L).containsEntry("instances", 0L);
      assertThat(predict(service, "{\"x\":1}").body()).contains("\"label\":\"a\"");
    }
  }

  @Test
  void aNumberAndItsTextAreTheSameId() throws IOException {
    try (Service service = new Service(folder)) {
      make(service, "{}");
      assertThat(learn(service, "{\"x\":1,\"label\":0,\"id\":677.0}")).containsEntry("rows", 1L);
      for (String id : List.of("677", "\"677\"", "677.0", "6.77e2")) {
        assertThat(learn(service, "{\"x\":1,\"label\":0,\"id\":" + id + "}"))
            .containsEntry("duplicates", 1L)
            .containsEntry("rows", 0L);
        assertThat(service.post("/v1/models/m/labels", "{\"id\":" + id + ",\"label\":1}").json())
            .containsEntry("duplicates", 1L);
      }
      String csv = "x,id,label\n1,677,0\n1,677.0,0\n1,007,0\n1,7,0\n";
      assertThat(service.post("/v1/models/m/learn", csv, "Content-Type", "text/csv").json())
          .containsEntry("duplicates", 2L)
          .containsEntry("rows", 2L);
      refused(service, "learn", "{\"x\":1,\"label\":0,\"id\":12345678901234567890}");
    }
  }

  @Test
  void refusedRowsLeaveNoGhostLabelsAndColumns() throws IOException {
    try (Service service = new Service(folder)) {
      make(service, "{}");
      refused(service, "learn", "[{\"g\":1,\"label\":\"ghost\"},{\"g\":\"no\",\"label\":\"a\"}]");
      learn(service, "{\"x\":1,\"label\":1}", "{\"x\":2,\"label\":2}");
      Map<String, Object> model = service.settled("m", 2);
      assertThat(model.get("columns").toString()).doesNotContain("g=");
      assertThat(model.get("classes")).isEqualTo(List.of(1L, 2L));
    }
  }

  @Test
  void refusalsAreCountedByReasonInFiguresAndMetrics() throws IOException {
    try (Service service = new Service(folder)) {
      make(service, "{}");
      learn(service, "{\"x\":1,\"label\":1}", "{\"x\":2,\"label\":2}");
      service.settled("m", 2);
      refused(service, "learn", "{\"x\":1,\"label\":\"<b>text</b>\"}");
      refused(service, "learn", "{\"x\":1,\"label\":1,\"weight\":0}");
      refused(service, "labels", "{\"id\":1,\"label\":1,\"weight\":-1}");
      Map<String, Object> model = service.get("/v1/models/m").json();
      Map<?, ?> door = (Map<?, ?>) ((Map<?, ?>) model.get("refusals")).get("door");
      assertThat(door.get("counts").toString()).contains("label=1", "weight=2", "value=0");
      assertThat(door.get("last").toString()).contains("<b>text</b>");
      assertThat(service.get("/metrics").body())
          .contains("avm_rows_refused_total{model=\"m\",by=\"door\",reason=\"label\"} 1")
          .contains("avm_rows_refused_total{model=\"m\",by=\"door\",reason=\"weight\"} 2")
          .contains("avm_rows_refused_total{model=\"m\",by=\"learner\",reason=\"label\"} 0");
    }
  }

  @Test
  void longTextsAreShortenedWithoutCuttingPairs() {
    String faces =
        IntStream.range(0, 9).mapToObj(i -> "\ud83d\ude00").collect(Collectors.joining());
    assertThat(JsonValues.shortened(faces, 5)).isEqualTo("\ud83d\ude00\ud83d\ude00?…");
    assertThat(JsonValues.shortened("a\nb", 5)).isEqualTo("a?b");
  }
}
