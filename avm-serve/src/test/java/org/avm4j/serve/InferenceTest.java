package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rules of the Open Inference Protocol, one test each. */
class InferenceTest {
  private static final String X =
      "{\"name\":\"x\",\"shape\":[2],\"datatype\":\"FP64\",\"data\":[0.1,0.9]}";
  private static final String Y =
      "{\"name\":\"y\",\"shape\":[2],\"datatype\":\"FP32\",\"data\":[0.2,0.3]}";

  @TempDir Path folder;
  private Service service;

  @BeforeEach
  void start() throws IOException {
    service = new Service(folder);
    service.client.create("m", Map.of("task", "binary"));
    service.client.learn("m", ApiTest.rows(100, 6), null);
    service.settled("m", 100);
    service.client.create("empty", Map.of());
  }

  @AfterEach
  void stop() throws IOException {
    service.close();
  }

  private Service.Reply infer(String request) {
    return service.post("/v2/models/m/infer", request);
  }

  private static String with(String x) {
    return "{\"inputs\":[" + x + "," + Y + "]}";
  }

  private void refused(String request) {
    Service.Reply reply = infer(request);
    assertThat(reply.status()).as(request).isBetween(400, 499);
    assertThat(reply.json()).as(request).containsOnlyKeys("error");
    assertThat(reply.json().get("error")).isInstanceOf(String.class);
  }

  @Test
  void theServerTellsItsNameVersionAndExtensionsWithAndWithoutASlash() {
    for (String path : List.of("/v2", "/v2/")) {
      assertThat(service.get(path).json()).containsOnlyKeys("name", "version", "extensions");
    }
  }

  @Test
  void healthIsABooleanByStatus() {
    assertThat(service.get("/v2/health/live").json()).containsEntry("live", true);
    assertThat(service.get("/v2/health/ready").json()).containsEntry("ready", true);
    Service.Reply ready = service.get("/v2/models/m/ready");
    assertThat(ready.status()).isEqualTo(200);
    assertThat(ready.json()).containsEntry("name", "m").containsEntry("ready", true);
    Service.Reply notReady = service.get("/v2/models/empty/ready");
    assertThat(notReady.status()).isBetween(400, 499);
    assertThat(notReady.json()).containsEntry("name", "empty").containsEntry("ready", false);
  }

  @Test
  void metadataNameTensorsWithTypeAndShape() {
    Map<String, Object> metadata = service.get("/v2/models/m").json();
    assertThat(metadata).containsOnlyKeys("name", "platform", "inputs", "outputs");
    for (String side : List.of("inputs", "outputs")) {
      for (Object tensor : (List<?>) metadata.get(side)) {
        Map<?, ?> one = (Map<?, ?>) tensor;
        assertThat(one.keySet()).isEqualTo(Set.of("name", "datatype", "shape"));
        assertThat(one.get("datatype").toString()).matches("FP64|BYTES");
        assertThat((List<?>) one.get("shape")).allMatch(n -> n.equals(-1L));
      }
    }
  }

  @Test
  void aReplyHasTheNameTheIdAndTensorsThatFillTheirShape() {
    Map<String, Object> reply =
        infer("{\"id\":\"42\",\"parameters\":{\"a\":1},\"inputs\":[" + X + "," + Y + "]}").json();
    assertThat(reply).containsOnlyKeys("model_name", "id", "outputs");
    assertThat(reply).containsEntry("model_name", "m").containsEntry("id", "42");
    for (Object tensor : (List<?>) reply.get("outputs")) {
      Map<?, ?> one = (Map<?, ?>) tensor;
      assertThat(one.keySet()).isEqualTo(Set.of("name", "datatype", "shape", "data"));
      long size =
          ((List<?>) one.get("shape"))
              .stream().mapToLong(n -> ((Number) n).longValue()).reduce(1, (a, b) -> a * b);
      assertThat((List<?>) one.get("data")).hasSize((int) size);
    }
    assertThat(infer(with(X)).json()).doesNotContainKey("id");
  }

  @Test
  void aVersionIsAskedForByItsNumberAndTheReplySaysWhichAnswered() throws IOException {
    assertThat(service.get("/v2/models/m").json()).doesNotContainKey("versions");
    service.client.keepVersion("m");
    Object before = infer(with(X)).json().get("outputs");
    service.client.learn("m", ApiTest.rows(300, 7), null);
    service.settled("m", 400);
    service.client.keepVersion("m");
    assertThat(service.get("/v2/models/m").json()).containsEntry("versions", List.of("2", "1"));
    assertThat(service.get("/v2/models/m/versions/1").json())
        .containsOnlyKeys("name", "versions", "platform", "inputs", "outputs")
        .containsEntry("name", "m");
    assertThat(service.get("/v2/models/m/versions/1/ready").json()).containsEntry("ready", true);
    for (int i = 0; i < 2; i++) {
      assertThat(service.post("/v2/models/m/versions/1/infer", with(X)).json())
          .containsEntry("model_name", "m")
          .containsEntry("model_version", "1")
          .containsEntry("outputs", before);
    }
    Object latest = infer(with(X)).json().get("outputs");
    assertThat(latest).isNotEqualTo(before);
    assertThat(service.post("/v2/models/m/versions/2/infer", with(X)).json())
        .containsEntry("model_version", "2")
        .containsEntry("outputs", latest);
    assertThat(infer(with(X)).json()).doesNotContainKey("model_version");
    service.client.pin("m", 1);
    assertThat(infer(with(X)).json())
        .containsEntry("model_version", "1")
        .containsEntry("outputs", before);
    Service.Reply gone = service.post("/v2/models/m/versions/3/infer", with(X));
    assertThat(gone.status()).isEqualTo(404);
    assertThat(gone.json()).containsOnlyKeys("error");
    assertThat(service.post("/v2/models/m/versions/1", with(X)).status()).isEqualTo(405);
  }

  @Test
  void outputsAreThoseThatWereAskedForInTheirOrder() {
    String inputs = "\"inputs\":[" + X + "," + Y + "]";
    Map<String, Object> one = infer("{" + inputs + ",\"outputs\":[{\"name\":\"scores\"}]}").json();
    assertThat((List<?>) one.get("outputs")).hasSize(1);
    assertThat(one.get("outputs").toString()).contains("name=scores");
    Map<String, Object> two =
        infer("{" + inputs + ",\"outputs\":[{\"name\":\"scores\"},{\"name\":\"label\"}]}").json();
    assertThat(two.get("outputs").toString()).matches("(?s).*name=scores.*name=label.*");
    refused("{" + inputs + ",\"outputs\":[{\"name\":\"nothing\"}]}");
    refused("{" + inputs + ",\"outputs\":3}");
    refused("{" + inputs + ",\"outputs\":[{\"name\":\"scores\",\"parameters\":1}]}");
  }

  @Test
  void anEmptyListOfOutputsMeansAll() {
    String inputs = "\"inputs\":[" + X + "," + Y + "]";
    Object all = infer("{" + inputs + "}").json().get("outputs");
    assertThat(infer("{" + inputs + ",\"outputs\":[]}").json().get("outputs")).isEqualTo(all);
  }

  @Test
  void aDeclaredColumnMustBeThereAndOthersNeedNot() throws IOException {
    String one = "{\"inputs\":[" + X + "]}";
    assertThat(infer(one).status()).isEqualTo(200);
    service.client.create(
        "fixed", Map.of("columns", Map.of("x", "number", "y", "number"), "task", "binary"));
    service.client.learn("fixed", ApiTest.rows(100, 6), null);
    service.settled("fixed", 100);
    assertThat(service.post("/v2/models/fixed/infer", with(X)).status()).isEqualTo(200);
    Service.Reply refused = service.post("/v2/models/fixed/infer", one);
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body()).contains("an input of the model is not here: y");
    String misspelled = with(X.replace("\"x\"", "\"xx\""));
    assertThat(service.post("/v2/models/fixed/infer", misspelled).status()).isBetween(400, 499);
  }

  @Test
  void everyInputAppearsOnce() throws IOException {
    refused("{\"inputs\":[" + X + "," + X + "," + Y + "]}");
    service.client.create("plain", Map.of("task", "binary"));
    String[] libsvm = {"Content-Type", "text/x-libsvm"};
    service.post("/v1/models/plain/learn", "1 1:1 2:2\n-1 1:2 2:1\n", libsvm);
    service.settled("plain", 2);
    String matrix = X.replace("[2]", "[1,2]");
    String path = "/v2/models/plain/infer";
    assertThat(service.post(path, "{\"inputs\":[" + matrix + "]}").status()).isEqualTo(200);
    assertThat(service.post(path, "{\"inputs\":[" + matrix + "," + matrix + "]}").status())
        .isEqualTo(400);
  }

  @Test
  void aRequestWaitsForTheRowOfMinSequence() throws IOException {
    assertThat(service.post("/v2/models/m/infer?min-sequence=100", with(X)).status())
        .isEqualTo(200);
    Service.Reply early = service.post("/v2/models/m/infer?min-sequence=101", with(X));
    assertThat(early.status()).isEqualTo(503);
    assertThat(early.body()).contains("did not learn row 101");
    service.client.keepVersion("m");
    Service.Reply never = service.post("/v2/models/m/versions/1/infer?min-sequence=101", with(X));
    assertThat(never.status()).isEqualTo(409);
    assertThat(never.body()).contains("version 1 will never learn row 101");
    assertThat(service.post("/v2/models/m/versions/1/infer?min-sequence=9", with(X)).status())
        .isEqualTo(200);
    assertThat(service.post("/v2/models/m/infer?min-sequence=-1", with(X)).status()).isEqualTo(400);
  }

  @Test
  void rowsThatAreInferredCountAsAnswered() {
    for (int i = 0; i < 3; i++) {
      infer(with(X));
    }
    refused("{}");
    assertThat(service.get("/metrics").body())
        .contains("avm_rows_answered_total{model=\"m\"} 6\n")
        .contains("avm_answer_seconds_count{model=\"m\"} 3\n");
  }

  @Test
  void aHeadThatIsRefusedBeforeItsPathIsKnownGetsAnErrorToo() throws IOException {
    for (String target : List.of("/v2/%zz", "/v2/models/m/%", "/v2/a/%2e%2e/b")) {
      String reply =
          SecurityTest.raw(service, "GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(reply).as(target).startsWith("HTTP/1.1 4");
      String body = reply.substring(reply.indexOf("\r\n\r\n") + 4);
      assertThat(JsonValues.object(body.getBytes(StandardCharsets.UTF_8)).get("error"))
          .as(reply)
          .isInstanceOf(String.class);
    }
  }

  /** A specification of each kind of model, by name. */
  private static Map<String, Map<String, Object>> kinds() {
    Map<String, Map<String, Object>> kinds = new LinkedHashMap<>();
    kinds.put("automatic", Map.of());
    kinds.put("binary", Map.of("task", "binary"));
    kinds.put("multiclass", Map.of("task", "multiclass", "interval", 90));
    kinds.put("sgd", Map.of("task", "binary", "update", "sgd", "gamma", 2, "delta", 0.3));
    kinds.put("regression", Map.of("task", "regression", "interval", 90));
    kinds.put("anomaly", Map.of("task", "anomaly"));
    kinds.put("cluster", Map.of("task", "cluster"));
    return kinds;
  }

  private static List<String> heads(Object tensors) {
    return ((List<?>) tensors)
        .stream()
            .map(each -> (Map<?, ?>) each)
            .map(t -> t.get("name") + " " + t.get("datatype") + " " + dimensions(t))
            .toList();
  }

  private static int dimensions(Map<?, ?> tensor) {
    return ((List<?>) tensor.get("shape")).size();
  }

  @Test
  void metadataListTheOutputsThatInferReturnsForEveryKindOfModel() throws IOException {
    Set<String> seen = new TreeSet<>();
    for (boolean isText : List.of(false, true)) {
      for (Map.Entry<String, Map<String, Object>> kind : kinds().entrySet()) {
        if (isText && kind.getKey().equals("regression")) {
          continue;
        }
        String name = kind.getKey() + (isText ? "-text" : "");
        service.client.create(name, kind.getValue());
        List<Map<String, Object>> rows = ApiTest.rows(60, 3);
        if (isText) {
          rows.forEach(row -> row.compute("label", (key, label) -> "class " + label));
        }
        service.client.learn(name, rows, null);
        service.settled(name, 60);
        Object outputs =
            service.post("/v2/models/" + name + "/infer", with(X)).json().get("outputs");
        Object told = service.get("/v2/models/" + name).json().get("outputs");
        assertThat(heads(outputs)).as(name).isEqualTo(heads(told));
        checkValues(name, outputs);
        seen.addAll(heads(outputs));
      }
    }
    assertThat(seen)
        .containsExactly("label BYTES 1", "label FP64 1", "probabilities FP64 2", "scores FP64 2");
  }

  private static void checkValues(String name, Object outputs) {
    for (Object each : (List<?>) outputs) {
      Map<?, ?> tensor = (Map<?, ?>) each;
      Class<?> type = tensor.get("datatype").equals("BYTES") ? String.class : Number.class;
      assertThat((List<?>) tensor.get("data"))
          .as(name + " " + tensor.get("name"))
          .isNotEmpty()
          .allMatch(type::isInstance);
    }
  }

  /** Each type with its least and greatest value; of 64 bits with those that columns may have. */
  @Test
  void everyDatatypeIsRead() throws IOException {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("BOOL", "[true,false]");
    values.put("BYTES", "[\"red\",\"blue\"]");
    values.put("INT8", "[-128,127]");
    values.put("INT16", "[-32768,32767]");
    values.put("INT32", "[-2147483648,2147483647]");
    values.put("INT64", "[-1000000000000000,1000000000000000]");
    values.put("UINT8", "[0,255]");
    values.put("UINT16", "[0,65535]");
    values.put("UINT32", "[0,4294967295]");
    values.put("UINT64", "[0,1000000000000000]");
    values.put("FP16", "[-0.5,65504]");
    for (Map.Entry<String, String> each : values.entrySet()) {
      List<?> data = (List<?>) JsonValues.parse(each.getValue().getBytes(StandardCharsets.UTF_8));
      String name = "of-" + each.getKey();
      service.client.create(name, Map.of("task", "binary"));
      service.client.learn(
          name,
          List.of(
              Map.of("x", data.get(0), "y", 0.2, "label", 1),
              Map.of("x", data.get(1), "y", 0.3, "label", -1)),
          null);
      service.settled(name, 2);
      String request = with(X.replace("FP64", each.getKey()).replace("[0.1,0.9]", each.getValue()));
      Map<String, Object> inferred = service.post("/v2/models/" + name + "/infer", request).json();
      List<Map<String, Object>> rows =
          List.of(Map.of("x", data.get(0), "y", 0.2), Map.of("x", data.get(1), "y", 0.3));
      assertThat(labels(inferred)).as(name).isEqualTo(predicted(name, rows));
    }
  }

  private static List<?> labels(Map<String, Object> inferred) {
    return (List<?>) ((Map<?, ?>) ((List<?>) inferred.get("outputs")).get(0)).get("data");
  }

  private List<Object> predicted(String name, List<Map<String, Object>> rows) throws IOException {
    List<Object> labels = new ArrayList<>();
    for (Object each : (List<?>) service.client.predict(name, rows).get("predictions")) {
      labels.add(((Map<?, ?>) each).get("label"));
    }
    return labels;
  }

  @Test
  void dataMayBeNestedAsTheShapeSays() {
    String flat =
        "{\"inputs\":[{\"name\":\"in\",\"shape\":[2,2],\"datatype\":\"FP32\",\"data\":[0.1,0.2,0.9,0.3]}]}";
    String nested = flat.replace("[0.1,0.2,0.9,0.3]", "[[0.1,0.2],[0.9,0.3]]");
    assertThat(infer(nested).json().get("outputs")).isEqualTo(infer(flat).json().get("outputs"));
    refused(flat.replace("[0.1,0.2,0.9,0.3]", "[[0.1,0.2,0.9],[0.3]]"));
    refused(flat.replace("[0.1,0.2,0.9,0.3]", "[[0.1,0.2],0.9,0.3]"));
    refused(flat.replace("[0.1,0.2,0.9,0.3]", "[[[0.1,0.2],[0.9,0.3]]]"));
  }

  @Test
  void tensorsAreCheckedForNameTypeShapeAndData() {
    refused("{}");
    refused("{\"inputs\":[]}");
    refused("{\"inputs\":3}");
    refused(with("3"));
    refused(with(X.replace("\"name\":\"x\",", "")));
    refused(with(X.replace("FP64", "FOO")));
    refused(with(X.replace("\"datatype\":\"FP64\",", "")));
    refused(with(X.replace("\"shape\":[2],", "")));
    refused(with(X.replace("[2]", "[3]")));
    refused(with(X.replace("[2]", "[-2]")));
    refused(with(X.replace("[2]", "[2,1,1]")));
    refused(with(X.replace("[0.1,0.9]", "[\"a\",\"b\"]")));
    refused(with(X.replace("FP64", "INT8")));
    refused(with(X.replace("FP64", "UINT8").replace("[0.1,0.9]", "[1,256]")));
    refused(with(X.replace("FP64", "BOOL").replace("[0.1,0.9]", "[1,0]")));
    refused(with(X.replace("FP64", "fp64")));
    refused(with(X.replace("\"datatype\"", "\"parameters\":3,\"datatype\"")));
    refused(with(X.replace("\"datatype\"", "\"parameters\":{\"a\":[]},\"datatype\"")));
    refused("{\"parameters\":[],\"inputs\":[" + X + "," + Y + "]}");
    refused("{\"id\":7,\"inputs\":[" + X + "," + Y + "]}");
    for (String type : List.of("UINT8", "INT16", "UINT32", "INT64", "FP16", "FP32")) {
      String whole = X.replace("FP64", type).replace("[0.1,0.9]", "[1,0]");
      assertThat(infer(with(whole)).status()).as(type).isEqualTo(200);
    }
  }

  @Test
  void everythingBelowV2RefusesWithASentenceUnderError() {
    for (String path :
        List.of(
            "/v2/models/none",
            "/v2/models/m/versions/9",
            "/v2/models/m/versions/9/ready",
            "/v2/models/m/versions/one",
            "/v2/models/m/versions",
            "/v2/models/m/versions/9/ready/now",
            "/v2/nothing")) {
      Service.Reply reply = service.get(path);
      assertThat(reply.status()).as(path).isEqualTo(404);
      assertThat(reply.json()).containsOnlyKeys("error");
    }
    assertThat(service.get("/v2/models/m/infer").json()).containsOnlyKeys("error");
    assertThat(service.post("/v2/models/empty/infer", with(X)).json()).containsOnlyKeys("error");
    refused("{");
  }

  @Test
  void everyRouteIsInTheDescription() {
    Map<?, ?> paths = (Map<?, ?>) service.get("/openapi.json").json().get("paths");
    for (String path :
        List.of(
            "/v2",
            "/v2/health/live",
            "/v2/health/ready",
            "/v2/models/{name}",
            "/v2/models/{name}/ready",
            "/v2/models/{name}/infer",
            "/v2/models/{name}/versions/{version}",
            "/v2/models/{name}/versions/{version}/ready",
            "/v2/models/{name}/versions/{version}/infer")) {
      assertThat(paths.containsKey(path)).as(path).isTrue();
    }
  }

  @Test
  void misspelledColumnsAreRefusedHereToo() throws IOException {
    service.client.create(
        "declared", Map.of("columns", Map.of("x", "number", "y", "number"), "task", "binary"));
    service.client.learn("declared", ApiTest.rows(20, 1), null);
    service.settled("declared", 20);
    assertThat(service.post("/v2/models/declared/infer", with(X)).status()).isEqualTo(200);
    Service.Reply reply =
        service.post("/v2/models/declared/infer", with(X.replace("\"x\"", "\"xx\"")));
    assertThat(reply.status()).isEqualTo(422);
    assertThat(reply.body()).contains("did you mean 'x'?");
    String csv = "xx,y\n1,2\n";
    assertThat(
            service.post("/v1/models/declared/predict", csv, "Content-Type", "text/csv").status())
        .isEqualTo(422);
  }
}
