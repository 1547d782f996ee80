package org.avm4j.serve;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.avm4j.data.Row;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.RowLearner;
import org.avm4j.serve.LoadClients.Latencies;

/**
 * Measures a service that runs in a process of its own: {@code LoadRun FOLDER [WHAT]}. It prints
 * how fast batches are learned beside the library, the time to answer while rows are learned, how
 * soon learned rows are visible, what 23 quiet models feel of a busy one, and the start with 1,000
 * models. What is compared takes turns, so that a noisy machine disturbs both alike.
 */
final class LoadRun {
  private static final Map<String, Object> SGD =
      Map.of(
          "task",
          "binary",
          "update",
          "sgd",
          "gamma",
          0.5,
          "delta",
          0.05,
          "lambda",
          1e-4,
          "max-size",
          500);
  private static final int FEATURES = 10;
  private static final int BATCH = 500;
  private static final int ROUNDS = 4;
  private static final long ROUND_MILLIS = 5_000;
  private static final int MODELS_AT_START = 1_000;

  private final LoadClients clients;

  private LoadRun(ServiceProcess process) {
    clients = new LoadClients(process.uri());
  }

  /** Measures one after the other. */
  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    String only = args.length > 1 ? args[1] : "all";
    Map<String, Measurement> all = new LinkedHashMap<>();
    all.put("batches", of(run -> run.batches("500 core points", SGD, 200_000)));
    all.put("automatic", of(run -> run.batches("automatic mode", Map.of(), 6_000)));
    all.put("answers", of(LoadRun::answersWhileLearning));
    all.put("publishing", of(LoadRun::publishing));
    all.put("hot", of(LoadRun::oneHotModel));
    all.put("start", LoadRun::start);
    if (!only.equals("all") && !all.containsKey(only)) {
      System.err.println("measured can be all or one of " + all.keySet() + ", not " + only);
      System.exit(2);
    }
    for (Map.Entry<String, Measurement> each : all.entrySet()) {
      if (only.equals("all") || only.equals(each.getKey())) {
        each.getValue().in(folder.resolve(each.getKey()));
      }
    }
  }

  private interface Measurement {
    void in(Path folder) throws Exception;
  }

  private interface OfService {
    void measure(LoadRun run) throws Exception;
  }

  /** Measures a service that begins with an empty folder. */
  private static Measurement of(OfService what) {
    return folder -> {
      try (ServiceProcess process = ServiceProcess.startAsUsersDo(folder)) {
        what.measure(new LoadRun(process));
      }
    };
  }

  /** Rows with a rule that is learned easily. */
  static List<Map<String, Object>> rows(int n, long seed) {
    Random random = new Random(seed);
    List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      Map<String, Object> row = new LinkedHashMap<>();
      double sum = 0;
      for (int j = 0; j < FEATURES; j++) {
        double x = Math.round(random.nextDouble() * 1e4) / 1e4;
        sum += x;
        row.put("column" + j, x);
      }
      row.put("label", Math.floor(2 * sum) % 2 == 0 ? 1 : -1);
      rows.add(row);
    }
    return rows;
  }

  private long sequence(String model) {
    try {
      return ((Number) clients.api().model(model).get("sequence")).longValue();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private void awaitSequence(String model, long wanted) throws InterruptedException {
    while (sequence(model) < wanted) {
      Thread.sleep(5);
    }
  }

  /**
   * Rows a second that the service learns from two clients, and that a row learner alone learns, in
   * turn.
   */
  private void batches(String name, Map<String, Object> spec, int n) throws Exception {
    List<Map<String, Object>> rows = rows(n, 1);
    List<byte[]> bodies = LoadClients.bodies(rows, BATCH);
    List<String> ratios = new ArrayList<>();
    for (int round = 0; round <= ROUNDS; round++) {
      double library = libraryRowsASecond(spec, rows);
      String model = "m" + round;
      clients.api().create(model, spec);
      AtomicInteger next = new AtomicInteger();
      Consumer<BooleanSupplier> client = isOver -> sendAll(model, bodies, next);
      long start = System.nanoTime();
      clients.during(Long.MAX_VALUE / 1_000_000, client, client);
      awaitSequence(model, n);
      double service = n * 1e9 / (System.nanoTime() - start);
      if (round > 0) {
        ratios.add("%.0f of %.0f (%.2f)".formatted(service, library, service / library));
      }
    }
    System.out.println(
        "batches over JSON, " + name + ": rows a second of the library's: " + ratios);
  }

  private void sendAll(String model, List<byte[]> bodies, AtomicInteger next) {
    for (int i = next.getAndIncrement(); i < bodies.size(); i = next.getAndIncrement()) {
      clients.sendUntilTaken("/v1/models/" + model + "/learn", bodies.get(i));
    }
  }

  private static double libraryRowsASecond(
      Map<String, Object> spec, List<Map<String, Object>> rows) {
    Pipeline pipeline = ModelSpec.of(spec).pipeline();
    RowLearner learner = new RowLearner(pipeline, ModelSpec.of(spec).limits());
    long start = System.nanoTime();
    for (Map<String, Object> row : rows) {
      Map<String, Object> values = new LinkedHashMap<>(row);
      Object label = values.remove("label");
      learner.learn(Row.named(values, label));
    }
    return rows.size() * 1e9 / (System.nanoTime() - start);
  }

  /** Predictions with nothing else to do, and while rows come at half the highest rate. */
  private void answersWhileLearning() throws Exception {
    clients.api().create("m", SGD);
    List<byte[]> bodies = LoadClients.bodies(rows(50_000, 1), BATCH);
    List<byte[]> questions = LoadClients.bodies(rows(1000, 2), 1);
    double highest = 0;
    for (int i = 0; i < 3; i++) { // the first rounds warm up
      long before = sequence("m");
      long start = System.nanoTime();
      clients.during(ROUND_MILLIS, isOver -> clients.hurry("/v1/models/m/learn", bodies, isOver));
      awaitSequence("m", clients.lastAcknowledged());
      double rate = (sequence("m") - before) * 1e9 / (System.nanoTime() - start);
      highest = Math.max(highest, rate);
    }
    double batchesASecond = highest / 2 / BATCH;
    Latencies idle = new Latencies();
    Latencies busy = new Latencies();
    clients.pace(200, 2 * ROUND_MILLIS, "/v1/models/m/predict", questions, new Latencies());
    for (int round = 0; round < ROUNDS; round++) {
      clients.pace(200, ROUND_MILLIS, "/v1/models/m/predict", questions, idle);
      clients.during(
          ROUND_MILLIS,
          isOver ->
              clients.pace(
                  batchesASecond, ROUND_MILLIS, "/v1/models/m/learn", bodies, new Latencies()),
          isOver -> clients.pace(200, ROUND_MILLIS, "/v1/models/m/predict", questions, busy));
    }
    System.out.printf(
        "answers: idle %s; while %.0f rows a second are learned (half of the highest rate) %s;"
            + " 99th percentiles: %.2f times%n",
        idle, highest / 2, busy, busy.percentile(0.99) / idle.percentile(0.99));
  }

  /** From the reply to a learned row until predictions know it, under a mix of other requests. */
  private void publishing() throws Exception {
    for (String model : List.of("m", "other", "large")) {
      clients.api().create(model, SGD);
      clients.api().learn(model, rows(2000, 3), null);
    }
    List<byte[]> singles = LoadClients.bodies(rows(1000, 4), 1);
    List<byte[]> batches = LoadClients.bodies(rows(20_000, 5), BATCH);
    List<byte[]> large = LoadClients.bodies(rows(40_000, 6), 40_000);
    Latencies alone = new Latencies();
    Latencies mixed = new Latencies();
    for (int round = 0; round < ROUNDS; round++) {
      visible(singles, alone);
      clients.during(
          ROUND_MILLIS,
          isOver -> clients.hurry("/v1/models/other/learn", batches, isOver),
          isOver -> clients.hurry("/v1/models/large/learn", large, isOver),
          isOver -> {
            while (!isOver.getAsBoolean()) {
              visible(singles, mixed);
            }
          });
    }
    System.out.println("learned rows are visible: alone " + alone + "; under a mix " + mixed);
    awaitSequence("large", clients.sendUntilTaken("/v1/models/large/learn", singles.get(0)));
    Latencies apart = new Latencies();
    long end = sequence("large") + 40_000;
    clients.during(
        60_000,
        isOver -> clients.sendUntilTaken("/v1/models/large/learn", large.get(0)),
        isOver -> watch("large", end, isOver, apart));
    System.out.printf(
        "one body of %.1f MB: states are published %s apart%n", large.get(0).length / 1e6, apart);
  }

  /** Notes how long after one another states of a model are published. */
  private void watch(String model, long end, BooleanSupplier isOver, Latencies apart) {
    long last = sequence(model);
    long changed = 0;
    while (last < end && !isOver.getAsBoolean()) {
      long now = sequence(model);
      if (now > last) {
        if (changed > 0) {
          apart.add(System.nanoTime() - changed);
        }
        changed = System.nanoTime();
        last = now;
      }
    }
  }

  private void visible(List<byte[]> singles, Latencies into) {
    for (int i = 0; i < 20; i++) {
      long learned = clients.sendUntilTaken("/v1/models/m/learn", singles.get(i));
      long start = System.nanoTime();
      clients.sendUntilTaken("/v1/models/m/predict?min-sequence=" + learned, singles.get(i));
      into.add(System.nanoTime() - start);
    }
  }

  /** Single rows to 23 models, alone and beside one that gets batches. */
  private void oneHotModel() throws Exception {
    for (int i = 0; i < 24; i++) {
      clients.api().create("m" + i, SGD);
      clients.api().learn("m" + i, rows(1000, i), null);
    }
    List<byte[]> singles = LoadClients.bodies(rows(1000, 4), 1);
    List<byte[]> batches = LoadClients.bodies(rows(20_000, 5), BATCH);
    for (String verb : List.of("predict", "learn", "observe")) {
      List<String> paths = new ArrayList<>();
      for (int i = 1; i < 24; i++) {
        paths.add("/v1/models/m" + i + "/" + verb);
      }
      clients.pace(50, ROUND_MILLIS, paths, singles, new Latencies());
      Latencies alone = new Latencies();
      Latencies beside = new Latencies();
      for (int round = 0; round < ROUNDS; round++) {
        clients.pace(50, ROUND_MILLIS, paths, singles, alone);
        clients.during(
            ROUND_MILLIS,
            isOver -> clients.hurry("/v1/models/m0/learn", batches, isOver),
            isOver -> clients.pace(50, ROUND_MILLIS, paths, singles, beside));
      }
      System.out.printf(
          "24 models, %s: 23 of them alone %s; beside a busy one %s; 99th percentiles: %.2f times%n",
          verb, alone, beside, beside.percentile(0.99) / alone.percentile(0.99));
    }
  }

  private static void start(Path folder) throws Exception {
    try (ServiceProcess first = ServiceProcess.startAsUsersDo(folder)) {
      LoadClients clients = new LoadClients(first.uri());
      for (int i = 0; i < MODELS_AT_START; i++) {
        clients.api().create("m" + i, SGD);
        clients.sendUntilTaken(
            "/v1/models/m" + i + "/learn", LoadClients.bodies(rows(20, i), 20).get(0));
      }
    }
    List<String> times = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      long start = System.nanoTime();
      try (ServiceProcess again = ServiceProcess.startAsUsersDo(folder)) {
        double open = (System.nanoTime() - start) / 1e9;
        LoadClients asking = new LoadClients(again.uri());
        asking.sendUntilTaken("/v1/models/m0/predict", LoadClients.bodies(rows(1, 1), 1).get(0));
        times.add("%.2f s and %.2f s".formatted(open, (System.nanoTime() - start) / 1e9));
      }
    }
    System.out.println(
        "start with "
            + MODELS_AT_START
            + " models, the start of Java included: port open and first model ready after "
            + times);
  }
}
