package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.avm4j.data.Row;
import org.avm4j.pipeline.Pipeline;

/**
 * Kills a service again and again while clients send rows to several models, some of them with
 * labels that come later, starts it anew, and checks what it holds: every acknowledged row once, no
 * row twice, and learners with the bits of those that were fed the same rows in order. Meanwhile
 * versions of one model are kept and pinned, and its challenger is promoted: both learners and all
 * versions have the bits that follow from the rows, and a version always gives the same answers.
 */
final class KillRun {
  private static final List<String> MODELS = List.of("a", "b", "c");

  /** One request of this number brings labels of rows that were predicted before. */
  private static final int LATE = 5;

  private static final Map<String, Object> SPEC =
      Map.of("task", "binary", "update", "sgd", "gamma", 2, "delta", 0.3, "lambda", 1e-4);

  /** Another learner than that of {@link #SPEC}. */
  private static final Map<String, Object> OTHER =
      Map.of("task", "binary", "update", "sgd", "gamma", 5, "delta", 0.2, "lambda", 1e-3);

  /** The model that has a challenger. */
  private static final String CHALLENGED = MODELS.get(1);

  private final Path folder;
  private final int kills;
  private final long rows;
  private final int clients;
  private final int batch;
  private final Random random;
  private final Set<Long> acknowledged = ConcurrentHashMap.newKeySet();
  private final AtomicLong next = new AtomicLong();
  private final AtomicReference<AvmClient> service = new AtomicReference<>();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final AtomicLong retries = new AtomicLong();
  private final Map<Object, Object> answersOfVersions = new HashMap<>();
  private volatile boolean isSent;
  private int promotions;
  private int pins;

  KillRun(Path folder, int kills, long rows, int clients, int batch, long seed) {
    this.folder = folder;
    this.kills = kills;
    this.rows = rows;
    this.clients = clients;
    this.batch = batch;
    random = new Random(seed);
  }

  /** {@code KillRun FOLDER KILLS ROWS}: the long version. */
  public static void main(String[] args) throws Exception {
    int kills = Integer.parseInt(args[1]);
    KillRun run = new KillRun(Path.of(args[0]), kills, Long.parseLong(args[2]), 4, 100, 1);
    run.run();
    System.out.println(run.report());
  }

  String report() {
    return kills
        + " kills, "
        + acknowledged.size()
        + " rows acknowledged, 0 lost, 0 doubled, "
        + retries
        + " requests sent again, "
        + MODELS.size()
        + " models and a challenger equal bit for bit, "
        + promotions
        + " promotions, "
        + pins
        + " pins";
  }

  void run() throws Exception {
    Files.createDirectories(folder);
    ServiceProcess process = ServiceProcess.start(folder);
    AvmClient first = new AvmClient(process.uri());
    for (String model : MODELS) {
      first.create(model, SPEC);
    }
    first.challenge(CHALLENGED, OTHER);
    service.set(first);
    Thread roles = new Thread(this::changeRoles);
    roles.start();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      Thread thread = new Thread(this::send);
      thread.start();
      threads.add(thread);
    }
    for (int kill = 0; kill < kills && failure.get() == null; kill++) {
      waitForShare(kill);
      process.kill();
      process = ServiceProcess.start(folder);
      service.set(new AvmClient(process.uri()));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    isSent = true;
    roles.join();
    if (failure.get() != null) {
      throw new AssertionError("a client failed", failure.get());
    }
    List<byte[]> learners = new ArrayList<>();
    for (String model : MODELS) {
      Path file = folder.resolve(model + ".avm");
      service.get().save(model, file);
      learners.add(Files.readAllBytes(file));
    }
    process.kill();
    check(learners);
  }

  /** Keeps and pins versions, and promotes the challenger, again and again until all is sent. */
  private void changeRoles() {
    try {
      List<Map<String, Object>> asked =
          List.of(row(1), row(2), row(3)).stream()
              .map(row -> without(without(row, "label"), "id"))
              .toList();
      while (!isSent) {
        try {
          AvmClient client = service.get();
          Object version = client.keepVersion(CHALLENGED).get("version");
          client.pin(CHALLENGED, ((Number) version).longValue());
          pins++;
          for (int i = 0; i < 10 && !isSent; i++) {
            sameAnswers(service.get().predict(CHALLENGED, asked));
            Thread.sleep(20);
          }
          service.get().promote(CHALLENGED);
          promotions++;
        } catch (AvmServiceException refused) {
          assertThat(refused.status()).as(refused.getMessage()).isIn(404, 409, 429, 503);
          Thread.sleep(20);
        } catch (IOException gone) {
          Thread.sleep(20);
        }
      }
    } catch (Throwable wrong) {
      failure.compareAndSet(null, wrong);
    }
  }

  private void sameAnswers(Map<String, Object> reply) {
    Object version = reply.get("version");
    if (version != null) {
      Object before = answersOfVersions.putIfAbsent(version, reply);
      assertThat(reply).isEqualTo(before == null ? reply : before);
    }
  }

  /** Lets a part of the rows through, and a random moment more. */
  private void waitForShare(int kill) throws InterruptedException {
    long share = rows * (kill + 1) / (kills + 1);
    while (acknowledged.size() < share && failure.get() == null) {
      Thread.sleep(5);
    }
    Thread.sleep(random.nextInt(60));
  }

  /** Sends rows until all are sent; what is not acknowledged is sent again with the same key. */
  private void send() {
    try {
      for (long first = next.getAndAdd(batch); first < rows; first = next.getAndAdd(batch)) {
        deliver(first, Math.min(batch, rows - first));
      }
    } catch (Throwable wrong) {
      failure.compareAndSet(null, wrong);
    }
  }

  private void deliver(long first, long n) throws InterruptedException {
    List<Map<String, Object>> sent = new ArrayList<>();
    for (long i = first; i < first + n; i++) {
      sent.add(row(i));
    }
    long request = first / batch;
    String model = MODELS.get((int) (request % MODELS.size()));
    if (request % LATE == 0) {
      List<Map<String, Object>> asked = sent.stream().map(row -> without(row, "label")).toList();
      List<Map<String, Object>> labels = sent.stream().map(KillRun::only).toList();
      persist(client -> client.predict(model, asked));
      persist(client -> client.labels(model, labels, "from-" + first));
    } else {
      List<Map<String, Object>> rows = sent.stream().map(row -> without(row, "id")).toList();
      persist(client -> client.learn(model, rows, "from-" + first));
    }
    for (long i = first; i < first + n; i++) {
      acknowledged.add(i);
    }
  }

  private static Map<String, Object> without(Map<String, Object> row, String key) {
    Map<String, Object> other = new LinkedHashMap<>(row);
    other.remove(key);
    return other;
  }

  private static Map<String, Object> only(Map<String, Object> row) {
    return Map.of("id", row.get("id"), "label", row.get("label"));
  }

  /** Asks a service. */
  private interface Asking {
    Map<String, Object> ask(AvmClient client) throws IOException;
  }

  /** Sends a request again until it is answered. */
  private void persist(Asking request) throws InterruptedException {
    for (int attempt = 0; ; attempt++) {
      AvmClient client = service.get();
      try {
        assertThat(request.ask(client)).doesNotContainKey("unknown");
        return;
      } catch (AvmServiceException busy) {
        if (busy.status() != 429 && busy.status() != 503) {
          throw busy;
        }
        Thread.sleep(20);
      } catch (IOException gone) {
        retries.incrementAndGet();
        if (attempt > 2000) {
          throw new IllegalStateException("the service is gone for long", gone);
        }
        Thread.sleep(20);
      }
    }
  }

  private static Map<String, Object> row(long i) {
    Random random = new Random(i);
    double x = random.nextDouble();
    double y = random.nextDouble();
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("x", x);
    row.put("y", y);
    row.put("n", i * 1e-9);
    row.put("id", "row-" + i);
    row.put("label", (Math.floor(3 * x) + Math.floor(3 * y)) % 2 == 0 ? 1 : -1);
    return row;
  }

  private void check(List<byte[]> served) throws IOException {
    Map<Long, Integer> counts = new HashMap<>();
    try (Store store = Store.open(folder, StoreLimits.DEFAULT, Clock.systemUTC())) {
      for (Store.Entry entry : store.models()) {
        Pipeline plain = ModelSpec.parse(entry.spec()).pipeline();
        Learning reference =
            reference(
                store,
                entry,
                row -> {
                  Map<String, ?> values = ((Row.Named) row.row().values()).columns();
                  plain.learn(values, row.row().label(), row.row().weight());
                  long number = Math.round(((Number) values.get("n")).doubleValue() * 1e9);
                  counts.merge(number, entry.isChallenger() ? 0 : 1, Integer::sum);
                });
        assertThat(reference.pipeline().toBytes()).isEqualTo(plain.toBytes());
        Learning recovered =
            new Recovery(store, new ServeLog(line -> {}))
                .recover(entry, ModelSpec.parse(entry.spec()), entry.next() - 1, sequence -> {})
                .learning();
        assertThat(recovered.toBytes()).isEqualTo(reference.toBytes());
        if (!entry.isChallenger()) {
          assertThat(served.get(MODELS.indexOf(entry.name()))).isEqualTo(plain.toBytes());
        }
      }
    }
    assertThat(acknowledged).hasSize((int) rows);
    assertThat(counts).hasSize((int) rows);
    assertThat(counts.values()).allMatch(count -> count == 1);
  }

  /** A learner that is fed the rows in order; every version on the way has its bits. */
  private static Learning reference(Store store, Store.Entry entry, Consumer<ServedRow> rows)
      throws IOException {
    ModelSpec spec = ModelSpec.parse(entry.spec());
    Learning reference = Learning.of(spec, entry.learner(), entry.begun());
    Map<Long, byte[]> versions = new HashMap<>();
    for (Version version : store.versions().list(entry)) {
      versions.put(version.sequence(), store.versions().body(entry, version.number()));
    }
    StoredRows.replay(
        store,
        entry.id(),
        entry.begun(),
        batch -> {
          batch.rows().forEach(reference::take);
          batch.rows().forEach(rows);
          byte[] version = versions.remove(batch.last());
          if (version != null) {
            assertThat(version).isEqualTo(reference.toBytes());
          }
        });
    assertThat(versions).isEmpty();
    return reference;
  }
}
