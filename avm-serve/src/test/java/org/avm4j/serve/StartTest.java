package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The port is open before models are loaded; each model is ready when it is. */
@Timeout(120)
class StartTest {
  @TempDir Path folder;
  private final HttpClient http = HttpClient.newHttpClient();

  private HttpResponse<String> send(AvmServer server, String path, String body) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.uri() + path));
    if (body != null) {
      request.POST(HttpRequest.BodyPublishers.ofString(body));
    }
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void aServiceIsLiveAndSaysHowFarItIsWhileModelsAreLoaded() throws Exception {
    fill();
    List<String> log = new CopyOnWriteArrayList<>();
    AtomicReference<Models> waiting = new AtomicReference<>();
    ServeOptions options = ServeOptions.of(folder).withPort(0);
    try (AvmServer server = AvmServer.start(options, log::add, waiting::set)) {
      assertThat(send(server, "/v2/health/live", null).statusCode()).isEqualTo(200);
      assertThat(send(server, "/v2/health/ready", null).statusCode()).isEqualTo(400);
      HttpResponse<String> health = send(server, "/health", null);
      assertThat(health.statusCode()).isEqualTo(503);
      assertThat(health.body()).contains("\"ready\":false", "\"models\":2", "\"loaded\":0");
      assertThat(send(server, "/v1/models", null).body()).contains("\"state\":\"loading\"");
      for (String action : List.of("predict", "learn", "observe", "labels")) {
        HttpResponse<String> reply = send(server, "/v1/models/a/" + action, "{\"x\":1}");
        assertThat(reply.statusCode()).as(action).isEqualTo(503);
        assertThat(reply.headers().firstValue("Retry-After")).isPresent();
        assertThat(reply.body()).contains("is being loaded: row 0 of 40");
      }
      assertThat(send(server, "/v2/models/a/ready", null).statusCode()).isEqualTo(400);
      assertThat(send(server, "/v1/models/a/file", null).statusCode()).isEqualTo(503);
      assertThat(send(server, "/metrics", null).body()).contains("avm_model_ready{model=\"a\"} 0");
      waiting.get().load();
      server.awaitReady();
      assertThat(send(server, "/v2/health/ready", null).statusCode()).isEqualTo(200);
      assertThat(send(server, "/v2/models/a/ready", null).statusCode()).isEqualTo(200);
      assertThat(send(server, "/v1/models/a/predict", "{\"x\":1}").statusCode()).isEqualTo(200);
      assertThat(log).anyMatch(line -> line.contains("\"ready\"") && line.contains("\"models\":2"));
    }
  }

  /**
   * The loader of model b tells that the latest snapshot is damaged, and is held there until model
   * a has answered.
   */
  @Test
  void aModelAnswersAndLearnsWhileAnotherIsLoaded() throws Exception {
    fill();
    damageLatestSnapshot("b");
    CountDownLatch answered = new CountDownLatch(1);
    CountDownLatch loading = new CountDownLatch(1);
    Consumer<String> log =
        line -> {
          if (line.contains("\"damage\"")) {
            loading.countDown();
            await(answered);
          }
        };
    try (AvmServer server = AvmServer.start(ServeOptions.of(folder).withPort(0), log)) {
      await(loading);
      while (send(server, "/v2/models/a/ready", null).statusCode() != 200) {
        Thread.sleep(5);
      }
      assertThat(send(server, "/v1/models/a/predict", "{\"x\":1}").statusCode()).isEqualTo(200);
      assertThat(send(server, "/v1/models/a/learn", "{\"x\":1,\"y\":1,\"label\":1}").body())
          .contains("\"sequence\":41");
      assertThat(send(server, "/v1/models/b/predict", "{\"x\":1}").statusCode()).isEqualTo(503);
      assertThat(send(server, "/health", null).body()).contains("\"ready\":false");
      answered.countDown();
      server.awaitReady();
      assertThat(send(server, "/v1/models/b/predict", "{\"x\":1}").statusCode()).isEqualTo(200);
    } finally {
      answered.countDown();
    }
  }

  /** The loader of model b is held as above until the model is deleted. */
  @Test
  void aModelThatIsDeletedWhileItIsLoadedIsNotDamaged() throws Exception {
    fill();
    damageLatestSnapshot("b");
    CountDownLatch loading = new CountDownLatch(1);
    CountDownLatch deleted = new CountDownLatch(1);
    List<String> lines = new CopyOnWriteArrayList<>();
    Consumer<String> log =
        line -> {
          lines.add(line);
          if (line.contains("\"damage\"")) {
            loading.countDown();
            await(deleted);
          }
        };
    try (AvmServer server = AvmServer.start(ServeOptions.of(folder).withPort(0), log)) {
      await(loading);
      new AvmClient(server.uri()).delete("b");
      deleted.countDown();
      server.awaitReady();
      assertThat(send(server, "/v2/health/ready", null).statusCode()).isEqualTo(200);
      assertThat(send(server, "/v1/models/b", null).statusCode()).isEqualTo(404);
      assertThat(send(server, "/v1/models/a/predict", "{\"x\":1}").statusCode()).isEqualTo(200);
      assertThat(lines).noneMatch(line -> line.contains("\"failure\""));
    } finally {
      deleted.countDown();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }

  /** The snapshot before it is whole. */
  private void damageLatestSnapshot(String name) throws Exception {
    try (Service service = new Service(folder)) {
      service.client.learn(name, ApiTest.rows(10, 2), null);
    }
    try (Database database = Database.open(folder.resolve(StoreFolder.FILE))) {
      assertThat(
              database.number(
                  "SELECT count(*) FROM snapshot WHERE model = (SELECT id FROM model WHERE name ="
                      + " ?)",
                  name))
          .isGreaterThan(1);
      database.update(
          "UPDATE snapshot SET body = x'00' WHERE version = (SELECT versions FROM model WHERE name ="
              + " ?1) AND model = (SELECT id FROM model WHERE name = ?1)",
          name);
    }
  }

  private void fill() throws IOException {
    try (Service service = new Service(folder)) {
      for (String name : List.of("a", "b")) {
        service.client.create(name, Map.of());
        service.client.learn(name, ApiTest.rows(40, 1), null);
      }
    }
  }
}
