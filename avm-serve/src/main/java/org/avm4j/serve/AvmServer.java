package org.avm4j.serve;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.UnrecoverableKeyException;
import java.time.Clock;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http2.HTTP2Cipher;
import org.eclipse.jetty.http2.server.AbstractHTTP2ServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * A service that learns while it answers. It keeps its models in a folder: a new folder is empty,
 * an existing one is loaded.
 *
 * <pre>{@code
 * try (AvmServer server = AvmServer.start(ServeOptions.of(Path.of("data")), line -> {})) {
 *   AvmClient client = new AvmClient(server.uri());
 *   ...
 * }
 * }</pre>
 */
public final class AvmServer implements Closeable {
  private static final int THREADS = 32;

  /** Concurrent requests per HTTP/2 connection; high, because Java's client fails beyond it. */
  private static final int STREAMS = 1000;

  private static final int INPUT_BUFFER = 32 << 10;
  private static final long IDLE_MILLIS = 60_000;
  private static final long FINISH_MILLIS = 3_000;
  private static final long TOKENS_MILLIS = 1_000;

  private final Models models;
  private final Api api;
  private final Server server;
  private final ServerConnector connector;
  private final ServeOptions options;
  private final ServeLog log;
  private final Connections connections;
  private final ScheduledExecutorService clock;
  private boolean isClosed;

  private AvmServer(Models models, ServeOptions options, ServeLog log) {
    this.models = models;
    this.options = options;
    this.log = log;
    QueuedThreadPool threads = new QueuedThreadPool(THREADS, 4);
    threads.setName("avm-http");
    threads.setDaemon(true);
    server = new Server(threads);
    connections =
        new Connections(options.http().maxConnections(), options.http().headTimeout(), log);
    api = new Api(models, options, log, threads, connections);
    connector = connector();
    connector.addBean(connections);
    clock = Workers.clock("avm-tokens");
    server.addConnector(connector);
    server.setHandler(api);
    server.setErrorHandler(new EarlyErrors());
    server.setStopTimeout(0);
  }

  private ServerConnector connector() {
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setRequestHeaderSize(8 << 10);
    http.setIdleTimeout(IDLE_MILLIS);
    ServerConnector made = new ServerConnector(server, 1, 1, protocols(http));
    made.setHost(options.host());
    made.setPort(options.port());
    made.setAcceptQueueSize(1024);
    made.setIdleTimeout(IDLE_MILLIS);
    return made;
  }

  /** HTTP/1.1 and HTTP/2; the client chooses between them, over TLS by ALPN. */
  private ConnectionFactory[] protocols(HttpConfiguration http) {
    HttpConnectionFactory first = new HttpConnectionFactory(http);
    first.setInputBufferSize(INPUT_BUFFER);
    if (options.keyStore() == null) {
      return new ConnectionFactory[] {first, limited(new PlainHttp2(http))};
    }
    ALPNServerConnectionFactory choice = new ALPNServerConnectionFactory();
    choice.setDefaultProtocol(first.getProtocol());
    ConnectionFactory second = limited(new HTTP2ServerConnectionFactory(http));
    return new ConnectionFactory[] {tls(http, choice.getProtocol()), choice, second, first};
  }

  private static ConnectionFactory limited(AbstractHTTP2ServerConnectionFactory factory) {
    factory.setMaxConcurrentStreams(STREAMS);
    return factory;
  }

  private SslConnectionFactory tls(HttpConfiguration http, String next) {
    http.addCustomizer(new SecureRequestCustomizer(false));
    SslContextFactory.Server context = new SslContextFactory.Server();
    context.setKeyStorePath(options.keyStore().toAbsolutePath().toString());
    context.setKeyStoreType("PKCS12");
    context.setKeyStorePassword(options.keyPassword());
    context.setCipherComparator(HTTP2Cipher.COMPARATOR);
    return new SslConnectionFactory(context, next);
  }

  /**
   * Starts a service: locks the folder and listens. Models are loaded in the background, and each
   * answers once it is loaded; {@link #awaitReady} waits for all.
   *
   * @param log takes the lines of the log, each a JSON object
   * @throws DamageException if the store is damaged
   * @throws IOException if the folder or the address cannot be used
   */
  public static AvmServer start(ServeOptions options, Consumer<String> log) throws IOException {
    return start(options, log, Models::load);
  }

  /**
   * Starts a service.
   *
   * @param loading loads the models, at once or later; tests delay it
   */
  static AvmServer start(ServeOptions options, Consumer<String> log, Consumer<Models> loading)
      throws IOException {
    if (options.tokens() == null && !InetAddress.getByName(options.host()).isLoopbackAddress()) {
      throw new IllegalArgumentException(
          options.host() + " can be reached from other computers, so tokens are required");
    }
    if (options.keyStore() != null && options.keyPassword() == null) {
      throw new IllegalArgumentException(
          options.keyStore() + ": its password is missing; set AVM_TLS_PASSWORD");
    }
    if (options.keyStore() != null) {
      checkKey(options.keyStore(), options.keyPassword().toCharArray());
    }
    long start = System.nanoTime();
    ServeLog lines = new ServeLog(log);
    new Thread(AvmServer::preload, "avm-preload").start();
    Store store = Store.open(options.folder(), options.limits(), Clock.systemUTC());
    Models models = new Models(store, lines);
    try {
      models.list();
      AvmServer server = new AvmServer(models, options, lines);
      try {
        server.listen();
      } catch (IOException | RuntimeException failed) {
        server.stopWatching();
        throw failed;
      }
      loading.accept(models);
      lines.write(
          "start",
          Map.of(
              "uri", server.uri().toString(),
              "models", models.all().size(),
              "ms", (System.nanoTime() - start) / 1_000_000));
      return server;
    } catch (IOException | RuntimeException failed) {
      models.close();
      throw failed;
    }
  }

  /**
   * Loads the classes of the HTTP server while the store is opened, which saves a quarter of a
   * second at the start.
   */
  private static void preload() {
    Server unused = new Server(new QueuedThreadPool());
    unused.addConnector(new ServerConnector(unused, 1, 1));
    JsonValues.text(Map.of("start", 1));
  }

  private void listen() throws IOException {
    if (options.tokens() != null) {
      Workers.every(clock, TOKENS_MILLIS, this::reloadTokens, log);
    }
    try {
      server.start();
    } catch (IOException failed) {
      boolean isTaken =
          failed instanceof BindException || failed.getCause() instanceof BindException;
      throw isTaken
          ? new BindException("port " + options.port() + " is in use; choose another with --port")
          : failed;
    } catch (Exception failed) {
      throw new IOException("the service cannot listen: " + failed.getMessage(), failed);
    }
  }

  /** Throws an exception with the name of the file if the password does not open a key in it. */
  private static void checkKey(Path file, char[] password) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(in, password);
      for (String alias : Collections.list(keys.aliases())) {
        if (keys.isKeyEntry(alias) && keys.getKey(alias, password) != null) {
          return;
        }
      }
      throw new KeyStoreException("no key");
    } catch (FileSystemException unreadable) {
      throw unreadable;
    } catch (IOException | GeneralSecurityException wrong) {
      boolean isPassword =
          wrong instanceof UnrecoverableKeyException
              || wrong.getCause() instanceof UnrecoverableKeyException;
      throw new IOException(
          file
              + (isPassword
                  ? ": the password in AVM_TLS_PASSWORD is wrong"
                  : ": is not a PKCS #12 file with a key"),
          wrong);
    }
  }

  /**
   * Waits until all models are loaded.
   *
   * @throws DamageException if the stored data of a model is damaged
   */
  public void awaitReady() throws IOException {
    models.loader().await();
  }

  private void reloadTokens() {
    try {
      if (options.tokens().reload()) {
        log.write("tokens", Map.of("detail", "the tokens file was reloaded"));
      }
    } catch (IOException | RuntimeException wrong) {
      log.write("tokens", Map.of("detail", String.valueOf(wrong.getMessage())));
    }
  }

  /** Where the service listens. */
  public URI uri() {
    String scheme = options.keyStore() == null ? "http" : "https";
    String host = options.host().contains(":") ? "[" + options.host() + "]" : options.host();
    return URI.create(scheme + "://" + host + ":" + connector.getLocalPort());
  }

  /** Writes a copy of the store in a folder to a file; a service may be using the store. */
  public static void backup(Path folder, Path copy) throws IOException {
    StoreFolder.backup(folder, copy, () -> false);
  }

  /**
   * Repairs a damaged store from what can be read, and keeps the damaged file beside it.
   *
   * @param report receives a sentence for each loss
   */
  public static void repair(Path folder, Consumer<String> report) throws IOException {
    Repair.run(folder, report);
  }

  private void stopWatching() {
    connections.close();
    clock.shutdownNow();
  }

  /** Stops listening, finishes accepted requests, takes a last snapshot of each model, and ends. */
  @Override
  public synchronized void close() throws IOException {
    if (isClosed) {
      return;
    }
    isClosed = true;
    connector.close();
    stopWatching();
    api.finish(FINISH_MILLIS / 2);
    models.finish(FINISH_MILLIS);
    try {
      server.stop();
    } catch (Exception ignored) {
      // the server stops in any case
    }
    models.close();
    log.write("stop", Map.of());
  }
}
