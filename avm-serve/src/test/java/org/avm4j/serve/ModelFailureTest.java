package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import org.avm4j.data.Row;
import org.avm4j.serve.LearnTask.Outcome;
import org.avm4j.serve.ServedRow.Purpose;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Faults inside a model: it says that it has failed, and comes back with all that is on disk. */
@Timeout(120)
class ModelFailureTest {
  private static final Map<String, Object> SGD =
      Map.of("task", "binary", "update", "sgd", "gamma", 2, "delta", 0.3, "lambda", 1e-4);

  @TempDir Path folder;
  private final List<String> log = new CopyOnWriteArrayList<>();
  private final FaultyLearner fault = new FaultyLearner();
  private Store store;
  private Models models;
  private ServedModel model;

  @BeforeEach
  void start() throws IOException {
    store = Store.open(folder, StoreLimits.DEFAULT, Clock.systemUTC());
    models = new Models(store, new ServeLog(log::add));
    models.load();
    model = models.create("m", SGD).join();
    model.start(fault.in(model.spec()));
  }

  @AfterEach
  void stop() throws IOException {
    models.close();
  }

  private static List<ServedRow> rows(int n, long seed, Purpose purpose) {
    List<ServedRow> rows = new ArrayList<>();
    for (Map<String, Object> each : ApiTest.rows(n, seed)) {
      Map<String, Object> values = new LinkedHashMap<>(each);
      Object label = values.remove("label");
      rows.add(new ServedRow(Row.named(values, label), null, purpose, null));
    }
    return rows;
  }

  private CompletableFuture<Outcome> learn(List<ServedRow> rows) {
    CompletableFuture<Outcome> learned = new CompletableFuture<>();
    store.rows().append(model.id(), null, rows, batch -> model.learn(batch, learned)).join();
    return learned;
  }

  /** What a learner is that was fed the same rows without a fault. */
  private static byte[] reference(List<ServedRow> rows) {
    Learning learning = Learning.of(ModelSpec.of(SGD));
    rows.forEach(learning::take);
    return learning.pipeline().toBytes();
  }

  private void execute(String sql) {
    store
        .committer()
        .submitOwn(
            0,
            database -> {
              database.execute(sql);
              return null;
            },
            done -> {})
        .join();
  }

  @Test
  void aModelThatCannotBeDeletedFromTheStoreGoesOn() throws Exception {
    execute(
        "CREATE TRIGGER full BEFORE DELETE ON model BEGIN SELECT RAISE(ABORT, 'no space'); END");
    assertThat(models.delete("m"))
        .failsWithin(Duration.ofSeconds(30))
        .withThrowableThat()
        .withMessageContaining("no space");
    assertThat(models.get("m")).isSameAs(model);
    assertThat(model.isDeleted()).isFalse();
    assertThat(learn(rows(20, 1, Purpose.OBSERVE)).join().answers()).hasSize(20);
    execute("DROP TRIGGER full");
    assertThat(models.delete("m").join()).isTrue();
    assertThat(model.isDeleted()).isTrue();
    assertThat(models.all()).isEmpty();
  }

  @Test
  void whatADeletedModelHasNotLearnedTakesNoMemory() throws Exception {
    execute("CREATE TRIGGER spoil AFTER INSERT ON batch BEGIN UPDATE batch SET body = x'00'; END");
    fault.failNext("learn", new OutOfMemoryError("injected"));
    assertThat(learn(rows(20, 1, Purpose.OBSERVE))).failsWithin(Duration.ofSeconds(30));
    assertThat(models.backlog().bytes()).isPositive();
    assertThat(models.delete("m").join()).isTrue();
    while (models.backlog().bytes() > 0 || model.backlog() > 0) {
      Thread.sleep(5);
    }
  }

  private void awaitReady() throws InterruptedException {
    while (model.state() != LearningActor.State.READY || model.backlog() > 0) {
      Thread.sleep(5);
    }
  }

  @Test
  void anErrorInLearningIsToldAndTheModelIsMadeAgainFromTheStore() throws Exception {
    List<ServedRow> all = new ArrayList<>(rows(50, 1, Purpose.LEARN));
    learn(all).join();
    fault.failNext("learn", new OutOfMemoryError("injected"));
    List<ServedRow> more = rows(30, 2, Purpose.OBSERVE);
    all.addAll(more);
    assertThat(learn(more))
        .failsWithin(Duration.ofSeconds(60))
        .withThrowableThat()
        .withMessageContaining("the rows are on disk");
    assertThat(log).anyMatch(line -> line.contains("failure") && line.contains("injected"));
    assertThat(model.failures()).isPositive();
    awaitReady();
    assertThat(model.failure()).isNull();
    List<ServedRow> last = rows(20, 3, Purpose.LEARN);
    all.addAll(last);
    learn(last).join();
    assertThat(model.export().join()).isEqualTo(reference(all));
    assertThat(log).anyMatch(line -> line.contains("\"restart\""));
  }

  @Test
  void aFailedModelSaysSoAndAnswersByWhatItKnew() throws Exception {
    learn(rows(50, 1, Purpose.LEARN)).join();
    model.published(50).join();
    fault.failNext("learn", new StackOverflowError("injected"));
    CompletableFuture<String> seen = new CompletableFuture<>();
    Health health = new Health(models);
    learn(rows(1, 2, Purpose.OBSERVE))
        .whenComplete(
            (outcome, failed) ->
                seen.complete(model.published().sequence() + " " + health.problems()));
    assertThat(seen.join()).startsWith("50 ").contains("1 model has failed");
    awaitReady();
    assertThat(health.problems()).noneMatch(problem -> problem.contains("failed"));
  }

  @Test
  void aModelThatFailsInTheMiddleOfARequestLearnsItsRowsOnce() throws Exception {
    List<ServedRow> rows = rows(400, 4, Purpose.LEARN);
    store.rows().append(model.id(), null, rows, batch -> {}).join();
    List<ServedRow> hostile = new ArrayList<>(rows);
    hostile.set(250, new ServedRow(failingOnce(rows.get(250).row()), null, Purpose.LEARN, null));
    CompletableFuture<Outcome> learned = new CompletableFuture<>();
    model.learn(new RowStore.Batch(1, hostile, 1), learned);
    assertThat(learned).failsWithin(Duration.ofSeconds(60));
    awaitReady();
    assertThat(model.export().join()).isEqualTo(reference(rows));
    assertThat(model.backlog()).isZero();
    assertThat(models.backlog().bytes()).isZero();
  }

  private static Row failingOnce(Row row) {
    Map<String, Object> values = new LinkedHashMap<>(((Row.Named) row.values()).columns());
    AtomicBoolean hasFailed = new AtomicBoolean();
    Map<String, Object> hostile =
        new AbstractMap<>() {
          @Override
          public Set<Map.Entry<String, Object>> entrySet() {
            if (hasFailed.compareAndSet(false, true)) {
              throw new OutOfMemoryError("injected");
            }
            return values.entrySet();
          }
        };
    return Row.named(hostile, row.label());
  }

  @Test
  void aStoreThatCannotBeWrittenToIsToldUntilItCan() throws Exception {
    execute("CREATE TRIGGER stuck BEFORE INSERT ON batch BEGIN SELECT RAISE(ABORT, 'stuck'); END");
    Health health = new Health(models);
    assertThatThrownBy(() -> learn(rows(3, 1, Purpose.LEARN))).hasMessageContaining("stuck");
    assertThat(health.problems()).anyMatch(problem -> problem.contains("cannot be written to"));
    execute("DROP TRIGGER stuck");
    while (!health.problems().isEmpty()) {
      Thread.sleep(20);
    }
    assertThat(learn(rows(3, 1, Purpose.LEARN))).succeedsWithin(Duration.ofSeconds(30));
  }

  @Test
  void aPeriodicTaskThatThrowsRunsAgain() throws Exception {
    ScheduledExecutorService clock = Workers.clock("test");
    CountDownLatch runs = new CountDownLatch(4);
    ServeLog silent =
        new ServeLog(
            line -> {
              throw new OutOfMemoryError("injected");
            });
    Workers.every(
        clock,
        1,
        () -> {
          runs.countDown();
          throw new StackOverflowError("injected");
        },
        silent);
    runs.await();
    clock.shutdownNow();
  }

  @Test
  void aSnapshotThatCannotBeEncodedDoesNotKeepTheNextOneAway() throws Exception {
    learn(rows(50, 1, Purpose.LEARN)).join();
    fault.failNext("encode", new OutOfMemoryError("injected"));
    assertThat(model.finish()).failsWithin(Duration.ofSeconds(60));
    assertThat(store.versions().list(model.entry())).isEmpty();
    learn(rows(10, 2, Purpose.LEARN)).join();
    model.finish().join();
    assertThat(store.versions().list(model.entry())).hasSize(1);
  }

  @Test
  void aPublicationThatFailsIsToldAndDoneAgain() throws Exception {
    fault.failNext("snapshot", new OutOfMemoryError("injected"));
    learn(rows(50, 1, Purpose.LEARN)).join();
    assertThat(log).anyMatch(line -> line.contains("publishing failed"));
    assertThat(model.published(50).get().sequence()).isEqualTo(50);
    learn(rows(1, 2, Purpose.LEARN)).join();
    while (model.failure() != null) {
      Thread.sleep(5);
    }
    assertThat(model.state()).isEqualTo(LearningActor.State.READY);
  }

  @Test
  void aLargeRequestIsPublishedInSlices() {
    List<ServedRow> rows = rows(100_000, 5, Purpose.LEARN);
    model.learn(new RowStore.Batch(1, rows, 1), new CompletableFuture<>());
    long first = model.published(1).join().sequence();
    long second = model.published(first + 1).join().sequence();
    assertThat(second).isGreaterThan(first).isLessThan(rows.size());
  }

  @Test
  void theWriterSurvivesThoseWhoAreTold() {
    CompletableFuture<RowStore.Receipt> told =
        store
            .rows()
            .append(
                model.id(),
                null,
                rows(1, 1, Purpose.LEARN),
                batch -> {
                  throw new OutOfMemoryError("injected");
                });
    assertThat(told).failsWithin(Duration.ofSeconds(60));
    assertThat(store.rows().prune(model.id(), null)).succeedsWithin(Duration.ofSeconds(60));
  }

  @Test
  void whatIsHandedOverAfterTheEndIsRefusedAndNotForgotten() throws IOException {
    models.close();
    assertThat(store.rows().append(model.id(), null, rows(1, 1, Purpose.LEARN), batch -> {}))
        .failsWithin(Duration.ofSeconds(60))
        .withThrowableThat()
        .withMessageContaining("shutting down");
  }

  @Test
  void twoServicesOfAProcessDoNotShareTheirBacklog() throws IOException {
    try (Store other = Store.open(folder.resolve("other"), StoreLimits.DEFAULT, Clock.systemUTC());
        Models others = new Models(other, new ServeLog(log::add))) {
      others.backlog().add(Long.MAX_VALUE / 2);
      assertThat(others.backlog().isFull()).isTrue();
      assertThat(models.backlog().isFull()).isFalse();
    }
  }
}
