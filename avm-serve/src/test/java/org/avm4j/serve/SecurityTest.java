package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecurityTest {
  @TempDir Path folder;

  private Tokens tokens(String... tokens) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("# role, SHA-256, name");
    lines.add(Tokens.line(Role.PREDICT, tokens[0]) + " reader");
    lines.add(Tokens.line(Role.LEARN, tokens[1]));
    lines.add(Tokens.line(Role.ADMIN, tokens[2]) + " boss");
    Path file = folder.resolve("tokens");
    Files.write(file, lines);
    assertThat(Files.readString(file)).doesNotContain(tokens[2]);
    return Tokens.load(file);
  }

  @Test
  void eachRoleMayDoWhatItMayAndNoMore() throws IOException {
    String[] secret = {Tokens.generate(), Tokens.generate(), Tokens.generate()};
    Tokens known = tokens(secret);
    try (Service service = new Service(folder, options -> options.withHost("127.0.0.1", known))) {
      assertThat(service.get("/v1/models").status()).isEqualTo(401);
      assertThat(service.get("/v1/models", "Authorization", "Bearer wrong").status())
          .isEqualTo(401);
      assertThat(service.get("/v2/health/live").status()).isEqualTo(200);
      AvmClient admin = new AvmClient(service.server.uri(), secret[2]);
      AvmClient learner = new AvmClient(service.server.uri(), secret[1]);
      AvmClient reader = new AvmClient(service.server.uri(), secret[0]);
      assertThatThrownBy(() -> learner.create("m", Map.of())).extracting("status").isEqualTo(403);
      admin.create("m", Map.of());
      List<Map<String, Object>> rows = ApiTest.rows(20, 1);
      assertThatThrownBy(() -> reader.learn("m", rows, null)).extracting("status").isEqualTo(403);
      learner.learn("m", rows, null);
      service.get("/health");
      assertThat(reader.models()).hasSize(1);
      assertThat(service.log)
          .anyMatch(line -> line.contains("\"audit\"") && line.contains("\"caller\":\"boss\""));
      assertThat(String.join("", service.log)).doesNotContain(secret[2]);
    }
  }

  @Test
  void anAddressThatOthersReachNeedsTokens() {
    assertThatThrownBy(() -> new Service(folder, options -> options.withHost("0.0.0.0", null)))
        .hasMessageContaining("tokens are required");
  }

  @Test
  void aMalformedFileOfTokensIsRefusedWithItsLine() throws IOException {
    Path file = folder.resolve("t");
    Files.writeString(file, "# comment\nadmin 1234\n");
    assertThatThrownBy(() -> Tokens.load(file)).hasMessageContaining("t:2: expected a role");
  }

  @Test
  void pagesOfOtherOriginsAreKeptOut() throws IOException {
    try (Service service = new Service(folder)) {
      assertThat(service.get("/v1/models", "Origin", "http://evil.example").status())
          .isEqualTo(403);
      assertThat(raw(service, "GET /v1/models HTTP/1.1\r\nHost: evil.example\r\n\r\n"))
          .contains("403")
          .contains("loopback");
      assertThat(raw(service, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"))
          .contains("Content-Security-Policy: default-src 'none'")
          .contains("X-Content-Type-Options: nosniff")
          .doesNotContain("Jetty");
    }
    try (Service service = new Service(folder, options -> options.withCors("https://ok.example"))) {
      assertThat(service.get("/v1/models", "Origin", "https://ok.example").status()).isEqualTo(200);
      String asked =
          "OPTIONS /v1/models/m/learn HTTP/1.1\r\nHost: localhost\r\nOrigin: https://ok.example\r\n"
              + "Access-Control-Request-Method: POST\r\n\r\n";
      assertThat(raw(service, asked))
          .contains(" 204 ", "Access-Control-Allow-Origin: https://ok.example")
          .contains("Content-Encoding, Content-Type, Idempotency-Key");
    }
  }

  static String raw(Service service, String request) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", service.server.uri().getPort())) {
      socket.setSoTimeout(10_000);
      OutputStream out = socket.getOutputStream();
      out.write(request.getBytes(StandardCharsets.ISO_8859_1));
      out.flush();
      InputStream in = socket.getInputStream();
      byte[] head = new byte[4096];
      int n = in.read(head);
      return n < 0 ? "" : new String(head, 0, n, StandardCharsets.ISO_8859_1);
    }
  }

  @Test
  void bodiesOverTheLimitGet413AndOthersAreAnswered() throws IOException {
    try (Service service =
        new Service(folder, options -> options.withHttp(HttpLimits.DEFAULT.withMaxBody(10_000)))) {
      service.client.create("m", Map.of());
      String head = "POST /v1/models/m/learn HTTP/1.1\r\nHost: localhost\r\nContent-Length: ";
      assertThat(raw(service, head + "1000000000\r\n\r\n{")).contains("413");
      String chunk = "2000\r\n" + "x".repeat(0x2000) + "\r\n";
      assertThat(
              raw(
                  service,
                  "POST /v1/models/m/learn HTTP/1.1\r\nHost: localhost\r\n"
                      + "Transfer-Encoding: chunked\r\n\r\n"
                      + chunk.repeat(4)))
          .contains("413");
      assertThat(
              raw(
                  service,
                  "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + "y".repeat(20_000) + "\r\n\r\n"))
          .contains(" 431 ")
          .contains("problem+json");
      assertThat(raw(service, "NONSENSE\r\n\r\n")).contains(" 400 ");
      assertThat(service.get("/v1/models").status()).isEqualTo(200);
    }
  }

  @Test
  void connectionsThatSendNothingOrHalfABodyDoNotKeepOthersWaiting() throws IOException {
    List<Socket> sockets = new ArrayList<>();
    try (Service service = new Service(folder)) {
      service.client.create("m", Map.of());
      for (int i = 0; i < 400; i++) {
        Socket socket = new Socket("127.0.0.1", service.server.uri().getPort());
        sockets.add(socket);
        String half =
            i % 2 == 0
                ? "POST /v1/mod"
                : "POST /v1/models/m/learn HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{";
        socket.getOutputStream().write(half.getBytes(StandardCharsets.ISO_8859_1));
      }
      service.client.learn("m", ApiTest.rows(10, 1), null);
      assertThat(service.settled("m", 10)).containsEntry("sequence", 10L);
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  @Test
  void tlsComesFromAKeyStore() throws Exception {
    TestCertificate certificate = TestCertificate.in(folder);
    try (Service service = new Service(folder.resolve("data"), certificate::use)) {
      assertThat(service.server.uri().getScheme()).isEqualTo("https");
      for (HttpClient.Version version : HttpClient.Version.values()) {
        HttpClient http = certificate.client(version);
        assertThat(new AvmClient(service.server.uri(), null, http).models()).isEmpty();
        HttpRequest.Builder health =
            HttpRequest.newBuilder(service.server.uri().resolve("/health"));
        assertThat(http.send(health.build(), BodyHandlers.ofString()).version()).isEqualTo(version);
        HttpRequest own = health.setHeader("Origin", service.server.uri().toString()).build();
        assertThat(http.send(own, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
        HttpRequest foreign = health.setHeader("Origin", "https://other.example").build();
        assertThat(http.send(foreign, BodyHandlers.ofString()).statusCode()).isEqualTo(403);
      }
    }
  }
}
