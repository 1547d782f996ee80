package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The figures of a service that has something of everything, as Prometheus reads them. */
@Timeout(120)
class PrometheusTest {
  @TempDir Path folder;

  /** What promtool says about a text; empty if it finds no fault. */
  private String check(String metrics) throws IOException, InterruptedException {
    Path file = folder.resolve("metrics.txt");
    Files.writeString(file, metrics);
    Process process =
        new ProcessBuilder("promtool", "check", "metrics")
            .redirectInput(file.toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() == 0 ? said : "exit " + process.exitValue() + "\n" + said;
  }

  private static boolean isInstalled(String program) throws InterruptedException {
    try {
      Process process = new ProcessBuilder(program, "--version").redirectErrorStream(true).start();
      process.getInputStream().readAllBytes();
      return process.waitFor() == 0;
    } catch (IOException absent) {
      return false;
    }
  }

  /** Models of all kinds, refused rows, waiting rows, a challenger, a pinned version. */
  private static String metricsOf(Service service) throws IOException {
    service.client.create("classes", Map.of("task", "binary", "drift", true));
    service.client.create("numbers", Map.of("task", "regression"));
    service.client.create("odd", Map.of("task", "anomaly"));
    service.client.create("groups", Map.of("task", "cluster"));
    service.client.create("empty", Map.of());
    service.client.challenge("classes", Map.of("forget", "auto"));
    service.client.observe("classes", ApiTest.rows(80, 1), null);
    service.client.observe("numbers", ApiTest.rows(80, 2), null);
    service.client.learn("odd", ApiTest.rows(80, 3), null);
    service.client.learn("groups", ApiTest.rows(80, 4), null);
    service.settled("classes", 80);
    service.settled("numbers", 80);
    service.client.keepVersion("classes");
    service.client.pin("classes", 1);
    service.client.predict("classes", List.of(Map.of("x", 1, "y", 1, "id", "waits")));
    assertThat(service.post("/v1/models/classes/learn", "{\"x\":\"red\",\"label\":1}").status())
        .isEqualTo(422);
    assertThat(service.get("/nothing").status()).isEqualTo(404);
    return service.get("/metrics").body();
  }

  @Test
  void promtoolFindsNoFaultWithTheFigures() throws Exception {
    assumeTrue(
        isInstalled("promtool"), "promtool is not installed: the Debian package prometheus has it");
    try (Service service = new Service(folder.resolve("data"))) {
      String metrics = metricsOf(service);
      assertThat(metrics)
          .contains("model=\"classes/challenger\"")
          .contains("by=\"door\"", "avm_clusters{model=\"groups\"} ")
          .doesNotContain("avm_clusters{model=\"odd\"}")
          .contains("avm_waiting_rows{model=\"classes\"} 1");
      assertThat(check(metrics)).isEmpty();
      assertThat(check(metrics.replace("_total", "_count"))).isNotEmpty();
    }
  }

  @Test
  void aTokenForFiguresReadsThemAndNothingElse() throws IOException {
    String token = Tokens.generate();
    try (Service service = withTokens(token)) {
      String[] header = {"Authorization", "Bearer " + token};
      assertThat(service.get("/metrics").status()).isEqualTo(401);
      assertThat(service.get("/metrics", header).status()).isEqualTo(200);
      for (String path : List.of("/v1/models", "/v1/models/m", "/v1/backup", "/v2/models/m")) {
        assertThat(service.get(path, header).status()).as(path).isEqualTo(403);
      }
      for (String path : List.of("/v1/models/m/predict", "/v2/models/m/infer")) {
        assertThat(service.post(path, "{}", header).status()).as(path).isEqualTo(403);
      }
    }
  }

  private Service withTokens(String token) throws IOException {
    Path file = folder.resolve("tokens");
    Files.write(
        file,
        List.of(
            Tokens.line(Role.ADMIN, Tokens.generate()),
            Tokens.line(Role.METRICS, token) + " prom"));
    Tokens tokens = Tokens.load(file);
    return new Service(folder.resolve("data"), options -> options.withHost("127.0.0.1", tokens));
  }

  /** The example for Prometheus, with the address, the token and a short interval of this test. */
  private Path configuration(Service service, String token) throws IOException {
    Path secret = Files.writeString(folder.resolve("avm-token"), token + "\n");
    String example = Files.readString(Path.of("deploy", "prometheus.yml"));
    assertThat(example).contains("avm-serve:80", "/etc/prometheus/avm-token");
    return Files.writeString(
        folder.resolve("prometheus.yml"),
        "global:\n  scrape_interval: 1s\n"
            + example
                .replace("avm-serve:80", service.server.uri().getAuthority())
                .replace("/etc/prometheus/avm-token", secret.toString()));
  }

  @Test
  void prometheusReadsTheFiguresOfAServiceWithTokensByTheExample() throws Exception {
    assumeTrue(isInstalled("prometheus"), "prometheus is not installed");
    String token = Tokens.generate();
    try (Service service = withTokens(token)) {
      Path configuration = configuration(service, token);
      int port = freePort();
      Process prometheus =
          new ProcessBuilder(
                  "prometheus",
                  "--config.file=" + configuration,
                  "--storage.tsdb.path=" + folder.resolve("tsdb"),
                  "--web.listen-address=127.0.0.1:" + port)
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("prometheus.log").toFile())
              .start();
      try {
        String found = "";
        while (!found.contains("\"job\":\"avm\"")) {
          assertThat(prometheus.isAlive()).as("prometheus runs").isTrue();
          Thread.sleep(200);
          found = ask("http://127.0.0.1:" + port + "/api/v1/query?query=avm_ready");
        }
        assertThat(found).contains("\"success\"");
      } finally {
        prometheus.destroyForcibly().waitFor();
      }
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static String ask(String uri) throws InterruptedException {
    try {
      HttpRequest request = HttpRequest.newBuilder(URI.create(uri)).build();
      return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    } catch (IOException early) {
      return "";
    }
  }
}
