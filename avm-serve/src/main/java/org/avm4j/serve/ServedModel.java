package org.avm4j.serve;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.avm4j.Prediction;
import org.avm4j.Task;
import org.avm4j.data.Row;
import org.avm4j.data.Schema;

/**
 * A model that is served. Rows that are on disk are learned one after the other, by one thread at a
 * time; answers come from what was published last, by any number of threads.
 */
final class ServedModel {
  /** Bytes of rows that may wait to be learned by all models together. */
  private static final long MAX_BACKLOG = MemoryShare.of(64);

  private static final AtomicLong BACKLOG = new AtomicLong();

  private static final long TURN_NANOS = 20_000_000;
  private static final long MIN_PUBLISH_NANOS = 20_000_000;
  private static final long MAX_PUBLISH_NANOS = 50_000_000;
  private static final long SNAPSHOT_LEARNING_NANOS = 3_000_000_000L;
  private static final long SNAPSHOT_NANOS = 60_000_000_000L;
  private static final int LATEST = 20;
  private static final int LONGEST = 200;

  private final Store.Entry entry;
  private final ModelSpec spec;
  private final Learning learning;
  private final Store store;
  private final Executor threads;
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean isRunning = new AtomicBoolean();
  private final AtomicReference<Published> published = new AtomicReference<>();
  private final AtomicInteger backlog = new AtomicInteger();
  private final Deque<Latest> latest = new ArrayDeque<>();
  private final ModelTraffic traffic = new ModelTraffic();
  private final Door door = new Door();
  private final AtomicLong snapshots = new AtomicLong();
  private volatile long snapshotAt;
  private volatile boolean isSnapshotting;
  private volatile boolean isDeleted;
  private volatile boolean hasFailed;
  private boolean isDirty;
  private long publishedNanos = System.nanoTime();
  private long publishingNanos;
  private long learningNanos;
  private long snapshotNanos = System.nanoTime();
  private long snapshotSequence;

  /**
   * A model that has come so far.
   *
   * @param snapshotSequence the last row that the latest snapshot holds
   * @param learningNanos how long it took to learn the rows after it
   */
  ServedModel(
      Store.Entry entry,
      ModelSpec spec,
      Learning learning,
      long snapshotSequence,
      long snapshotAt,
      long learningNanos,
      Store store,
      Executor threads) {
    this.entry = entry;
    this.spec = spec;
    this.learning = learning;
    this.snapshotSequence = snapshotSequence;
    this.snapshotAt = snapshotAt;
    this.learningNanos = learningNanos;
    this.store = store;
    this.threads = threads;
    published.set(Published.of(learning, spec));
  }

  long id() {
    return entry.id();
  }

  String name() {
    return entry.name();
  }

  long created() {
    return entry.created();
  }

  ModelSpec spec() {
    return spec;
  }

  /** What answers now. */
  Published published() {
    return published.get();
  }

  ModelTraffic traffic() {
    return traffic;
  }

  /** What checks rows before they are written. */
  Door door() {
    return door;
  }

  /** How many rows are on disk and not learned yet. */
  int backlog() {
    return backlog.get();
  }

  /** When the last snapshot was taken, in milliseconds since 1970. */
  long snapshotAt() {
    return snapshotAt;
  }

  /** How many snapshots were taken since the start. */
  long snapshots() {
    return snapshots.get();
  }

  /** Stops snapshots of what is no longer there. */
  void delete() {
    isDeleted = true;
  }

  /** A learner that failed half-way lacks rows that are on disk, and must not go on. */
  private void checkHealth() {
    if (hasFailed) {
      throw new Problem(500, "this model stopped learning after an error; restart the service");
    }
  }

  /** Refuses more rows while too many wait, or if the learner has failed. */
  void checkBacklog() {
    checkHealth();
    if (BACKLOG.get() > MAX_BACKLOG && backlog.get() > 0) {
      throw Problem.busy(backlog.get() + " rows wait to be learned by this model; try later");
    }
  }

  /**
   * What the learner made of rows.
   *
   * @param answers the answers from before each row was learned, null for a row that was refused;
   *     empty if none were asked for
   * @param refused the rows that were not learned, in their order
   */
  record Outcome(List<Answer> answers, List<Refusal> refused) {
    static final Outcome NONE = new Outcome(List.of(), List.of());
  }

  /**
   * Learns rows that are on disk; called in the order of their sequence numbers.
   *
   * @param learned completes when they are learned
   */
  void learn(Store.Batch batch, CompletableFuture<Outcome> learned) {
    backlog.addAndGet(batch.rows().size());
    BACKLOG.addAndGet(batch.bytes());
    enqueue(() -> learnNow(batch, learned));
  }

  private void learnNow(Store.Batch batch, CompletableFuture<Outcome> learned) {
    try {
      long start = System.nanoTime();
      Outcome outcome = take(batch);
      learningNanos += System.nanoTime() - start;
      traffic.learned(batch.rows().size() - outcome.refused().size());
      isDirty = true;
      publishIfDue();
      snapshotIfDue();
      learned.complete(outcome);
    } catch (RuntimeException | Error wrong) {
      learned.completeExceptionally(wrong);
      throw wrong;
    } finally {
      backlog.addAndGet(-batch.rows().size());
      BACKLOG.addAndGet(-batch.bytes());
    }
  }

  /** Takes all rows of a batch; if that fails half-way, nothing that comes later is learned. */
  private Outcome take(Store.Batch batch) {
    checkHealth();
    try {
      return takeAll(batch);
    } catch (RuntimeException | Error wrong) {
      hasFailed = true;
      throw wrong;
    }
  }

  private Outcome takeAll(Store.Batch batch) {
    List<Answer> answers = new ArrayList<>();
    List<Refusal> refused = new ArrayList<>();
    int firstLatest = batch.rows().size() - LATEST;
    for (int i = 0; i < batch.rows().size(); i++) {
      ServedRow row = batch.rows().get(i);
      Learning.Taken taken = learning.take(row);
      Answer answer = answer(taken.answer(), row.id());
      if (row.how() == ServedRow.How.OBSERVE) {
        answers.add(answer);
      }
      if (taken.refusal() != null) {
        refused.add(taken.refusal());
      } else if (i >= firstLatest) {
        note(new Latest(batch.first() + i, row, noted(row, answer)));
      }
    }
    return new Outcome(answers, refused);
  }

  private Answer answer(Prediction answer, String id) {
    Task task = learning.pipeline().task();
    Schema schema = learning.pipeline().preparation().schema();
    return answer == null
        ? null
        : Answer.of(answer, task, schema, Answer.classes(answer.classes(), task, schema), id);
  }

  private void note(Latest row) {
    synchronized (latest) {
      latest.addLast(row);
      if (latest.size() > LATEST) {
        latest.removeFirst();
      }
    }
  }

  private Object noted(ServedRow row, Answer answer) {
    if (answer != null) {
      return answer.label();
    }
    return row.given() == null
        ? null
        : Answer.label(
            row.given().label(),
            learning.pipeline().task(),
            learning.pipeline().preparation().schema());
  }

  /** A row that was learned, and what was answered. */
  private record Latest(long sequence, ServedRow row, Object answer) {
    Map<String, Object> json() {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("sequence", sequence);
      json.put("label", row.row().label());
      json.put("answer", answer);
      json.put("row", shown(row.row().values()));
      return json;
    }

    private static String shown(Row.Values values) {
      String text =
          values instanceof Row.Named named
              ? JsonValues.text(named.columns())
              : values instanceof Row.Texts texts
                  ? JsonValues.text(texts.columns())
                  : ((Row.Indexed) values).features().toString();
      return JsonValues.shortened(text, LONGEST);
    }
  }

  /** The latest rows that were learned, the newest first. */
  List<Map<String, Object>> latest() {
    List<Latest> rows;
    synchronized (latest) {
      rows = new ArrayList<>(latest);
    }
    Collections.reverse(rows);
    return rows.stream().map(Latest::json).toList();
  }

  private void publish() {
    long start = System.nanoTime();
    published.set(Published.of(learning, spec));
    publishedNanos = System.nanoTime();
    publishingNanos = publishedNanos - start;
    isDirty = false;
  }

  /**
   * Publishes what was learned: every 20 ms if that takes less than a tenth of the time, every 50
   * ms otherwise, and less often only where it takes more than a third of that; the first rows at
   * once.
   */
  private void publishIfDue() {
    long longest = Math.max(MAX_PUBLISH_NANOS, 3 * publishingNanos);
    long gap = Math.min(Math.max(MIN_PUBLISH_NANOS, 10 * publishingNanos), longest);
    boolean isFirst = published.get().sequence() == 0;
    if (isDirty && (isFirst || System.nanoTime() - publishedNanos > gap)) {
      publish();
    }
  }

  /** Publishes and snapshots what is due; called every now and then. */
  void tick() {
    if (isRunning.get() || isDue()) {
      enqueue(
          () -> {
            publishIfDue();
            snapshotIfDue();
          });
    }
  }

  /** A hint read without a lock: at worst a tick does nothing, or the next one does it. */
  private boolean isDue() {
    return isDirty || snapshotSequence < published.get().sequence();
  }

  private void snapshotIfDue() {
    long now = System.nanoTime();
    boolean isDue =
        learningNanos > SNAPSHOT_LEARNING_NANOS
            || (learning.sequence() > snapshotSequence && now - snapshotNanos > SNAPSHOT_NANOS);
    if (isDue && !isSnapshotting && !isDeleted && !hasFailed) {
      snapshot();
    }
  }

  private CompletableFuture<Void> snapshot() {
    long sequence = learning.sequence();
    isSnapshotting = true;
    learningNanos = 0;
    snapshotNanos = System.nanoTime();
    return store
        .snapshot(entry.id(), sequence, learning.toBytes())
        .handle(
            (done, failed) -> {
              isSnapshotting = false;
              if (failed == null) {
                snapshotSequence = sequence;
                snapshotAt = done.at();
                snapshots.incrementAndGet();
              }
              return null;
            });
  }

  /**
   * Learns all that is under way, publishes it, and takes a snapshot if rows came since the last.
   */
  CompletableFuture<Void> finish() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    enqueue(
        () -> {
          publish();
          if (learning.sequence() > snapshotSequence && !isDeleted && !hasFailed) {
            snapshot().thenAccept(done::complete);
          } else {
            done.complete(null);
          }
        });
    return done;
  }

  /** The bytes of the learner, when it has learned all that is under way now. */
  CompletableFuture<byte[]> export() {
    CompletableFuture<byte[]> bytes = new CompletableFuture<>();
    enqueue(() -> bytes.complete(learning.pipeline().toBytes()));
    return bytes;
  }

  /** Completes when all that is under way now is learned and published. */
  CompletableFuture<Published> settled() {
    CompletableFuture<Published> done = new CompletableFuture<>();
    enqueue(
        () -> {
          publish();
          done.complete(published.get());
        });
    return done;
  }

  private void enqueue(Runnable task) {
    tasks.add(task);
    if (isRunning.compareAndSet(false, true)) {
      threads.execute(this::drain);
    }
  }

  /** A task that fails must not keep the others from their turn. */
  private static void attempt(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error bug) {
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, bug);
    }
  }

  /** Takes a turn on a thread; others get theirs before the next one. */
  private void drain() {
    long end = System.nanoTime() + TURN_NANOS;
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      attempt(task);
      if (System.nanoTime() > end) {
        threads.execute(this::drain);
        return;
      }
    }
    publishIfDue();
    isRunning.set(false);
    if (!tasks.isEmpty() && isRunning.compareAndSet(false, true)) {
      threads.execute(this::drain);
    }
  }
}
