package org.avm4j.serve;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.avm4j.data.Schema;
import org.avm4j.eval.Metrics;
import org.avm4j.eval.Prequential;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.PreparedModel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApiTest {
  private static final Map<String, Object> SGD =
      Map.of("task", "binary", "update", "sgd", "gamma", 2, "delta", 0.3, "lambda", 1e-4);

  @TempDir Path folder;

  static List<Map<String, Object>> rows(int n, long seed) {
    Random random = new Random(seed);
    List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      double x = random.nextDouble();
      double y = random.nextDouble();
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("x", x);
      row.put("y", y);
      row.put("label", (Math.floor(3 * x) + Math.floor(3 * y)) % 2 == 0 ? 1 : -1);
      rows.add(row);
    }
    return rows;
  }

  private static long sequence(Map<String, Object> reply) {
    return ((Number) reply.get("sequence")).longValue();
  }

  @Test
  void observingGivesThePrequentialFiguresOfTheLibrary() throws IOException {
    List<Map<String, Object>> rows = rows(700, 1);
    Pipeline pipeline = ModelSpec.of(SGD).pipeline();
    Prequential library = new Prequential(pipeline, Metrics.of(pipeline, false));
    for (Map<String, Object> row : rows) {
      Map<String, Object> values = new LinkedHashMap<>(row);
      Object label = values.remove("label");
      Schema schema = pipeline.preparation().schema();
      var encoder = new org.avm4j.data.RowEncoder(schema, org.avm4j.data.Missing.MEAN);
      library.step(encoder.encode(values), encoder.label(label));
    }
    try (Service service = new Service(folder)) {
      service.client.create("m", SGD);
      for (int i = 0; i < 700; i += 70) {
        Map<String, Object> reply = service.client.observe("m", rows.subList(i, i + 70), null);
        assertThat((List<?>) reply.get("predictions")).hasSize(70);
      }
      Map<String, Object> model = service.settled("m", 700);
      assertThat(((Number) model.get("mistakeRate")).doubleValue())
          .isEqualTo(library.metrics().value());
      assertThat(((Number) model.get("auc")).doubleValue())
          .isEqualTo(((Number) library.metrics().all(x -> "" + x).get("auc")).doubleValue());
      assertThat(model).containsEntry("instances", 700L).containsEntry("refused", 0L);
      Path file = folder.resolve("m.avm");
      service.client.save("m", file);
      assertThat(Files.readAllBytes(file)).isEqualTo(pipeline.toBytes());
    }
  }

  @Test
  void automaticModeLearnsTextsAndAnswersWithThem() throws IOException {
    try (Service service = new Service(folder)) {
      assertThat(service.put("/v1/models/a", "{}").status()).isEqualTo(201);
      assertThat(service.put("/v1/models/a", "{}").status()).isEqualTo(409);
      String body =
          "{\"age\":30,\"city\":\"Oslo\",\"label\":\"yes\"}\n"
              + "{\"age\":60,\"city\":\"Rome\",\"label\":\"no\"}\n";
      String many = body.repeat(20);
      assertThat(service.post("/v1/models/a/learn", many).json()).containsEntry("rows", 40L);
      service.settled("a", 40);
      Service.Reply reply =
          service.post("/v1/models/a/predict", "{\"age\":31,\"city\":\"Oslo\",\"unknown\":3}");
      assertThat(reply.body()).contains("\"label\":\"yes\"").contains("\"sequence\":40");
      assertThat(service.get("/v1/models/a").json()).containsEntry("refused", 0L);
    }
  }

  @Test
  void answersSayHowSureTheyAreWhereThatWasAskedFor() throws IOException {
    try (Service service = new Service(folder)) {
      service.client.create("n", Map.of("interval", 90, "task", "regression"));
      StringBuilder numbers = new StringBuilder();
      Random random = new Random(6);
      for (int i = 0; i < 200; i++) {
        double x = random.nextDouble();
        numbers.append("{\"x\":" + x + ",\"label\":" + (x + random.nextGaussian()) + "}\n");
      }
      Service.Reply first = service.post("/v1/models/n/observe", numbers.toString());
      assertThat(first.body()).contains("\"interval\":[null,null]");
      service.settled("n", 200);
      Service.Reply reply = service.post("/v1/models/n/predict", "{\"x\":0.5}");
      assertThat(reply.body()).containsPattern("\"interval\":\\[-[\\d.]+,[\\d.]+\\]");
      service.client.create("c", Map.of("interval", 90, "task", "binary"));
      assertThat(service.client.observe("c", rows(100, 3), null)).containsEntry("rows", 100L);
      service.settled("c", 100);
      Service.Reply set = service.post("/v1/models/c/predict", "{\"x\":0.5,\"y\":0.5}");
      assertThat(set.body()).containsPattern("\"labels\":\\[(-1|1|-1,1)?\\]");
    }
  }

  @Test
  void answersAskForAShareOfTheLabelsWhereThatWasAskedFor() throws IOException {
    try (Service service = new Service(folder)) {
      service.client.create("a", Map.of("ask", 10, "task", "binary"));
      service.client.create("b", Map.of("task", "binary"));
      StringBuilder waiting = new StringBuilder();
      for (int i = 0; i < 400; i++) {
        waiting.append("{\"x\":" + i % 7 + ",\"id\":\"" + i + "\"}\n");
      }
      assertThat(asked(service.post("/v1/models/a/predict", waiting.toString())))
          .isBetween(40 - 16, 40 + 16);
      assertThat(asked(service.post("/v1/models/b/predict", waiting.toString()))).isZero();
      service.client.learn("a", rows(20, 1), null);
      service.settled("a", 20);
      assertThat(asked(service.post("/v1/models/a/predict", "{\"x\":1,\"y\":1}\n".repeat(50))))
          .as("rows without an id cannot be labelled later")
          .isZero();
      for (Object wrong : new Object[] {0, 101, "5"}) {
        assertThatThrownBy(() -> service.client.create("c", Map.of("ask", wrong)))
            .hasMessageContaining("must be a percentage above 0 and at most 100");
      }
      assertThat(service.get("/v1/models/a").body()).contains("\"ask\":10");
    }
  }

  @Test
  void rowsWithoutALabelAreObservedWhereThatWasAskedFor() throws IOException {
    try (Service service = new Service(folder)) {
      service.client.create("a", Map.of("unlabelled", true, "task", "binary"));
      service.client.create("b", Map.of("task", "binary"));
      String bare = "{\"x\":0.5,\"y\":0.5}\n".repeat(20);
      for (String name : List.of("a", "b")) {
        service.client.learn(name, rows(100, 1), null);
        service.settled(name, 100);
      }
      Service.Reply refused = service.post("/v1/models/b/learn", bare);
      assertThat(refused.status()).isEqualTo(422);
      assertThat(refused.body()).contains("a row to learn must have a label");
      assertThat(service.post("/v1/models/a/learn", bare).json()).containsEntry("rows", 20L);
      Service.Reply answered = service.post("/v1/models/a/observe", "{\"x\":0.5,\"y\":0.5}");
      assertThat(answered.body()).contains("\"predictions\":[{\"label\":");
      service.settled("a", 121);
      String csv = "y,x\n0.25,0.5\n0.5,0.25\n";
      assertThat(service.post("/v1/models/a/learn", csv, "Content-Type", "text/csv").json())
          .containsEntry("rows", 2L);
      service.post("/v1/models/a/predict", "{\"x\":0.5,\"y\":0.5,\"id\":\"p\"}");
      Service.Reply typo = service.post("/v1/models/a/labels", "[{\"id\":\"p\",\"lable\":1}]");
      assertThat(typo.status()).isEqualTo(422);
      assertThat(service.post("/v1/models/a/labels", "[{\"id\":\"p\",\"label\":1}]").json())
          .containsEntry("rows", 1L);
      Map<String, Object> model = service.settled("a", 124);
      assertThat(model).containsEntry("refused", 0L).containsEntry("instances", 1L);
      Path saved = folder.resolve("saved.avm");
      service.client.save("a", saved);
      long observing = Files.size(saved);
      service.client.save("b", saved);
      assertThat(Files.size(saved))
          .as("a smaller file replaces a larger one")
          .isLessThan(observing);
      assertThat(Pipeline.load(saved).status().instances()).isEqualTo(100);
      assertThatThrownBy(() -> service.client.save("nosuch", saved)).hasMessageContaining("nosuch");
      assertThat(Pipeline.load(saved).status().instances()).isEqualTo(100);
      assertThat(service.get("/v1/models/a").body()).contains("\"unlabelled\":true");
    }
  }

  private static int asked(Service.Reply reply) {
    return reply.body().split("\"ask\":true", -1).length - 1;
  }

  @Test
  void csvAndLibsvmAreLearnedAsTheirReadersReadThem() throws IOException {
    try (Service service = new Service(folder)) {
      service.client.create("c", Map.of());
      String csv = "age;city;income\n30;\"Os;lo\";1.5\n;Rome;2\n40;Rome;2.5\n";
      assertThat(service.post("/v1/models/c/observe", csv, "Content-Type", "text/csv").json())
          .containsEntry("rows", 3L);
      Map<String, Object> model = service.settled("c", 3);
      assertThat(model.get("columns").toString()).contains("age", "city").doesNotContain("income");
      service.client.create("l", SGD);
      String libsvm = "1 1:0.5 3:1\n-1 2:1\n";
      assertThat(service.post("/v1/models/l/learn", libsvm, "Content-Type", "text/x-libsvm").json())
          .containsEntry("sequence", 2L);
      service.settled("l", 2);
      assertThat(service.post("/v1/models/l/predict", "1:0.5 3:1", "Content-Type", "text/x-libsvm"))
          .extracting(Service.Reply::status)
          .isEqualTo(200);
      Service.Reply mixed = service.post("/v1/models/l/learn", "{\"a\":1,\"label\":1}");
      assertThat(mixed.status()).isEqualTo(422);
      assertThat(mixed.body()).contains("rows by index");
    }
  }

  @Test
  void aLabelThatComesLaterCountsForTheAnswerThatWasGiven() throws IOException {
    try (Service service = new Service(folder)) {
      service.client.create("m", SGD);
      service.client.learn("m", rows(200, 2), null);
      service.settled("m", 200);
      Map<String, Object> asked = new LinkedHashMap<>(rows(1, 3).get(0));
      Object truth = asked.remove("label");
      asked.put("id", "order-1");
      Map<String, Object> answer = service.client.predict("m", List.of(asked));
      service.client.learn("m", rows(200, 4), null);
      service.settled("m", 400);
      assertThat(service.client.predict("m", List.of(asked)).get("predictions"))
          .isEqualTo(answer.get("predictions"));
      Map<String, Object> label = Map.of("id", "order-1", "label", truth);
      assertThat(service.client.labels("m", List.of(label), null)).containsEntry("rows", 1L);
      assertThat(service.client.labels("m", List.of(label), null)).containsEntry("duplicates", 1L);
      Map<String, Object> model = service.settled("m", 401);
      assertThat(model).containsEntry("instances", 1L).containsEntry("pending", 0L);
      Object given = ((Map<?, ?>) ((List<?>) answer.get("predictions")).get(0)).get("label");
      long mistakes = given.equals(((Number) truth).longValue()) ? 0 : 100;
      assertThat(((Number) model.get("mistakeRate")).longValue()).isEqualTo(mistakes);
    }
  }

  @Test
  void labelsComeAsOneOrManyObjectsOfJson() throws IOException {
    try (Service service = new Service(folder)) {
      service.client.create("m", SGD);
      service.client.learn("m", rows(10, 1), null);
      String path = "/v1/models/m/labels";
      service.settled("m", 10);
      service.post(
          "/v1/models/m/predict", "{\"x\":1,\"id\":1}{\"x\":2,\"id\":2}{\"x\":3,\"id\":3}");
      String lines = "{\"id\":1,\"label\":1}\n{\"id\":2,\"label\":-1,\"weight\":\"2\"}\n";
      assertThat(service.post(path, lines).json()).containsEntry("rows", 2L);
      Service.Reply csv = service.post(path, "id,label\n3,1\n", "Content-Type", "text/csv");
      assertThat(csv.status()).isEqualTo(415);
      assertThat(service.post(path, "").body()).contains("the body contains no labels");
      assertThat(service.post(path, "[{\"id\":3,\"label\":1}]").json()).containsEntry("rows", 1L);
    }
  }

  @Test
  void aRestartChangesNothing() throws IOException {
    Map<String, Object> before;
    List<Map<String, Object>> asked = rows(50, 9);
    Object answers;
    try (Service service = new Service(folder)) {
      service.client.create("m", SGD);
      service.client.create("auto", Map.of());
      service.client.observe("m", rows(500, 5), "key");
      service.client.observe("auto", rows(300, 5), null);
      before = service.settled("m", 500);
      answers = service.client.predict("m", asked);
    }
    try (Service service = new Service(folder)) {
      assertThat(service.client.predict("m", asked)).isEqualTo(answers);
      Map<String, Object> after = service.client.model("m");
      for (String same :
          List.of("sequence", "instances", "mistakeRate", "auc", "curve", "confusion")) {
        assertThat(after.get(same)).as(same).isEqualTo(before.get(same));
      }
      assertThat(service.client.observe("m", rows(500, 5), "key")).containsEntry("repeated", true);
      assertThat(sequence(service.client.model("m"))).isEqualTo(500);
    }
  }

  @Test
  void anExportIsReadByTheLibraryAndImportedAgain() throws IOException {
    Path file = folder.resolve("export.avm");
    try (Service service = new Service(folder)) {
      service.client.create("m", SGD);
      service.client.learn("m", rows(100, 6), null);
      service.settled("m", 100);
      service.client.save("m", file);
      service.client.load("copy", file);
      assertThat(service.client.predict("copy", rows(20, 7)).get("predictions"))
          .isEqualTo(service.client.predict("m", rows(20, 7)).get("predictions"));
      assertThat(PreparedModel.load(file).answer(Map.of("x", 0.1, "y", 0.1)).scores()).hasSize(1);
      service.client.delete("copy");
      assertThatThrownBy(() -> service.client.model("copy"))
          .isInstanceOf(AvmServiceException.class)
          .hasMessageContaining("no model 'copy'");
      assertThat(
              service.put("/v1/models/bad", "garbage", "Content-Type", "application/octet-stream"))
          .extracting(Service.Reply::status)
          .isEqualTo(422);
    }
  }

  @Test
  void aBackupTakenOnlineIsServedElsewhere() throws IOException {
    Path other = Files.createDirectories(folder.resolve("other"));
    Object answers;
    try (Service service = new Service(folder)) {
      service.client.create("m", SGD);
      service.client.learn("m", rows(100, 6), null);
      service.settled("m", 100);
      answers = service.client.predict("m", rows(20, 7)).get("predictions");
      service.client.backup(other.resolve(StoreFolder.FILE));
      assertThat(service.log).anyMatch(line -> line.contains("audit") && line.contains("backup"));
    }
    try (Service service = new Service(other)) {
      assertThat(service.client.predict("m", rows(20, 7)).get("predictions")).isEqualTo(answers);
    }
  }

  @Test
  void aBackupNeedsAStoreAndReplacesNoFile() throws IOException {
    Path copy = folder.resolve("copy.db");
    Path store = folder.resolve("store");
    assertThatThrownBy(() -> AvmServer.backup(store, copy))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("avm.db");
    assertThatThrownBy(() -> AvmServer.repair(store, line -> {}))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("avm.db");
    new Service(store).close();
    AvmServer.backup(store, copy);
    byte[] before = Files.readAllBytes(copy);
    assertThatThrownBy(() -> AvmServer.backup(store, copy))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(Files.readAllBytes(copy)).isEqualTo(before);
  }

  @Test
  void refusalsAreProblemDocumentsThatNameTheRowAndChangeNothing() throws IOException {
    try (Service service = new Service(folder)) {
      service.put(
          "/v1/models/m",
          "{\"task\":\"multiclass\",\"columns\":{\"x\":\"number\",\"c\":\"text\"}}");
      String good = "{\"x\":1,\"c\":\"a\",\"label\":1}";
      Service.Reply wrong =
          service.post("/v1/models/m/learn", "[" + good + ",{\"x\":\"abc\",\"label\":1}]");
      assertThat(wrong.type()).isEqualTo("application/problem+json");
      assertThat(wrong.json()).containsEntry("status", 422L).containsEntry("row", 2L);
      assertThat(wrong.json()).containsEntry("column", "x");
      check(service, "{\"x\":1,\"label\":1,\"new\":2}", 422, "no column 'new'");
      check(service, "{\"x\":1}", 422, "must have a label");
      check(service, "{\"x\":1e999,\"label\":1}", 422, "finite");
      check(service, "{\"x\":1,\"x\":2,\"label\":1}", 400, "must appear only once");
      check(service, "{\"x\":[1],\"label\":1}", 400, "a value must be");
      check(service, "[1,2]", 400, "a row must be a JSON object");
      check(service, "", 400, "the body contains no rows");
      check(service, "nonsense", 415, "content type");
      check(service, "[]", 400, "no row");
      check(service, "{\"x\":1,\"label\":1,\"weight\":\"two\"}", 422, "weight");
      check(
          service, "{\"x\":1,\"label\":1,\"weight\":\"-2\"}", 422, "must be > 0 and finite: -2.0");
      check(service, "[".repeat(100_000), 400, "");
      check(service, "{\"x\":" + "9".repeat(5000) + ",\"label\":1}", 400, "");
      assertThat(service.client.model("m")).containsEntry("sequence", 0L);
      service.client.create("open", Map.of());
      String wide =
          IntStream.range(0, 70_000)
              .mapToObj(i -> "\"c" + i + "\":1,")
              .collect(joining("", "{", "\"label\":1}"));
      assertThat(service.post("/v1/models/open/learn", wide).body())
          .contains("\"status\":422", "at most 65,536 features");
      String names = IntStream.range(0, 70_000).mapToObj(i -> "c" + i).collect(joining(","));
      String csv = names + ",label\n" + "1,".repeat(70_000) + "1\n";
      assertThat(service.post("/v1/models/open/learn", csv, "Content-Type", "text/csv").body())
          .contains("\"status\":422", "at most 65,536 features");
      String name = "n".repeat(1001);
      assertThat(
              service.post("/v1/models/open/learn", "{\"x\":1,\"label\":\"" + name + "\"}").body())
          .contains("\"status\":422", "at most 1,000 characters", "\"reason\":\"limit\"");
      assertThat(service.client.model("open")).containsEntry("sequence", 0L);
      assertThat(service.post("/v1/models/open/predict?min-sequence=%ff", "{}").body())
          .contains("\"status\":400", "percent-encoded");
      assertThat(service.put("/v1/models/%2e%2e%2fx", "{}").status()).isBetween(400, 404);
      assertThat(service.put("/v1/models/a..b", "{}").status()).isEqualTo(400);
      assertThat(service.put("/v1/models/s", "{\"update\":\"sgd\"}").body())
          .contains("must be given");
      assertThat(service.put("/v1/models/s", "{\"nonsense\":1}").body()).contains("nonsense");
      assertThat(service.get("/v1/nothing").status()).isEqualTo(404);
      assertThat(service.send("DELETE", "/v1/models", new byte[0]).status()).isEqualTo(405);
      byte[] badUtf8 = {'{', '"', 'x', '"', ':', '"', (byte) 0xff, '"', '}'};
      assertThat(service.send("POST", "/v1/models/m/learn", badUtf8).status()).isEqualTo(400);
    }
  }

  private static void check(Service service, String body, int status, String sentence) {
    Service.Reply reply = service.post("/v1/models/m/learn", body);
    assertThat(reply.status()).as(reply.body()).isEqualTo(status);
    assertThat(reply.body())
        .contains(sentence)
        .doesNotContain("Exception")
        .doesNotContain("org.avm4j");
  }

  @Test
  void aRecordOfCsvWithTooFewOrTooManyFieldsIsRefusedWithItsLine() throws IOException {
    try (Service service = new Service(folder)) {
      service.client.create("m", Map.of());
      checkCsv(service, "x,c,label\n1,a,1\n2,b\n", "expected 3 fields, found 2", 3);
      checkCsv(service, "x,c,label\n1,a,1\n\n2,b,1,7\n", "expected 3 fields, found 4", 4);
      checkCsv(service, "x,c,label\n1,\"a,1\n", "a quoted field must end with a quote", null);
      checkCsv(service, "x,c,label\n1,a,\"1\n", "a quoted field must end with a quote", null);
      checkCsv(service, "x,c,label\n1,\"a\"b,1\n", "a quoted field must end with a quote", null);
      assertThat(service.client.model("m")).containsEntry("sequence", 0L);
    }
  }

  private static void checkCsv(Service service, String body, String sentence, Object line) {
    Service.Reply reply = service.post("/v1/models/m/learn", body, "Content-Type", "text/csv");
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.json().get("detail").toString()).contains(sentence);
    assertThat(reply.json().get("line"))
        .isEqualTo(line == null ? null : ((Integer) line).longValue());
  }

  @Test
  void keysAndColumnsThatHideEachOtherAreRefused() throws IOException {
    try (Service service = new Service(folder)) {
      String[] hidden = {
        "{\"label\":\"id\"}",
        "{\"label\":\"a\",\"weight\":\"a\"}",
        "{\"id\":\"\"}",
        "{\"columns\":{\"x\":\"number\",\"label\":\"text\"}}",
        "{\"columns\":{\"x\":\"number\"},\"id\":\"x\"}"
      };
      for (String spec : hidden) {
        assertThat(service.put("/v1/models/m", spec).status()).as(spec).isEqualTo(422);
      }
      String exchanged = "{\"label\":\"id\",\"id\":\"label\"}";
      assertThat(service.put("/v1/models/m", exchanged).status()).isEqualTo(201);
    }
  }

  @Test
  void theOpenInferenceProtocolAnswersAsPredictDoes() throws IOException {
    try (Service service = new Service(folder)) {
      service.client.create("m", SGD);
      service.client.learn("m", rows(100, 6), null);
      service.settled("m", 100);
      assertThat(service.get("/v2/health/live").status()).isEqualTo(200);
      assertThat(service.get("/v2/health/ready").status()).isEqualTo(200);
      assertThat(service.get("/v2/models/m").body())
          .contains("\"platform\":\"avm\"", "\"x\"", "FP64");
      String byColumn =
          "{\"id\":\"7\",\"inputs\":[{\"name\":\"x\",\"shape\":[2],\"datatype\":\"FP64\",\"data\":[0.1,0.9]},"
              + "{\"name\":\"y\",\"shape\":[2],\"datatype\":\"FP64\",\"data\":[0.2,0.3]}]}";
      String matrix =
          "{\"inputs\":[{\"name\":\"in\",\"shape\":[2,2],\"datatype\":\"FP32\",\"data\":[[0.1,0.2],[0.9,0.3]]}]}";
      Map<String, Object> one = service.post("/v2/models/m/infer", byColumn).json();
      assertThat(service.post("/v2/models/m/infer", matrix).json().get("outputs"))
          .isEqualTo(one.get("outputs"));
      assertThat(one).containsEntry("id", "7").containsEntry("model_name", "m");
      Map<String, Object> predicted =
          service
              .post("/v1/models/m/predict", "[{\"x\":0.1,\"y\":0.2},{\"x\":0.9,\"y\":0.3}]")
              .json();
      List<Object> labels =
          ((List<?>) predicted.get("predictions"))
              .stream().map(each -> (Object) ((Map<?, ?>) each).get("label")).toList();
      assertThat(((Map<?, ?>) ((List<?>) one.get("outputs")).get(0)).get("data")).isEqualTo(labels);
      assertThat(service.post("/v2/models/m/infer", "{\"inputs\":3}").status()).isEqualTo(400);
    }
  }

  @Test
  void metricsCountWhatHappened() throws IOException {
    try (Service service = new Service(folder)) {
      service.client.create("m", SGD);
      service.client.observe("m", rows(50, 6), null);
      service.settled("m", 50);
      String text = service.get("/metrics").body();
      assertThat(text)
          .contains("avm_requests_total{kind=\"observe\",status=\"200\"} 1")
          .contains("avm_rows_learned_total{model=\"m\"} 50")
          .contains("avm_request_seconds_bucket{kind=\"observe\",le=\"+Inf\"} 1")
          .contains("avm_sequence{model=\"m\"} 50");
      assertThat(text.lines().filter(line -> !line.startsWith("#")))
          .allMatch(line -> line.matches("[a-z_]+(\\{[^}]*\\})? \\S+"));
    }
  }
}
