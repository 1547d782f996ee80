package org.avm4j.serve;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A headless Chromium, driven by its DevTools protocol. */
final class Browser implements Closeable {
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome", "chrome");

  /** What the console, or an exception, said that is an error. */
  final List<String> complaints = new CopyOnWriteArrayList<>();

  private final Process process;
  private final WebSocket socket;
  private final AtomicLong ids = new AtomicLong();
  private final Map<Long, CompletableFuture<Map<String, Object>>> replies =
      new ConcurrentHashMap<>();

  private Browser(Process process, String page) throws Exception {
    this.process = process;
    socket =
        HttpClient.newHttpClient()
            .newWebSocketBuilder()
            .buildAsync(URI.create(page), new Listener())
            .get(20, TimeUnit.SECONDS);
    call("Runtime.enable", Map.of());
    call("Log.enable", Map.of());
    call("Page.enable", Map.of());
  }

  /** The program, if it is installed. */
  static Optional<Path> program() {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    for (String folder : path.split(File.pathSeparator)) {
      for (String name : NAMES) {
        if (Files.isExecutable(Path.of(folder, name))) {
          return Optional.of(Path.of(folder, name));
        }
      }
    }
    return Optional.empty();
  }

  static Browser start(Path profile) throws Exception {
    Process process =
        new ProcessBuilder(
                program().orElseThrow().toString(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--user-data-dir=" + profile,
                "--remote-debugging-port=0",
                "about:blank")
            .redirectErrorStream(true)
            .start();
    return new Browser(process, page(port(process)));
  }

  private static int port(Process process) throws IOException {
    BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String said = "";
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      said += line + "\n";
      if (line.startsWith("DevTools listening on ")) {
        drain(out);
        return URI.create(line.substring(22).strip()).getPort();
      }
    }
    throw new IOException("the browser did not start: " + said);
  }

  private static void drain(BufferedReader out) {
    Thread thread =
        new Thread(
            () -> {
              try {
                out.lines().forEach(line -> {});
              } catch (UncheckedIOException closed) {
                // the browser has ended
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  private static String page(int port) throws Exception {
    for (int i = 0; i < 100; i++) {
      HttpRequest list =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json")).build();
      byte[] body = HttpClient.newHttpClient().send(list, BodyHandlers.ofByteArray()).body();
      for (Object target : (List<?>) JsonValues.parse(body)) {
        Map<?, ?> one = (Map<?, ?>) target;
        if ("page".equals(one.get("type"))) {
          return one.get("webSocketDebuggerUrl").toString();
        }
      }
      Thread.sleep(100);
    }
    throw new IOException("the browser has no page");
  }

  Map<String, Object> call(String method, Map<String, Object> parameters) throws Exception {
    long id = ids.incrementAndGet();
    CompletableFuture<Map<String, Object>> reply = new CompletableFuture<>();
    replies.put(id, reply);
    socket
        .sendText(JsonValues.text(Map.of("id", id, "method", method, "params", parameters)), true)
        .get();
    return reply.get(30, TimeUnit.SECONDS);
  }

  /** Opens a page, in place of the one that is shown, and waits until it is loaded. */
  void open(URI page) throws Exception {
    evaluate("window.isReplaced = true");
    call("Page.navigate", Map.of("url", page.toString()));
    await("window.isReplaced === undefined && document.readyState === 'complete'");
  }

  /** The value of an expression of JavaScript. */
  Object evaluate(String expression) throws Exception {
    Map<String, Object> reply = reply(expression);
    if (reply.get("result") instanceof Map<?, ?> result && !reply.containsKey("exceptionDetails")) {
      return result.get("value");
    }
    throw new AssertionError(expression + " has no value: " + reply);
  }

  /** Waits until an expression is true; it may have no value while a page is being replaced. */
  void await(String expression) throws Exception {
    Map<String, Object> reply = Map.of();
    for (int i = 0; i < 600; i++) {
      reply = reply(expression);
      if (reply.get("result") instanceof Map<?, ?> result
          && Boolean.TRUE.equals(result.get("value"))) {
        return;
      }
      Thread.sleep(100);
    }
    throw new AssertionError("never true: " + expression + ", but " + reply);
  }

  private Map<String, Object> reply(String expression) throws Exception {
    return call(
        "Runtime.evaluate",
        Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
  }

  /** Chooses a file in a field. */
  void choose(String selector, Path file) throws Exception {
    Map<?, ?> root = (Map<?, ?>) call("DOM.getDocument", Map.of()).get("root");
    Object node =
        call("DOM.querySelector", Map.of("nodeId", root.get("nodeId"), "selector", selector))
            .get("nodeId");
    call("DOM.setFileInputFiles", Map.of("nodeId", node, "files", List.of(file.toString())));
  }

  void screenshot(Path file, int width, int height, boolean isDark) throws Exception {
    call(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
    call(
        "Emulation.setEmulatedMedia",
        Map.of(
            "features",
            List.of(Map.of("name", "prefers-color-scheme", "value", isDark ? "dark" : "light"))));
    Thread.sleep(300);
    Map<String, Object> shot =
        call("Page.captureScreenshot", Map.of("captureBeyondViewport", true, "format", "png"));
    Files.write(file, Base64.getDecoder().decode(shot.get("data").toString()));
  }

  private final class Listener implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean isLast) {
      text.append(part);
      if (isLast) {
        take(parse(text.toString()));
        text.setLength(0);
      }
      from.request(1);
      return null;
    }
  }

  /** Screenshots are longer texts than the service would take. */
  private static Map<String, Object> parse(String text) {
    if (text.length() > 1 << 19 && text.contains("\"data\":\"")) {
      int from = text.indexOf("\"data\":\"") + 8;
      int to = text.indexOf('"', from);
      long id = Long.parseLong(text.replaceFirst("(?s)^\\{\"id\":(\\d+).*", "$1"));
      return Map.of("id", id, "result", Map.of("data", text.substring(from, to)));
    }
    return JsonValues.object(text.getBytes(StandardCharsets.UTF_8));
  }

  @SuppressWarnings("unchecked")
  private void take(Map<String, Object> message) {
    if (message.get("id") instanceof Long id) {
      Object result = message.get("result");
      replies.remove(id).complete(result == null ? message : (Map<String, Object>) result);
    } else if ("Runtime.exceptionThrown".equals(message.get("method"))) {
      complaints.add(message.get("params").toString());
    } else if ("Log.entryAdded".equals(message.get("method"))
        || "Runtime.consoleAPICalled".equals(message.get("method"))) {
      String entry = message.get("params").toString();
      if (entry.contains("level=error") || entry.contains("type=error")) {
        complaints.add(entry);
      }
    }
  }

  @Override
  public void close() {
    socket.abort();
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    try {
      process.waitFor(10, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
