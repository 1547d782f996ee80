package org.avm4j.serve;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Routes requests: identifies the caller and the path, and replies. */
final class Api extends Handler.Abstract {
  private static final Pattern REQUEST_ID = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  private static final String CSP =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'"
          + " data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  private static final Map<String, String> FILES =
      Map.of(
          "", "index.html text/html; charset=utf-8",
          "page.js", "page.js text/javascript; charset=utf-8",
          "page.css", "page.css text/css; charset=utf-8",
          "openapi.json", "openapi.json application/json");

  private final Models models;
  private final ServeOptions options;
  private final ServeLog log;
  private final BodyReader bodies;
  private final Executor threads;
  private final AccessGate gate;
  private final Health health;
  private final Connections connections;
  private final ModelRoutes modelRoutes;
  private final InferenceRoutes inferenceRoutes;
  private final Telemetry telemetry = new Telemetry();
  private final Events events;

  /** Requests for backups that are still being written; who removes one replies to it. */
  private final Set<Exchange> backups = ConcurrentHashMap.newKeySet();

  private volatile boolean isClosing;

  Api(
      Models models,
      ServeOptions options,
      ServeLog log,
      Executor threads,
      Connections connections) {
    this.models = models;
    this.options = options;
    this.log = log;
    this.threads = threads;
    this.connections = connections;
    bodies = new BodyReader(options.http().maxBody());
    gate = new AccessGate(options.tokens());
    health = new Health(models);
    events = new Events(log);
    modelRoutes = new ModelRoutes(models, gate, bodies, events, threads, log);
    inferenceRoutes = new InferenceRoutes(models, gate, bodies, health, threads);
  }

  /** Refuses new requests, and waits for those in progress, at most for the given time. */
  void finish(long millis) {
    isClosing = true;
    long end = System.nanoTime() + millis * 1_000_000;
    try {
      while (bodies.open() > 0 && System.nanoTime() < end) {
        Thread.sleep(5);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    for (Exchange late : backups) {
      if (backups.remove(late)) {
        late.fail(shuttingDown());
      }
    }
    events.close();
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    Exchange exchange = new Exchange(request, response, callback, requestId(request), this::done);
    Connection connection = request.getConnectionMetaData().getConnection();
    connections.begin(connection);
    Request.addCompletionListener(request, failed -> connections.end(connection));
    try {
      secure(exchange);
      if (isClosing) {
        throw shuttingDown();
      }
      if (!preflight(exchange)) {
        route(exchange);
      }
    } catch (RuntimeException wrong) {
      exchange.fail(wrong);
    }
    return true;
  }

  private static Problem shuttingDown() {
    return new Problem(503, "the service is shutting down");
  }

  private static String requestId(Request request) {
    String given = request.getHeaders().get("X-Request-Id");
    return given != null && REQUEST_ID.matcher(given).matches()
        ? given
        : Long.toString(ThreadLocalRandom.current().nextLong() >>> 1, 36);
  }

  private void done(Exchange exchange) {
    bodies.done(exchange);
    telemetry.add(kind(exchange), exchange.status(), exchange.nanos());
    if (options.logsRequests() || exchange.status() >= 500) {
      log.write("request", exchange.logLine());
    }
  }

  private static String kind(Exchange exchange) {
    String[] path = exchange.path;
    String last = path.length == 0 ? "" : path[path.length - 1];
    return switch (last) {
      case "predict", "learn", "observe", "labels", "infer", "events", "metrics" -> last;
      default -> path.length > 1 && path[1].equals("models") ? "models" : "other";
    };
  }

  private void secure(Exchange exchange) {
    HttpFields.Mutable headers = exchange.response.getHeaders();
    headers.put("X-Request-Id", exchange.id);
    headers.put("X-Content-Type-Options", "nosniff");
    headers.put("Cache-Control", "no-store");
    checkOrigin(exchange);
  }

  /**
   * Rejects requests of pages of other origins. Without tokens, it also rejects requests to a host
   * name that is not a loopback name, which protects against DNS rebinding.
   */
  private void checkOrigin(Exchange exchange) {
    String origin = exchange.header("Origin");
    if (options.cors() != null && options.cors().equals(origin)) {
      exchange.response.getHeaders().put("Access-Control-Allow-Origin", origin);
      exchange.response.getHeaders().put("Vary", "Origin");
      return;
    }
    String host = exchange.authority();
    boolean isOwn = origin == null || host != null && origin.endsWith("://" + host);
    if (!isOwn) {
      throw new Problem(403, "web pages of other origins may not use this service");
    }
    if (options.tokens() == null && host != null && !isLoopback(host)) {
      throw new Problem(
          403, "without tokens, the Host header must be a loopback name such as localhost");
    }
  }

  private static boolean isLoopback(String host) {
    int colon = host.lastIndexOf(':');
    String name = colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
    return name.equals("localhost") || name.equals("127.0.0.1") || name.equals("[::1]");
  }

  private boolean preflight(Exchange exchange) {
    if (!exchange.method.equals("OPTIONS") || options.cors() == null) {
      return false;
    }
    HttpFields.Mutable headers = exchange.response.getHeaders();
    headers.put("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE");
    headers.put(
        "Access-Control-Allow-Headers",
        "Authorization, Content-Encoding, Content-Type, Idempotency-Key, X-Request-Id");
    exchange.send(204, "text/plain", new byte[0]);
    return true;
  }

  private void route(Exchange exchange) {
    String[] path = exchange.path;
    String first = path.length == 0 ? "" : path[0];
    if (first.equals("v1")) {
      routeV1(exchange, path);
    } else if (first.equals("v2")) {
      inferenceRoutes.route(exchange, path);
    } else if (path.length <= 1 && FILES.containsKey(first)) {
      AccessGate.only(exchange, "GET");
      file(exchange, FILES.get(first));
    } else if (path.length == 1 && first.equals("metrics")) {
      gate.allow(exchange, "GET", Role.METRICS);
      String text = telemetry.text(models, health, events.open(), connections.count());
      exchange.send(
          200, "text/plain; version=0.0.4; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
    } else if (path.length == 1 && first.equals("health")) {
      AccessGate.only(exchange, "GET");
      Map<String, Object> json = health.json();
      exchange.json(json.get("well").equals(true) ? 200 : 503, json);
    } else {
      throw Problem.notFound();
    }
  }

  private void file(Exchange exchange, String file) {
    String name = file.substring(0, file.indexOf(' '));
    try (InputStream in = Api.class.getResourceAsStream(name)) {
      exchange.response.getHeaders().put("Content-Security-Policy", CSP);
      exchange.response.getHeaders().put("Referrer-Policy", "no-referrer");
      exchange.send(200, file.substring(name.length() + 1), in.readAllBytes());
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private void routeV1(Exchange exchange, String[] path) {
    String what = path.length > 1 ? path[1] : "";
    if (path.length == 2 && what.equals("models")) {
      AccessGate.only(exchange, "GET");
      gate.admit(exchange, Role.PREDICT);
      exchange.json(200, summaries(exchange.caller));
    } else if (path.length == 2 && what.equals("events")) {
      AccessGate.only(exchange, "GET");
      gate.admit(exchange, Role.PREDICT);
      events.stream(
          exchange,
          () -> {
            gate.identify(exchange, Role.PREDICT);
            return summaries(exchange.caller);
          });
    } else if (path.length == 2 && what.equals("backup")) {
      gate.allow(exchange, "GET", Role.ADMIN);
      backup(exchange);
    } else if (path.length == 3 && what.equals("models")) {
      modelRoutes.model(exchange, path[2]);
    } else if (path.length == 4 && what.equals("models")) {
      modelRoutes.action(exchange, path[2], path[3]);
    } else {
      throw Problem.notFound();
    }
  }

  /** Summaries of the models that a caller may use. */
  private Map<String, Object> summaries(Caller caller) {
    return Map.of(
        "service",
        health.json(),
        "caller",
        caller.json(),
        "models",
        models.all().stream()
            .filter(model -> !model.isChallenger() && caller.mayUse(model.name()))
            .map(ModelView::summary)
            .toList());
  }

  private void backup(Exchange exchange) {
    bodies.begin(exchange);
    backups.add(exchange);
    threads.execute(
        () -> {
          Path copy = null;
          boolean isOwn = false;
          try {
            Path folder = models.store().folder();
            copy = StoreFolder.unusedCopy(folder);
            StoreFolder.backup(folder, copy, () -> !backups.contains(exchange));
            isOwn = backups.remove(exchange);
            if (isOwn) {
              ModelRoutes.audit(log, exchange, "backup", "");
              send(exchange, copy);
            } else {
              delete(copy);
            }
          } catch (IOException | RuntimeException wrong) {
            delete(copy);
            if (isOwn || backups.remove(exchange)) {
              exchange.fail(
                  new Problem(507, "the backup could not be written to the folder of the store"));
            }
          }
        });
  }

  private static void send(Exchange exchange, Path copy) throws IOException {
    exchange.begin(200, "application/octet-stream");
    exchange.response.getHeaders().put(HttpHeader.CONTENT_LENGTH, Files.size(copy));
    exchange
        .response
        .getHeaders()
        .put("Content-Disposition", "attachment; filename=\"" + StoreFolder.FILE + "\"");
    Callback end = Callback.from(exchange.callback, () -> finish(exchange, copy));
    Content.copy(Content.Source.from(copy), exchange.response, end);
  }

  private static void finish(Exchange exchange, Path copy) {
    delete(copy);
    exchange.sent();
  }

  private static void delete(Path copy) {
    try {
      if (copy != null) {
        Files.deleteIfExists(copy);
      }
    } catch (IOException ignored) {
      // a leftover file does no harm
    }
  }
}
