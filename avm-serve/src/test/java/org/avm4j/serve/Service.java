package org.avm4j.serve;

import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/**
 * A service in this process, on a free port, and plain requests to it. A reply whose status, type
 * or content is not as the OpenAPI description says is an error.
 */
final class Service implements Closeable {
  final List<String> log = new CopyOnWriteArrayList<>();
  final AvmServer server;
  final AvmClient client;
  private final HttpClient http = HttpClient.newHttpClient();

  Service(Path folder) throws IOException {
    this(folder, options -> options);
  }

  Service(Path folder, UnaryOperator<ServeOptions> change) throws IOException {
    server = AvmServer.start(change.apply(ServeOptions.of(folder).withPort(0)), log::add);
    awaitReady();
    client = new AvmClient(server.uri());
  }

  private void awaitReady() throws IOException {
    try {
      server.awaitReady();
    } catch (IOException damage) {
      server.close();
      throw damage;
    }
  }

  /** A reply. */
  record Reply(int status, String type, String body) {
    Map<String, Object> json() {
      return JsonValues.object(body.getBytes(StandardCharsets.UTF_8));
    }
  }

  Reply get(String path, String... headers) {
    return send("GET", path, new byte[0], headers);
  }

  Reply post(String path, String body, String... headers) {
    return send("POST", path, body.getBytes(StandardCharsets.UTF_8), headers);
  }

  Reply put(String path, String body, String... headers) {
    return send("PUT", path, body.getBytes(StandardCharsets.UTF_8), headers);
  }

  Reply send(String method, String path, byte[] body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server.uri() + path))
            .method(method, BodyPublishers.ofByteArray(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
      if (!DescribedReplies.includes(method, path, response.statusCode())) {
        throw new AssertionError(
            "openapi.json lists no " + response.statusCode() + " for " + method + " " + path);
      }
      Reply reply =
          new Reply(
              response.statusCode(),
              response.headers().firstValue("Content-Type").orElse(""),
              response.body());
      List<String> faults = DescribedReplies.faults(method, path, reply);
      if (!faults.isEmpty()) {
        throw new AssertionError(
            method + " " + path + " " + reply.status() + " is not as openapi.json says: " + faults);
      }
      return reply;
    } catch (IOException | InterruptedException failed) {
      throw new AssertionError(failed);
    }
  }

  /** Waits until a model has learned what was acknowledged, and returns what is known of it. */
  Map<String, Object> settled(String model, long sequence) {
    for (int i = 0; i < 500; i++) {
      Map<String, Object> now = get("/v1/models/" + model).json();
      if (((Number) now.get("sequence")).longValue() >= sequence) {
        return now;
      }
      pause();
    }
    throw new AssertionError("row " + sequence + " was not learned in time");
  }

  private static void pause() {
    try {
      Thread.sleep(20);
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
