package org.avm4j.serve;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.avm4j.codec.ModelFile;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** What clients may ask for: finds who asks and what for, and answers. */
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
  private final RowRequests rowRequests;
  private final Telemetry telemetry = new Telemetry();
  private final Events events = new Events();
  private final AtomicInteger open = new AtomicInteger();
  private volatile boolean isClosing;

  Api(Models models, ServeOptions options, ServeLog log, Executor threads) {
    this.models = models;
    this.options = options;
    this.log = log;
    this.threads = threads;
    bodies = new BodyReader(options.maxBody());
    rowRequests = new RowRequests(models.store(), threads);
  }

  /** Takes no more requests, and waits for those under way, for so long at most. */
  void finish(long millis) {
    isClosing = true;
    long end = System.nanoTime() + millis * 1_000_000;
    try {
      while (open.get() > 0 && System.nanoTime() < end) {
        Thread.sleep(5);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    events.close();
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    Exchange exchange = new Exchange(request, response, callback, requestId(request), this::done);
    try {
      secure(exchange);
      if (isClosing) {
        throw new Problem(503, "the service is shutting down");
      }
      if (!preflight(exchange)) {
        route(exchange);
      }
    } catch (RuntimeException wrong) {
      exchange.fail(wrong);
    }
    return true;
  }

  private static String requestId(Request request) {
    String given = request.getHeaders().get("X-Request-Id");
    return given != null && REQUEST_ID.matcher(given).matches()
        ? given
        : Long.toString(ThreadLocalRandom.current().nextLong() >>> 1, 36);
  }

  private void done(Exchange exchange) {
    if (exchange.isCounted) {
      exchange.isCounted = false;
      open.decrementAndGet();
    }
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

  /** Without tokens the browser of this computer must not be led here by another page. */
  private void checkOrigin(Exchange exchange) {
    String origin = exchange.header("Origin");
    if (options.cors() != null && options.cors().equals(origin)) {
      exchange.response.getHeaders().put("Access-Control-Allow-Origin", origin);
      exchange.response.getHeaders().put("Vary", "Origin");
      return;
    }
    String host = exchange.header("Host");
    boolean isOwn = origin == null || host != null && origin.endsWith("://" + host);
    if (!isOwn) {
      throw new Problem(403, "pages of other origins may not use this service");
    }
    if (options.tokens() == null && host != null && !isLoopback(host)) {
      throw new Problem(403, "without tokens the service must be asked for by a loopback name");
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
    headers.put("Access-Control-Allow-Headers", "Authorization, Content-Type, Idempotency-Key");
    exchange.send(204, "text/plain", new byte[0]);
    return true;
  }

  private void route(Exchange exchange) {
    String[] path = exchange.path;
    String first = path.length == 0 ? "" : path[0];
    if (first.equals("v1")) {
      routeV1(exchange, path);
    } else if (first.equals("v2")) {
      routeV2(exchange, path);
    } else if (path.length <= 1 && FILES.containsKey(first)) {
      only(exchange, "GET");
      file(exchange, FILES.get(first));
    } else if (path.length == 1 && first.equals("metrics")) {
      allow(exchange, "GET", Role.PREDICT);
      String text = telemetry.text(models, events.open());
      exchange.send(
          200, "text/plain; version=0.0.4; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
    } else if (path.length == 1 && first.equals("health")) {
      only(exchange, "GET");
      exchange.json(models.isReady() ? 200 : 503, Map.of("ready", models.isReady()));
    } else {
      throw notFound();
    }
  }

  private static Problem notFound() {
    return new Problem(404, "there is nothing here; /openapi.json lists what there is");
  }

  private static void only(Exchange exchange, String method) {
    if (!exchange.method.equals(method)) {
      exchange.response.getHeaders().put("Allow", method);
      throw new Problem(405, "expected the method " + method);
    }
  }

  private void allow(Exchange exchange, String method, Role role) {
    only(exchange, method);
    allow(exchange, role);
  }

  private void allow(Exchange exchange, Role role) {
    if (options.tokens() == null) {
      return;
    }
    String header = exchange.header("Authorization");
    Tokens.Caller caller =
        header != null && header.startsWith("Bearer ")
            ? options.tokens().caller(header.substring(7).strip())
            : null;
    if (caller == null) {
      throw new Problem(401, "a token is expected: Authorization: Bearer TOKEN");
    }
    if (!caller.role().includes(role)) {
      throw new Problem(403, "this needs a token with the role " + role);
    }
    exchange.caller = caller;
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
      allow(exchange, "GET", Role.PREDICT);
      exchange.json(200, Map.of("models", models.all().stream().map(ModelView::summary).toList()));
    } else if (path.length == 2 && what.equals("events")) {
      allow(exchange, "GET", Role.PREDICT);
      events.stream(
          exchange, () -> Map.of("models", models.all().stream().map(ModelView::summary).toList()));
    } else if (path.length == 2 && what.equals("backup")) {
      allow(exchange, "GET", Role.ADMIN);
      backup(exchange);
    } else if (path.length == 3 && what.equals("models")) {
      model(exchange, path[2]);
    } else if (path.length == 4 && what.equals("models")) {
      modelAction(exchange, path[2], path[3]);
    } else {
      throw notFound();
    }
  }

  private void model(Exchange exchange, String name) {
    switch (exchange.method) {
      case "GET" -> {
        allow(exchange, Role.PREDICT);
        exchange.json(200, ModelView.detail(models.get(name), models.store()));
      }
      case "PUT" -> {
        allow(exchange, Role.ADMIN);
        ModelSpec.checkedName(name);
        withBody(exchange, body -> put(exchange, name, body));
      }
      case "DELETE" -> {
        allow(exchange, Role.ADMIN);
        exchange.reply(
            models.delete(name),
            threads,
            done -> {
              audit(exchange, "delete", name);
              exchange.send(204, "application/json", new byte[0]);
            });
      }
      default -> throw new Problem(405, "expected the method GET, PUT or DELETE");
    }
  }

  private void put(Exchange exchange, String name, byte[] body) {
    String type = exchange.contentType();
    boolean isFile = type != null && type.startsWith("application/octet-stream");
    CompletableFuture<ServedModel> made =
        isFile ? models.create(name, body) : models.create(name, JsonValues.object(body));
    exchange.reply(
        made,
        threads,
        model -> {
          audit(exchange, isFile ? "import" : "create", name);
          exchange.response.getHeaders().put(HttpHeader.LOCATION, "/v1/models/" + name);
          exchange.json(201, ModelView.detail(model, models.store()));
        });
  }

  private void audit(Exchange exchange, String action, String subject) {
    Map<String, Object> line = exchange.logLine();
    line.keySet().removeAll(List.of("status", "ms"));
    line.put("action", action);
    line.put("model", subject);
    log.write("audit", line);
  }

  private void modelAction(Exchange exchange, String name, String action) {
    switch (action) {
      case "predict" -> {
        allow(exchange, "POST", Role.PREDICT);
        ServedModel model = models.get(name);
        withBody(exchange, body -> rowRequests.predict(exchange, model, body));
      }
      case "learn" -> learning(exchange, name, rowRequests::learn);
      case "observe" -> learning(exchange, name, rowRequests::observe);
      case "labels" -> learning(exchange, name, rowRequests::labels);
      case "events" -> {
        allow(exchange, "GET", Role.PREDICT);
        models.get(name);
        events.stream(exchange, () -> ModelView.detail(models.get(name), models.store()));
      }
      case "file" -> {
        allow(exchange, "GET", Role.ADMIN);
        exchange.reply(
            models.get(name).export(),
            threads,
            bytes -> {
              audit(exchange, "export", name);
              exchange
                  .response
                  .getHeaders()
                  .put("Content-Disposition", "attachment; filename=\"" + name + ".avm\"");
              exchange.send(200, "application/octet-stream", bytes);
            });
      }
      default -> throw notFound();
    }
  }

  private interface Learning {
    void run(Exchange exchange, ServedModel model, byte[] body);
  }

  private void learning(Exchange exchange, String name, Learning action) {
    allow(exchange, "POST", Role.LEARN);
    ServedModel model = models.get(name);
    model.checkBacklog();
    withBody(exchange, body -> action.run(exchange, model, body));
  }

  private interface WithBody {
    void run(byte[] body);
  }

  /** Reads the body, then goes on; what the body takes of memory is given back at the end. */
  private void withBody(Exchange exchange, WithBody action) {
    CompletableFuture<byte[]> whole = bodies.read(exchange.request);
    exchange.isCounted = true;
    open.incrementAndGet();
    whole.whenComplete(
        (body, failed) -> {
          if (failed != null) {
            exchange.fail(
                failed instanceof TimeoutException
                    ? new Problem(408, "the body must come within 60 seconds")
                    : failed);
            return;
          }
          try {
            action.run(body);
          } catch (OutOfMemoryError tooMuch) {
            exchange.fail(Problem.busy("not enough memory for this request now; send less"));
          } catch (RuntimeException | Error wrong) {
            exchange.fail(wrong);
          } finally {
            bodies.release(body);
          }
        });
  }

  private void backup(Exchange exchange) {
    threads.execute(
        () -> {
          Path copy = null;
          try {
            Path folder = models.store().folder();
            copy = folder.resolve("backup-" + exchange.id + ".tmp");
            StoreFolder.backup(folder, copy);
            audit(exchange, "backup", "");
            send(exchange, copy);
          } catch (IOException | RuntimeException wrong) {
            delete(copy);
            exchange.fail(new Problem(507, "the backup could not be written beside the store"));
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
    Callback end = Callback.from(exchange.callback, () -> delete(copy));
    Content.copy(Content.Source.from(copy), exchange.response, end);
  }

  private static void delete(Path copy) {
    try {
      if (copy != null) {
        Files.deleteIfExists(copy);
      }
    } catch (IOException ignored) {
      // a file that is left over does no harm
    }
  }

  private void routeV2(Exchange exchange, String[] path) {
    String what = String.join("/", path);
    if (what.equals("v2")) {
      only(exchange, "GET");
      String version = ModelFile.libraryVersionOfThis();
      exchange.json(200, Map.of("name", "avm", "version", version, "extensions", List.of()));
    } else if (what.equals("v2/health/live")) {
      only(exchange, "GET");
      exchange.json(200, Map.of("live", true));
    } else if (what.equals("v2/health/ready")) {
      only(exchange, "GET");
      exchange.json(models.isReady() ? 200 : 503, Map.of("ready", models.isReady()));
    } else if (path.length == 3 && path[1].equals("models")) {
      allow(exchange, "GET", Role.PREDICT);
      exchange.json(200, Inference.metadata(models.get(path[2])));
    } else if (path.length == 4 && path[1].equals("models") && path[3].equals("ready")) {
      allow(exchange, "GET", Role.PREDICT);
      exchange.json(200, Map.of("name", models.get(path[2]).name(), "ready", true));
    } else if (path.length == 4 && path[1].equals("models") && path[3].equals("infer")) {
      allow(exchange, "POST", Role.PREDICT);
      ServedModel model = models.get(path[2]);
      withBody(
          exchange, body -> exchange.json(200, Inference.infer(model, JsonValues.object(body))));
    } else {
      throw notFound();
    }
  }
}
