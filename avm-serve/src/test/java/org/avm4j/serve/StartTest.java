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
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The port is open before models are loaded; each model is ready when it is. */
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

  private void fill() throws IOException {
    try (Service service = new Service(folder)) {
      for (String name : List.of("a", "b")) {
        service.client.create(name, Map.of());
        service.client.learn(name, ApiTest.rows(40, 1), null);
      }
    }
  }
}
