package org.avm4j.serve;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.avm4j.data.Row;
import org.avm4j.serve.ServedRow.PastAnswer;
import org.avm4j.serve.ServedRow.Purpose;

/** What clients of a simulated service send, by a seed: rows of two models, some labelled later. */
final class SimulatedWorkload {
  static final List<String> MODELS = List.of("a", "b");
  static final Map<String, Object> OPTIONS = options();
  static final ModelSpec SPEC = ModelSpec.of(OPTIONS);

  private SimulatedWorkload() {}

  /** In one order, which that of {@link Map#of} is not in two processes. */
  private static Map<String, Object> options() {
    Map<String, Object> options = new LinkedHashMap<>();
    options.put("task", "binary");
    options.put("update", "sgd");
    options.put("gamma", 2);
    options.put("delta", 0.3);
    options.put("lambda", 1e-4);
    return options;
  }

  /**
   * Rows of one request.
   *
   * @param model which of the two
   * @param isLate whether the rows wait for their labels first
   */
  record Operation(int number, int model, List<ServedRow> rows, boolean isLate) {
    RowStore.Request request() {
      return new RowStore.Request("", "key-" + number, Fingerprint.ofRows(rows));
    }

    /** The rows without their labels, with an answer, as they wait. */
    List<ServedRow> waiting() {
      return rows.stream()
          .map(
              row ->
                  new ServedRow(row.row().with(null, 1), row.id(), Purpose.LEARN, row.pastAnswer()))
          .toList();
    }

    /** Has the rows wait for their labels. */
    CompletableFuture<?> keep(Store store, long model) {
      return store.rows().keep(model, "", 1000, waiting(), null);
    }

    /** Writes the rows, or the labels of rows that wait. */
    CompletableFuture<RowStore.Receipt> send(
        Store store, long model, Consumer<RowStore.Batch> committed) {
      if (!isLate) {
        return store.rows().append(model, request(), rows, committed);
      }
      List<RowStore.Labelled> labels =
          rows.stream().map(row -> new RowStore.Labelled(row.id(), row.row().label(), 1)).toList();
      return store.rows().label(model, request(), labels, committed);
    }
  }

  /** One in five seeds keeps all rows; the others drop those that two versions hold. */
  static StoreLimits limits(long seed) {
    return StoreLimits.DEFAULT.withRows(seed % 5 == 1 ? Duration.ofDays(1) : Duration.ZERO);
  }

  /** Who answers after changes: the learner that leads, and whether a version of it is pinned. */
  static String roles(int changes) {
    int promotions = changes / 2;
    boolean isPinned = changes > 1 && changes % 2 == 1;
    return (changes > 0 ? "challenged " : "") + promotions % 2 + (isPinned ? " pinned" : "");
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
        PastAnswer given = isLate ? new PastAnswer(1, new double[] {0.5}, i, 0, false) : null;
        Purpose purpose = isLate ? Purpose.COMPLETE : Purpose.LEARN;
        rows.add(new ServedRow(Row.named(values, label), id, purpose, given));
      }
      operations.add(new Operation(i, random.nextInt(MODELS.size()), rows, isLate));
    }
    return operations;
  }
}
