package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenApiTest {
  private static final String VALIDATOR = "@seriousme/openapi-schema-validator@2.11.0";

  @TempDir Path folder;

  @Test
  void theDescriptionIsValid() throws Exception {
    Path file = folder.resolve("openapi.json");
    try (Service service = new Service(folder.resolve("data"))) {
      Files.writeString(file, service.get("/openapi.json").body());
    }
    assumeTrue(run("npm", "--version") == 0, "npm is not installed");
    assumeTrue(
        run("npm", "view", VALIDATOR, "version") == 0, "the validator cannot be had from npm");
    assertThat(run("npx", "--yes", "-p", VALIDATOR, "validate-api", file.toString())).isZero();
    Path wrong = folder.resolve("wrong.json");
    Files.writeString(wrong, Files.readString(file).replace("\"responses\"", "\"replies\""));
    assertThat(run("npx", "--yes", "-p", VALIDATOR, "validate-api", wrong.toString())).isNotZero();
  }

  private int run(String... command) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
      process.getOutputStream().close();
      process.getInputStream().readAllBytes();
      return process.waitFor(60, TimeUnit.SECONDS) ? process.exitValue() : -1;
    } catch (IOException absent) {
      return -1;
    }
  }

  @Test
  void everyExampleIsAcceptedInTheOrderOfTheDescription() throws IOException {
    List<String> sent = new ArrayList<>();
    try (Service service = new Service(folder)) {
      Map<String, Object> document = service.get("/openapi.json").json();
      map(document.get("paths"))
          .forEach(
              (path, operations) ->
                  map(operations)
                      .forEach(
                          (method, operation) -> send(service, path, method, operation, sent)));
    }
    assertThat(sent).hasSizeGreaterThan(15);
  }

  private static void send(
      Service service, String path, String method, Object operation, List<String> sent) {
    Object body = map(operation).get("requestBody");
    if (body == null) {
      return;
    }
    map(map(body).get("content"))
        .forEach(
            (type, content) -> {
              Map<String, Object> one = map(content);
              if (one.get("example") != null) {
                check(service, path, method, type, one.get("example"), sent);
              }
              if (one.get("examples") != null) {
                map(one.get("examples"))
                    .forEach(
                        (name, example) ->
                            check(service, path, method, type, map(example).get("value"), sent));
              }
            });
  }

  private static void check(
      Service service, String path, String method, String type, Object example, List<String> sent) {
    boolean isMaking = method.equals("put") && !path.endsWith("champion");
    boolean isModel = path.endsWith("{name}");
    String model = isModel && !sent.isEmpty() ? "other" + sent.size() : "spam";
    if (path.endsWith("champion") || path.contains("{version}")) {
      service.post("/v1/models/spam/versions", "");
    }
    byte[] body =
        example instanceof String text
            ? text.getBytes(StandardCharsets.UTF_8)
            : JsonValues.bytes(example);
    Service.Reply reply =
        service.send(
            method.toUpperCase(Locale.ROOT),
            path.replace("{name}", model).replace("{version}", "1"),
            body,
            "Content-Type",
            type);
    assertThat(reply.status()).as(path + " " + reply.body()).isEqualTo(isMaking ? 201 : 200);
    if (path.endsWith("learn") || path.endsWith("observe")) {
      service.settled("spam", ((Number) reply.json().get("sequence")).longValue());
    }
    sent.add(path);
  }

  @Test
  void everyPathOfTheDescriptionExists() throws IOException {
    try (Service service = new Service(folder)) {
      service.client.create("spam", Map.of());
      service.client.learn("spam", ApiTest.rows(5, 1), null);
      service.settled("spam", 5);
      service.client.challenge("spam", Map.of());
      service.client.keepVersion("spam");
      Map<String, Object> paths = map(service.get("/openapi.json").json().get("paths"));
      for (String path : paths.keySet()) {
        if (!path.endsWith("events") && map(paths.get(path)).containsKey("get")) {
          assertThat(service.get(concrete(path)).status()).as(path).isEqualTo(200);
        }
      }
    }
  }

  @Test
  void aStatusThatIsNotListedForAnOperationIsNoticed() {
    assertThat(DescribedReplies.includes("POST", "/v1/models/a/learn?label=y", 200)).isTrue();
    assertThat(DescribedReplies.includes("POST", "/v1/models/a/learn", 201)).isFalse();
    assertThat(DescribedReplies.includes("HEAD", "/health", 404)).isFalse();
    assertThat(DescribedReplies.includes("POST", "/v2/models/a/versions/1/infer", 429)).isTrue();
    assertThat(DescribedReplies.includes("GET", "/v1/models/a", 201)).isFalse();
    assertThat(DescribedReplies.includes("GET", "/nothing", 201)).isTrue();
  }

  /** Each of these differs in one point from a reply that fits. */
  @Test
  void aReplyThatIsNotAsDescribedIsNoticed() {
    String path = "/v1/models/a/learn";
    assertThat(faults(path, 200, "application/json", "{'rows':3,'sequence':3}")).isEmpty();
    for (String wrong :
        List.of(
            "{'rows':3}",
            "{'rows':3.5,'sequence':3}",
            "{'rows':'3','sequence':3}",
            "{'rows':3,'sequence':3,'more':1}",
            "{'rows':3,'sequence':3,'unknown':[1]}",
            "{'rows':3,'sequence':3,'predictions':[{'label':1}]}",
            "{'rows':3,'sequence':3,'refused':[{'row':1,'sequence':1,'reason':'x'}]}",
            "[]")) {
      assertThat(faults(path, 200, "application/json", wrong)).as(wrong).isNotEmpty();
    }
    String problem = "{'type':'about:blank','title':'a','status':422,'detail':'b'}";
    assertThat(faults(path, 422, "application/problem+json", problem)).isEmpty();
    assertThat(faults(path, 422, "application/json", problem)).isNotEmpty();
    assertThat(faults("/v2/nothing", 404, "application/json", "{'error':'a'}")).isEmpty();
    assertThat(faults("/v2/nothing", 404, "application/problem+json", problem)).isNotEmpty();
    assertThat(faults("/v1/nothing", 404, "application/problem+json", problem)).isEmpty();
  }

  private static List<String> faults(String path, int status, String type, String body) {
    return DescribedReplies.faults(
        "POST", path, new Service.Reply(status, type, body.replace('\'', '"')));
  }

  private static String concrete(String path) {
    return path.replace("{name}", "spam").replace("{version}", "1");
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> map(Object value) {
    return (Map<String, Object>) value;
  }
}
