package org.avm4j.serve;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.avm4j.data.Row;
import org.avm4j.serve.ServedRow.Given;
import org.avm4j.serve.ServedRow.How;

/**
 * Writes to a store what a seed says: rows of two models with keys, several requests in a commit,
 * labels that come later, versions, and a challenger of the first model that is promoted again and
 * again. Rows that two versions hold are dropped, unless the seed is 1. Each operation that is
 * acknowledged is noted in a file, in the order of calls.
 */
final class StoreWriter {
  /** The file that holds the numbers of acknowledged operations. */
  static final String ACKNOWLEDGED = "acknowledged";

  static final List<String> MODELS = List.of("a", "b");
  static final ModelSpec SPEC =
      ModelSpec.of(
          Map.of("task", "binary", "update", "sgd", "gamma", 2, "delta", 0.3, "lambda", 1e-4));

  /** Added to the number of an operation whose rows wait for their labels, when that is on disk. */
  static final int KEPT = 1_000_000;

  /** Added to the number of a change of who answers for the first model, when that is on disk. */
  static final int ROLES = 2_000_000;

  /** Operations between two changes of who answers. */
  private static final int ROLE_EVERY = 30;

  /**
   * Rows of one request.
   *
   * @param model which of the two
   * @param isLate whether the rows wait for their labels first
   * @param withNext whether the next operation does not wait for this one
   */
  record Operation(int number, int model, List<ServedRow> rows, boolean isLate, boolean withNext) {
    Store.Request request() {
      return new Store.Request("key-" + number, Fingerprint.ofRows(rows));
    }

    /** The rows without their labels, with an answer, as they wait. */
    List<ServedRow> waiting() {
      return rows.stream()
          .map(row -> new ServedRow(row.row().with(null, 1), row.id(), How.LEARN, row.given()))
          .toList();
    }

    /** Writes the rows, or the labels of rows that wait. */
    CompletableFuture<Store.Receipt> send(
        Store store, long model, Consumer<Store.Batch> committed) {
      if (!isLate) {
        return store.append(model, request(), rows, committed);
      }
      List<Store.Labelled> labels =
          rows.stream().map(row -> new Store.Labelled(row.id(), row.row().label(), 1)).toList();
      return store.label(model, request(), labels, committed);
    }
  }

  private StoreWriter() {}

  /** {@code StoreWriter FOLDER OPERATIONS SEED}. */
  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    long seed = Long.parseLong(args[2]);
    List<Operation> operations = operations(Integer.parseInt(args[1]), seed);
    Duration kept = seed == 1 ? Duration.ofDays(1) : Duration.ZERO;
    StoreLimits limits = StoreLimits.DEFAULT.withRows(kept);
    try (Store store = Store.open(folder, limits, Clock.systemUTC());
        FileChannel acknowledged =
            FileChannel.open(
                folder.resolve(ACKNOWLEDGED),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE)) {
      run(store, operations, acknowledged);
    }
  }

  private static void run(Store store, List<Operation> operations, FileChannel acknowledged)
      throws IOException {
    List<Long> ids = new ArrayList<>();
    for (String model : MODELS) {
      ids.add(store.create(model, JsonValues.text(SPEC.words()), null).join().id());
    }
    note(acknowledged, -1);
    List<CompletableFuture<?>> together = new ArrayList<>();
    List<Integer> numbers = new ArrayList<>();
    int roles = 0;
    for (Operation each : operations) {
      if (each.isLate) {
        store.keep(ids.get(each.model), "", 1000, each.waiting(), null).join();
        note(acknowledged, KEPT + each.number);
      }
      together.add(each.send(store, ids.get(each.model), batch -> {}));
      numbers.add(each.number);
      if (!each.withNext) {
        for (int i = 0; i < together.size(); i++) {
          together.get(i).join();
          note(acknowledged, numbers.get(i));
        }
        together.clear();
        numbers.clear();
        if (each.number % 10 == 9) {
          keepVersions(store, ids.get(each.model));
        }
        if (each.number / ROLE_EVERY > roles) {
          changeRoles(store, ids.get(0), roles);
          note(acknowledged, ROLES + roles++);
        }
      }
    }
  }

  /** Adds a version of each learner of a model that has learned all rows. */
  private static void keepVersions(Store store, long model) throws IOException {
    Recovery recovery = new Recovery(store, new ServeLog(line -> {}));
    for (Store.Entry entry : store.models()) {
      if (entry.id() == model) {
        Learning all = recovery.recover(entry, SPEC, entry.next() - 1, sequence -> {}).learning();
        store.versions().add(entry, all.sequence(), "{}", all.toBytes()).join();
      }
    }
  }

  /** Adds a challenger first; then it is promoted, a version is pinned, and so on. */
  private static void changeRoles(Store store, long model, int number) throws IOException {
    List<Store.Entry> learners =
        store.models().stream().filter(entry -> entry.id() == model).toList();
    if (number == 0) {
      store.versions().challenge(model, JsonValues.text(SPEC.words())).join();
    } else if (number % 2 == 1) {
      store.versions().promote(learners.get(1), last -> {}).join();
    } else {
      keepVersions(store, model);
      List<Version> versions = store.versions().list(learners.get(0));
      store.versions().pin(model, versions.get(versions.size() - 1).number(), () -> {}).join();
    }
  }

  /** Who answers after changes: the learner that leads, and whether a version of it is pinned. */
  static String roles(int changes) {
    int promotions = changes / 2;
    boolean isPinned = changes > 1 && changes % 2 == 1;
    return (changes > 0 ? "challenged " : "") + promotions % 2 + (isPinned ? " pinned" : "");
  }

  private static void note(FileChannel acknowledged, int number) throws IOException {
    acknowledged.write(ByteBuffer.wrap((number + "\n").getBytes(StandardCharsets.UTF_8)));
  }

  static List<Operation> operations(int n, long seed) {
    Random random = new Random(seed);
    List<Operation> operations = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      List<ServedRow> rows = new ArrayList<>();
      boolean isLate = random.nextInt(5) == 0;
      for (int j = random.nextInt(6); j >= 0; j--) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("x", random.nextDouble());
        values.put("n", i * 10.0 + j);
        Object label = random.nextBoolean() ? 1L : -1L;
        String id = isLate || random.nextInt(4) == 0 ? "id-" + i + "-" + j : null;
        Given given = isLate ? new Given(1, new double[] {0.5}, i, 0) : null;
        How how = isLate ? How.COMPLETE : How.LEARN;
        rows.add(new ServedRow(Row.named(values, label), id, how, given));
      }
      boolean withNext = i < n - 1 && random.nextInt(4) == 0;
      operations.add(new Operation(i, random.nextInt(2), rows, isLate, withNext));
    }
    return operations;
  }
}
