package org.avm4j.serve;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
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
 * labels that come later, snapshots. Each operation that is acknowledged is noted in a file, in the
 * order of calls.
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
    List<Operation> operations = operations(Integer.parseInt(args[1]), Long.parseLong(args[2]));
    try (Store store = Store.open(folder, StoreLimits.DEFAULT, Clock.systemUTC());
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
    List<Learning> learners = new ArrayList<>();
    for (String model : MODELS) {
      ids.add(store.create(model, JsonValues.text(SPEC.words()), null).join().id());
      learners.add(Learning.of(SPEC.pipeline(), SPEC.limits()));
    }
    note(acknowledged, -1);
    List<CompletableFuture<?>> together = new ArrayList<>();
    List<Integer> numbers = new ArrayList<>();
    for (Operation each : operations) {
      Learning learner = learners.get(each.model);
      if (each.isLate) {
        store.keep(ids.get(each.model), "", 1000, each.waiting()).join();
        note(acknowledged, KEPT + each.number);
      }
      together.add(
          each.send(store, ids.get(each.model), batch -> batch.rows().forEach(learner::take)));
      numbers.add(each.number);
      if (!each.withNext) {
        for (int i = 0; i < together.size(); i++) {
          together.get(i).join();
          note(acknowledged, numbers.get(i));
        }
        together.clear();
        numbers.clear();
        if (each.number % 40 == 39) {
          store.snapshot(ids.get(each.model), learner.sequence(), learner.toBytes()).join();
        }
      }
    }
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
        Given given = isLate ? new Given(1, new double[] {0.5}, i) : null;
        How how = isLate ? How.COMPLETE : How.LEARN;
        rows.add(new ServedRow(Row.named(values, label), id, how, given));
      }
      boolean withNext = i < n - 1 && random.nextInt(4) == 0;
      operations.add(new Operation(i, random.nextInt(2), rows, isLate, withNext));
    }
    return operations;
  }
}
