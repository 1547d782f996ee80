package org.avm4j.serve;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.avm4j.codec.AtomicFile;

/**
 * A Java client of a service. Thread-safe.
 *
 * <pre>{@code
 * AvmClient client = new AvmClient(URI.create("http://localhost:8080"));
 * client.create("spam", Map.of());
 * client.learn("spam", List.of(Map.of("words", 120, "from", "a@b", "label", "ham")), null);
 * Map<String, Object> answer = client.predict("spam", List.of(Map.of("words", 80)));
 * }</pre>
 *
 * <p>Replies are the JSON objects of the service as maps. A request that the service refuses throws
 * an {@link AvmServiceException}.
 */
public final class AvmClient {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final URI service;
  private final String token;
  private final HttpClient http;

  /** A client of a service without tokens. */
  public AvmClient(URI service) {
    this(service, null);
  }

  /** A client with a token. */
  public AvmClient(URI service, String token) {
    this(
        service,
        token,
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .build());
  }

  /** A client that uses a given HTTP client, for instance one with its own trust store. */
  public AvmClient(URI service, String token, HttpClient http) {
    this.service = service;
    this.token = token;
    this.http = http;
  }

  /** Creates a model; an empty specification means automatic mode. */
  public Map<String, Object> create(String model, Map<String, ?> spec) throws IOException {
    return json(send(at(model, "").PUT(BodyPublishers.ofByteArray(JsonValues.bytes(spec))), BODY));
  }

  /** Creates a model from the learner in a file. */
  public Map<String, Object> load(String model, Path file) throws IOException {
    HttpRequest.Builder request =
        at(model, "").setHeader("Content-Type", "application/octet-stream");
    return json(send(request.PUT(BodyPublishers.ofFile(file)), BODY));
  }

  /** Saves the learner of a model, as {@code avm predict} reads it. */
  public void save(String model, Path file) throws IOException {
    download(at(model, "/file"), file);
  }

  /** Deletes a model. */
  public void delete(String model) throws IOException {
    send(at(model, "").DELETE(), BODY);
  }

  /** All models with their figures. */
  @SuppressWarnings("unchecked")
  public List<Map<String, Object>> models() throws IOException {
    Map<String, Object> reply = json(send(request("/v1/models").GET(), BODY));
    return (List<Map<String, Object>>) reply.get("models");
  }

  /** The details of a model. */
  public Map<String, Object> model(String model) throws IOException {
    return json(send(at(model, "").GET(), BODY));
  }

  /** Answers rows; those with an id wait for their label, also before anything was learned. */
  public Map<String, Object> predict(String model, List<? extends Map<String, ?>> rows)
      throws IOException {
    return post(model, "/predict", rows, null);
  }

  /**
   * Answers rows after waiting until the model has learned a given row.
   *
   * @param sequence the {@code sequence} in the reply to that row
   */
  public Map<String, Object> predict(
      String model, List<? extends Map<String, ?>> rows, long sequence) throws IOException {
    return post(model, "/predict?min-sequence=" + sequence, rows, null);
  }

  /**
   * Learns rows. Returns when they are on disk or, if they have new names, when they are learned.
   * Rows that the learner refused are listed under {@code refused}.
   *
   * @param key an idempotency key: a request with the same key is learned only once; null for none
   */
  public Map<String, Object> learn(String model, List<? extends Map<String, ?>> rows, String key)
      throws IOException {
    return post(model, "/learn", rows, key);
  }

  /** Answers each row, then learns it. */
  public Map<String, Object> observe(String model, List<? extends Map<String, ?>> rows, String key)
      throws IOException {
    return post(model, "/observe", rows, key);
  }

  /** Labels for rows that were answered earlier, each an object with id and label. */
  public Map<String, Object> labels(String model, List<? extends Map<String, ?>> labels, String key)
      throws IOException {
    return post(model, "/labels", labels, key);
  }

  /** The versions of a model that are kept, the newest first, and the one that is pinned. */
  public Map<String, Object> versions(String model) throws IOException {
    return json(send(at(model, "/versions").GET(), BODY));
  }

  /** Stores a version of the present state of a model. */
  public Map<String, Object> keepVersion(String model) throws IOException {
    return json(send(at(model, "/versions").POST(BodyPublishers.noBody()), BODY));
  }

  /** Lets a version of a model answer, until it is unpinned or a challenger is promoted. */
  public Map<String, Object> pin(String model, long version) throws IOException {
    byte[] body = JsonValues.bytes(Map.of("version", version));
    return json(send(at(model, "/champion").PUT(BodyPublishers.ofByteArray(body)), BODY));
  }

  /** Lets the latest state of a model answer again. */
  public void unpin(String model) throws IOException {
    send(at(model, "/champion").DELETE(), BODY);
  }

  /**
   * Adds a challenger: a learner with other options, which learns the same rows and answers nobody.
   */
  public Map<String, Object> challenge(String model, Map<String, ?> options) throws IOException {
    byte[] body = JsonValues.bytes(options);
    return json(send(at(model, "/challenger").PUT(BodyPublishers.ofByteArray(body)), BODY));
  }

  /** The details of the challenger of a model. */
  public Map<String, Object> challenger(String model) throws IOException {
    return json(send(at(model, "/challenger").GET(), BODY));
  }

  /** Removes the challenger of a model. */
  public void withdraw(String model) throws IOException {
    send(at(model, "/challenger").DELETE(), BODY);
  }

  /** Lets the challenger of a model answer; the former leader becomes its challenger. */
  public Map<String, Object> promote(String model) throws IOException {
    return json(send(at(model, "/promote").POST(BodyPublishers.noBody()), BODY));
  }

  /** Saves a copy of the whole store. */
  public void backup(Path file) throws IOException {
    download(request("/v1/backup"), file);
  }

  /**
   * Writes a reply to a file; an existing file is replaced only after the whole reply has arrived.
   */
  private void download(HttpRequest.Builder request, Path file) throws IOException {
    try (InputStream body = send(request.GET(), BodyHandlers.ofInputStream()).body()) {
      AtomicFile.write(file, body::transferTo);
    }
  }

  private Map<String, Object> post(String model, String action, List<?> body, String key)
      throws IOException {
    HttpRequest.Builder request = at(model, action);
    if (key != null) {
      request.header("Idempotency-Key", key);
    }
    return json(send(request.POST(BodyPublishers.ofByteArray(JsonValues.bytes(body))), BODY));
  }

  private HttpRequest.Builder at(String model, String action) {
    return request("/v1/models/" + ModelSpec.checkedName(model) + action);
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(service.resolve(path))
            .timeout(TIMEOUT)
            .header("Content-Type", "application/json");
    return token == null ? request : request.header("Authorization", "Bearer " + token);
  }

  private static final HttpResponse.BodyHandler<byte[]> BODY = BodyHandlers.ofByteArray();

  private <T> HttpResponse<T> send(HttpRequest.Builder request, HttpResponse.BodyHandler<T> handler)
      throws IOException {
    try {
      HttpResponse<T> response =
          http.send(
              request.build(),
              head -> {
                if (head.statusCode() < 300) {
                  return handler.apply(head);
                }
                return HttpResponse.BodySubscribers.mapping(
                    HttpResponse.BodySubscribers.ofByteArray(),
                    body -> {
                      throw refusal(head.statusCode(), body);
                    });
              });
      return response;
    } catch (IOException failed) {
      if (failed.getCause() instanceof AvmServiceException refused) {
        throw refused;
      }
      throw failed;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for the service", interrupted);
    }
  }

  private static AvmServiceException refusal(int status, byte[] body) {
    try {
      Object detail = JsonValues.object(body).get("detail");
      return new AvmServiceException(status, String.valueOf(detail));
    } catch (Problem noJson) {
      return new AvmServiceException(status, new String(body, StandardCharsets.UTF_8));
    }
  }

  private static Map<String, Object> json(HttpResponse<byte[]> response) {
    return JsonValues.object(response.body());
  }
}
