package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients that keep connections without using them do not keep others out. */
@Timeout(120)
class ConnectionsTest {
  @TempDir Path folder;

  private static Socket open(Service service, String head) throws IOException {
    Socket socket = new Socket("127.0.0.1", service.server.uri().getPort());
    socket.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
    return socket;
  }

  /** Sends a letter now and then until the service closes the connection. */
  private static void dribble(Socket socket) throws Exception {
    socket.setSoTimeout(50);
    while (true) {
      try {
        socket.getOutputStream().write('x');
        if (socket.getInputStream().read() < 0) {
          return;
        }
      } catch (java.net.SocketTimeoutException open) {
        // not closed yet
      } catch (SocketException closed) {
        return;
      }
    }
  }

  @Test
  void aHeadThatComesSlowlyIsNotWaitedForAndAConnectionThatRestsIs() throws Exception {
    HttpLimits limits = HttpLimits.DEFAULT.withHeadTimeout(Duration.ofMillis(400));
    Service service = new Service(folder, options -> options.withHttp(limits));
    try (Socket used = open(service, "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")) {
      used.setSoTimeout(30_000);
      byte[] reply = new byte[4096];
      assertThat(used.getInputStream().read(reply)).isPositive();
      try (Socket slow = open(service, "GET /health HT")) {
        dribble(slow);
      }
      used.getOutputStream().write("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes());
      assertThat(used.getInputStream().read(reply)).isPositive();
    } finally {
      service.close();
    }
    assertThat(service.log)
        .anyMatch(line -> line.contains("\"connections\"") && line.contains("closedForSlowHeads"));
  }

  @Test
  void manyRequestsShareOneConnectionOfHttp2WhichMayRest() throws Exception {
    HttpLimits limits =
        HttpLimits.DEFAULT.withHeadTimeout(Duration.ofMillis(400)).withMaxConnections(1);
    TestCertificate certificate = TestCertificate.in(folder);
    try (Service service =
        new Service(folder.resolve("data"), options -> certificate.use(options.withHttp(limits)))) {
      HttpClient http = certificate.client(HttpClient.Version.HTTP_2);
      HttpRequest health =
          HttpRequest.newBuilder(service.server.uri().resolve("/health"))
              .timeout(Duration.ofSeconds(30))
              .build();
      assertThat(http.send(health, BodyHandlers.ofString()).version())
          .isEqualTo(HttpClient.Version.HTTP_2);
      for (int turn = 0; turn < 2; turn++) {
        List<CompletableFuture<HttpResponse<String>>> replies = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
          replies.add(http.sendAsync(health, BodyHandlers.ofString()));
        }
        for (CompletableFuture<HttpResponse<String>> reply : replies) {
          assertThat(reply.get().statusCode()).isEqualTo(200);
          assertThat(reply.get().version()).isEqualTo(HttpClient.Version.HTTP_2);
        }
        Thread.sleep(1_000);
      }
      assertThat(service.log).noneMatch(line -> line.contains("closedFor"));
    }
  }

  @Test
  void withoutTlsHttp2IsForClientsThatBeginWithIt() throws Exception {
    try (Service service = new Service(folder)) {
      try (Socket socket = open(service, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")) {
        byte[] emptySettings = {0, 0, 0, 4, 0, 0, 0, 0, 0};
        socket.getOutputStream().write(emptySettings);
        socket.setSoTimeout(30_000);
        int type = socket.getInputStream().readNBytes(4)[3];
        assertThat(type).as("type of the first frame").isEqualTo(emptySettings[3]);
      }
      String upgrade =
          "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\n"
              + "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n";
      try (Socket socket = open(service, upgrade)) {
        socket.setSoTimeout(30_000);
        byte[] reply = socket.getInputStream().readNBytes(12);
        assertThat(new String(reply, StandardCharsets.ISO_8859_1)).isEqualTo("HTTP/1.1 200");
      }
    }
  }

  @Test
  void whenThereAreTooManyTheLongestIdleMakesRoom() throws Exception {
    HttpLimits limits = HttpLimits.DEFAULT.withMaxConnections(10);
    Service service = new Service(folder, options -> options.withHttp(limits));
    List<Socket> sockets = new ArrayList<>();
    try {
      service.client.create("m", Map.of());
      for (int i = 0; i < 50; i++) {
        sockets.add(open(service, "POST /v1/mod"));
      }
      learn(service);
      assertThat(service.settled("m", 10)).containsEntry("sequence", 10L);
      sockets.get(0).setSoTimeout(30_000);
      assertThat(isClosed(sockets.get(0))).isTrue();
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
      service.close();
    }
    assertThat(service.log)
        .anyMatch(line -> line.contains("\"limit\":10") && !line.contains("\"closedForRoom\":0"));
  }

  @Test
  void aConnectionOfHttp2ThatMakesRoomIsToldToGoAway() throws Exception {
    HttpLimits limits = HttpLimits.DEFAULT.withMaxConnections(2);
    try (Service service = new Service(folder, options -> options.withHttp(limits));
        Socket first = open(service, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")) {
      byte[] emptySettings = {0, 0, 0, 4, 0, 0, 0, 0, 0};
      first.getOutputStream().write(emptySettings);
      first.setSoTimeout(30_000);
      DataInputStream frames = new DataInputStream(first.getInputStream());
      List<Integer> types = new ArrayList<>(List.of(nextFrame(frames)));
      List<Socket> others = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        others.add(open(service, "GET /"));
      }
      for (int type = nextFrame(frames); type >= 0; type = nextFrame(frames)) {
        types.add(type);
      }
      for (Socket other : others) {
        other.close();
      }
      assertThat(types.get(0)).as("settings").isEqualTo(4);
      assertThat(types).as("the last frame says GOAWAY").endsWith(7);
    }
  }

  /** The type of the next frame, -1 at the end of the connection. */
  private static int nextFrame(DataInputStream in) throws IOException {
    int high = in.read();
    if (high < 0) {
      return -1;
    }
    int length = high << 16 | in.readUnsignedShort();
    int type = in.readUnsignedByte();
    in.readFully(new byte[5 + length]);
    return type;
  }

  /** The client's own idle connection may have made room: then it takes a new one. */
  private static void learn(Service service) throws Exception {
    try {
      service.client.learn("m", ApiTest.rows(10, 1), "once");
    } catch (IOException closed) {
      service.client.learn("m", ApiTest.rows(10, 1), "once");
    }
  }

  private static boolean isClosed(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketException reset) {
      return true;
    }
  }
}
