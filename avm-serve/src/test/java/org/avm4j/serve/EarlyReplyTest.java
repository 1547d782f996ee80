package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Replies that are sent before the body of their request was read: the next request of the same
 * connection is answered, or the reply says that there will be none.
 */
@Timeout(120)
class EarlyReplyTest {
  /** Smaller than what is dropped of a body, so that 413 comes with both. */
  private static final int MAX_BODY = 100_000;

  private static final int SHORT = 300_000;
  private static final int LONG = 20_000_000;

  @TempDir Path folder;
  private final String admin = Tokens.generate();
  private final String reader = Tokens.generate();
  private final String limited = Tokens.generate();
  private AvmServer server;

  /** A model that is never loaded, and one that is. */
  @BeforeEach
  void start() throws IOException {
    Path file = folder.resolve("tokens");
    Files.write(
        file,
        List.of(
            Tokens.line(Role.ADMIN, admin),
            Tokens.line(Role.PREDICT, reader),
            Tokens.line(Role.LEARN, limited) + " rate=1"));
    try (Service before = new Service(folder.resolve("data"))) {
      before.client.create("loading", Map.of());
    }
    ServeOptions options =
        ServeOptions.of(folder.resolve("data"))
            .withPort(0)
            .withHost("127.0.0.1", Tokens.load(file))
            .withHttp(HttpLimits.DEFAULT.withMaxBody(MAX_BODY));
    server = AvmServer.start(options, line -> {}, models -> {});
    assertThat(post("/v1/models/ready", "PUT", admin, "{}").statusCode()).isEqualTo(201);
  }

  @AfterEach
  void end() throws IOException {
    server.close();
  }

  private HttpResponse<String> post(String path, String method, String token, String body)
      throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.uri() + path))
            .method(method, BodyPublishers.ofString(body))
            .header("Authorization", "Bearer " + token)
            .build();
    try {
      return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }

  /** The first line and the headers of requests, by the status that they get before the body. */
  private Map<Integer, String> heads() {
    String as = "Host: localhost\r\nAuthorization: Bearer ";
    Map<Integer, String> heads = new TreeMap<>();
    heads.put(400, "PUT /v1/models/a..b HTTP/1.1\r\n" + as + admin);
    heads.put(401, "POST /v1/models/ready/learn HTTP/1.1\r\nHost: localhost");
    heads.put(403, "POST /v1/models/ready/learn HTTP/1.1\r\n" + as + reader);
    heads.put(404, "POST /v1/models/none/learn HTTP/1.1\r\n" + as + admin);
    heads.put(405, "PUT /v1/models/ready/learn HTTP/1.1\r\n" + as + admin);
    heads.put(413, "POST /v1/models/ready/learn HTTP/1.1\r\n" + as + admin);
    heads.put(415, "POST /v1/models/ready/learn HTTP/1.1\r\nContent-Encoding: br\r\n" + as + admin);
    heads.put(429, "POST /v1/models/ready/learn HTTP/1.1\r\n" + as + limited);
    heads.put(503, "POST /v1/models/loading/learn HTTP/1.1\r\n" + as + admin);
    return heads;
  }

  /** A connection that is used as long as the service lets it be. */
  private final class Kept implements Closeable {
    private final Socket socket = new Socket("127.0.0.1", server.uri().getPort());
    private final InputStream in = socket.getInputStream();
    private final OutputStream out = socket.getOutputStream();

    Kept() throws IOException {
      socket.setSoTimeout(30_000);
    }

    void write(String text) throws IOException {
      out.write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Sends a request, and its body after the head, as one piece or in chunks. */
    String send(String head, int length, boolean isChunked) throws IOException {
      String kind = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: " + length;
      write(head + "\r\n" + kind + "\r\n\r\n");
      byte[] body = "x".repeat(length).getBytes(StandardCharsets.ISO_8859_1);
      try {
        for (int at = 0; at < length; at += 50_000) {
          int n = Math.min(50_000, length - at);
          if (isChunked) {
            write(Integer.toHexString(n) + "\r\n");
          }
          out.write(body, at, n);
          if (isChunked) {
            write("\r\n");
          }
        }
        if (isChunked) {
          write("0\r\n\r\n");
        }
      } catch (IOException closed) {
        // a reply to a long body may come while it is sent
      }
      return reply();
    }

    /** The head of a reply whose body is read, too. */
    String reply() throws IOException {
      StringBuilder head = new StringBuilder();
      while (head.indexOf("\r\n\r\n") < 0) {
        int next = in.read();
        assertThat(next).as("the end of the connection after '" + head + "'").isNotNegative();
        head.append((char) next);
      }
      String length = head.toString().split("(?i)content-length: ")[1].split("\r\n")[0];
      in.readNBytes(Integer.parseInt(length));
      return head.toString();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  private static void assertAnswers(Kept connection, String after) throws IOException {
    connection.write("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assertThat(connection.reply()).as(after).startsWith("HTTP/1.1 503");
  }

  @Test
  void theConnectionIsKeptAfterAShortBody() throws IOException {
    try (Kept connection = new Kept()) {
      for (Map.Entry<Integer, String> head : heads().entrySet()) {
        for (int length : head.getKey() == 413 ? List.of(SHORT) : List.of(0, 7, SHORT)) {
          for (boolean isChunked : List.of(false, true)) {
            String reply = null;
            do { // until the rate is used up
              reply = connection.send(head.getValue(), length, isChunked);
            } while (head.getKey() == 429 && !reply.startsWith("HTTP/1.1 429"));
            assertThat(reply).startsWith("HTTP/1.1 " + head.getKey() + " ");
            assertThat(reply).doesNotContainIgnoringCase("connection: close");
            assertAnswers(connection, head.getKey() + " to " + length + " bytes");
          }
        }
      }
    }
  }

  @Test
  void theReplyToALongBodySaysThatTheConnectionEnds() throws IOException {
    for (Map.Entry<Integer, String> head : heads().entrySet()) {
      for (boolean isChunked : List.of(false, true)) {
        if (head.getKey() != 429) {
          try (Kept connection = new Kept()) {
            String reply = connection.send(head.getValue(), LONG, isChunked);
            assertThat(reply).startsWith("HTTP/1.1 " + head.getKey() + " ");
            assertThat(reply).containsIgnoringCase("connection: close");
          }
        }
      }
    }
  }

  @Test
  void aBodyThatComesLaterOrIsHeldBackIsNotWaitedForLong() throws Exception {
    String head = heads().get(503);
    try (Kept connection = new Kept()) {
      connection.write(head + "\r\nContent-Length: 7\r\n\r\n");
      Thread.sleep(200);
      connection.write("{\"x\":1}");
      assertThat(connection.reply()).startsWith("HTTP/1.1 503").doesNotContain("close");
      assertAnswers(connection, "a body that came later");
      connection.write(head + "\r\nContent-Length: 7\r\n\r\n{");
      assertThat(connection.reply()).containsIgnoringCase("connection: close");
    }
    try (Kept connection = new Kept()) {
      connection.write(head + "\r\nExpect: 100-continue\r\nContent-Length: 7\r\n\r\n");
      assertThat(connection.reply())
          .startsWith("HTTP/1.1 503")
          .containsIgnoringCase("connection: close");
    }
  }

  @Test
  void manyEarlyRepliesShareOneConnectionOfHttp2() throws Exception {
    TestCertificate certificate = TestCertificate.in(folder);
    Path data = folder.resolve("tls");
    try (Service service = new Service(data, options -> certificate.use(options))) {
      HttpClient http = certificate.client(HttpClient.Version.HTTP_2);
      for (int length : List.of(7, SHORT, 3_000_000, 7, 3_000_000)) {
        HttpRequest request =
            HttpRequest.newBuilder(service.server.uri().resolve("/v1/models/none/learn"))
                .POST(BodyPublishers.ofByteArray(new byte[length]))
                .build();
        HttpResponse<String> reply = http.send(request, BodyHandlers.ofString());
        assertThat(reply.statusCode()).isEqualTo(404);
        assertThat(reply.version()).isEqualTo(HttpClient.Version.HTTP_2);
        assertThat(reply.headers().firstValue("Connection")).isEmpty();
      }
    }
  }
}
