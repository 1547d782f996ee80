package org.avm4j.serve;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Measures what other requests feel of large ones: {@code FairnessRun FOLDER}. It prints how old
 * the published model becomes during one large request, the time of single rows while five models
 * get batches, how soon the port is open with 1,000 models, and refusals to a lone client.
 */
final class FairnessRun {
  private static final Map<String, Object> SGD =
      Map.of(
          "task",
          "binary",
          "update",
          "sgd",
          "gamma",
          2,
          "delta",
          0.05,
          "lambda",
          1e-4,
          "max-size",
          500);
  private static final long LOAD_MILLIS = 15_000;

  private FairnessRun() {}

  /** Measures one after the other. */
  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    System.out.println("heap " + (Runtime.getRuntime().maxMemory() >> 20) + " MB");
    publishing(folder.resolve("publishing"));
    fairness(folder.resolve("fairness"));
    loneClient(folder.resolve("lone"));
    start(folder.resolve("start"));
  }

  private static void publishing(Path folder) throws Exception {
    try (Service service = new Service(folder)) {
      service.client.create("m", SGD);
      service.client.observe("m", ApiTest.rows(2000, 1), null);
      int n = 100_000;
      byte[] body = JsonValues.bytes(ApiTest.rows(n, 2));
      Thread sender =
          new Thread(
              () ->
                  service.send(
                      "POST", "/v1/models/m/observe", body, "Content-Type", "application/json"));
      sender.start();
      long last = 2000;
      long changed = 0;
      long longest = 0;
      int changes = 0;
      while (last < 2000 + n) {
        long now = ((Number) service.get("/v1/models/m").json().get("sequence")).longValue();
        long nanos = System.nanoTime();
        if (now > last) {
          longest = changed == 0 ? 0 : Math.max(longest, nanos - changed);
          changed = nanos;
          changes++;
          last = now;
        }
      }
      sender.join();
      System.out.printf(
          "one body of %.1f MB, %d rows: %d states published, %.0f ms apart at most%n",
          body.length / 1e6, n, changes, longest / 1e6);
    }
  }

  private static void fairness(Path folder) throws Exception {
    try (Service service = new Service(folder)) {
      service.client.create("single", SGD);
      service.client.observe("single", ApiTest.rows(500, 1), null);
      System.out.println("single rows alone:             " + singles(service));
      AtomicBoolean isDone = new AtomicBoolean();
      AtomicLong rows = new AtomicLong();
      List<Thread> senders = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        String model = "busy" + i;
        service.client.create(model, SGD);
        Thread thread = new Thread(() -> send(service, model, isDone, rows));
        thread.start();
        senders.add(thread);
      }
      Thread.sleep(2000);
      System.out.println("while five models get batches: " + singles(service));
      isDone.set(true);
      for (Thread each : senders) {
        each.join();
      }
      System.out.println("rows of the batches: " + rows);
    }
  }

  private static void send(Service service, String model, AtomicBoolean isDone, AtomicLong rows) {
    List<Map<String, Object>> batch = ApiTest.rows(1500, 7);
    while (!isDone.get()) {
      try {
        service.client.learn(model, batch, null);
        rows.addAndGet(1500);
      } catch (AvmServiceException | IOException busy) {
        Thread.onSpinWait();
      }
    }
  }

  private static String singles(Service service) throws IOException {
    List<Map<String, Object>> rows = ApiTest.rows(1000, 3);
    List<Double> times = new ArrayList<>();
    long end = System.currentTimeMillis() + LOAD_MILLIS;
    for (int i = 0; System.currentTimeMillis() < end; i++) {
      long start = System.nanoTime();
      service.client.observe("single", rows.subList(i % 1000, i % 1000 + 1), null);
      times.add((System.nanoTime() - start) / 1e6);
    }
    double[] sorted = times.stream().mapToDouble(t -> t).sorted().toArray();
    return String.format(
        "%d observed, half within %.1f ms, 99 of 100 within %.1f ms",
        sorted.length, sorted[sorted.length / 2], sorted[(int) (sorted.length * 0.99)]);
  }

  private static void loneClient(Path folder) throws Exception {
    try (Service service = new Service(folder)) {
      service.client.create("m", Map.of());
      int refused = 0;
      long rows = 0;
      long end = System.currentTimeMillis() + LOAD_MILLIS;
      for (int i = 0; System.currentTimeMillis() < end; i++) {
        try {
          service.client.observe("m", ApiTest.rows(500, i), null);
          rows += 500;
        } catch (AvmServiceException busy) {
          refused++;
        }
      }
      System.out.println("a lone client: " + rows + " rows observed, " + refused + " refusals");
    }
    System.out.println("store: " + Files.size(folder.resolve(StoreFolder.FILE)) / 1000 + " kB");
  }

  private static void start(Path folder) throws Exception {
    int models = 1000;
    try (Service service = new Service(folder)) {
      for (int i = 0; i < models; i++) {
        service.client.create("m" + i, SGD);
        service.client.learn("m" + i, ApiTest.rows(20, i), null);
      }
    }
    long[] open = new long[3];
    long[] first = new long[3];
    long[] all = new long[3];
    for (int i = 0; i < open.length; i++) {
      long start = System.nanoTime();
      try (AvmServer server = AvmServer.start(ServeOptions.of(folder).withPort(0), line -> {})) {
        open[i] = (System.nanoTime() - start) / 1_000_000;
        AvmClient client = new AvmClient(server.uri());
        while (first[i] == 0) {
          try {
            client.predict("m0", ApiTest.rows(1, 1));
            first[i] = (System.nanoTime() - start) / 1_000_000;
          } catch (AvmServiceException loading) {
            Thread.onSpinWait();
          }
        }
        server.awaitReady();
        all[i] = (System.nanoTime() - start) / 1_000_000;
      }
    }
    System.out.printf(
        "start with %d models: port open after %s ms, first model after %s ms, all after %s ms%n",
        models, Arrays.toString(open), Arrays.toString(first), Arrays.toString(all));
  }
}
