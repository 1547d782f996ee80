package org.avm4j.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.avm4j.data.Instance;
import org.avm4j.lab.Generator;
import org.avm4j.serve.AvmClient;
import org.avm4j.serve.AvmServer;
import org.avm4j.serve.ServeOptions;

/** Runs a service in a temporary folder, and a client that sends it a drifting stream. */
final class ServedDemo {
  private static final String MODEL = "drifting";
  private static final int BATCH = 40;
  private static final long PAUSE_MILLIS = 20;

  /** Number of rows of the generator between two changes; only the first {@link #SENT} are sent. */
  private static final int PERIOD = 50_000;

  private static final int SENT = 12_000;

  private final Generator.Stream stream;
  private int sent;

  ServedDemo(long seed) {
    stream = Generator.ABRUPT.stream(seed);
  }

  /** Runs until the process is asked to end. */
  int run(int port) throws IOException {
    Path folder = Files.createTempDirectory("avm-demo");
    try {
      return ServeCommand.serve(
          ServeOptions.of(folder).withPort(port), this::started, () -> delete(folder));
    } finally {
      delete(folder); // if it could not start
    }
  }

  private void started(AvmServer server) {
    AvmClient client = new AvmClient(server.uri());
    try {
      client.create(
          MODEL, Map.of("task", "binary", "forget", "auto", "max-size", 200, "drift", true));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    System.out.println(
        "It receives about 2,000 rows per second from a stream that changes every 12,000 rows.");
    System.out.println("Open " + server.uri() + "/ in a browser. Press Ctrl-C to stop.");
    Thread sender = new Thread(() -> send(client), "demo");
    sender.setDaemon(true);
    sender.start();
  }

  private void send(AvmClient client) {
    try {
      while (true) {
        client.observe(MODEL, rows(), null);
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (IOException | RuntimeException | InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** The next rows; most of each period is skipped, so that changes come soon. */
  private List<Map<String, Object>> rows() {
    sent += BATCH;
    for (int i = SENT; sent > SENT && i < PERIOD; i++) {
      stream.next();
    }
    sent = sent > SENT ? BATCH : sent;
    List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < BATCH; i++) {
      Instance instance = stream.next();
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("x", dense(instance, 0));
      row.put("y", dense(instance, 1));
      row.put("label", instance.label());
      rows.add(row);
    }
    return rows;
  }

  private static double dense(Instance instance, int index) {
    for (int i = 0; i < instance.features().count(); i++) {
      if (instance.features().index(i) == index) {
        return instance.features().value(i);
      }
    }
    return 0;
  }

  private static void delete(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | UncheckedIOException ignored) {
      // a leftover in the folder of temporary files
    }
  }
}
