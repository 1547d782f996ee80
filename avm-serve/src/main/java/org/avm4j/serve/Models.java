package org.avm4j.serve;

import java.io.Closeable;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.avm4j.OnlineLearner;
import org.avm4j.Task;
import org.avm4j.codec.FileKinds;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.Preparation;

/** All models of a service by name, with their store and the threads that load and learn. */
final class Models implements Closeable {
  private static final long TICK_MILLIS = 25;
  private static final long PRUNE_TICKS = 60_000 / TICK_MILLIS;
  private static final long SECOND_TICKS = 1_000 / TICK_MILLIS;
  private static final long PROGRESS_TICKS = 5_000 / TICK_MILLIS;
  private static final int MAX_MODELS = 1000;

  /** Pause before a failed model is rebuilt for the first time; doubles with each attempt. */
  private static final long FIRST_RESTART_MILLIS = 100;

  private static final long LAST_RESTART_MILLIS = 60_000;

  private final Store store;
  private final ServeLog log;
  private final Recovery recovery;
  private final LearnBacklog backlog = new LearnBacklog();
  private final Map<String, ServedModel> byName = new ConcurrentSkipListMap<>();
  private final Map<ServedModel, Restarts> restarts = new ConcurrentHashMap<>();
  private final FairTurns turns;
  private final ExecutorService loaders;
  private final ScheduledExecutorService clock;
  private final LongSupplier nanoTime;
  private final CompletableFuture<Void> loaded = new CompletableFuture<>();
  private long ticks;

  /**
   * The restarts of a model at the same row.
   *
   * @param last the last row before the one that failed
   * @param before the number of earlier restarts at this row
   */
  private record Restarts(long last, int before) {
    Restarts again() {
      return new Restarts(last, before + 1);
    }
  }

  Models(Store store, ServeLog log) {
    this(store, log, Workers.threads());
  }

  /**
   * Creates an empty collection; {@link #list} finds the models of the store.
   *
   * @param workers shut down by {@link #close}
   */
  Models(Store store, ServeLog log, Workers workers) {
    this.store = store;
    this.log = log;
    recovery = new Recovery(store, log);
    loaders = workers.loaders();
    clock = workers.clock();
    nanoTime = workers.nanoTime();
    turns = new FairTurns(workers.learners(), nanoTime, this::logBug);
  }

  private void prune(ServedModel model) {
    store
        .rows()
        .prune(model.id(), model.unlabelled())
        .exceptionally(
            wrong -> {
              logBug(wrong);
              return null;
            });
  }

  private void logBug(Throwable wrong) {
    log.write("failure", Map.of("detail", "a thread of the service failed: " + wrong));
  }

  /** Lists the models of the store; requests for them are refused until they are loaded. */
  void list() throws IOException {
    Map<String, ModelSpec> specs = new HashMap<>();
    for (Store.Entry entry : store.models()) {
      ModelSpec spec = specs.computeIfAbsent(entry.spec(), ModelSpec::parse);
      ServedModel model = new ServedModel(entry, spec, this);
      if (entry.isChallenger()) {
        model.follow(byName.get(entry.name()));
      }
      byName.put(model.name(), model);
    }
  }

  /** Loads the listed models in the background. */
  void load() {
    long start = System.nanoTime();
    int leaders = (int) leaders();
    AtomicInteger left = new AtomicInteger(leaders);
    clock.scheduleWithFixedDelay(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    byName.values().forEach(model -> load(model, model.isChallenger(), left, start));
    if (leaders == 0) {
      completeLoading(start);
    }
  }

  /** Logs that all models are loaded before anyone who waits for it goes on. */
  private void completeLoading(long start) {
    long millis = (System.nanoTime() - start) / 1_000_000;
    log.write("ready", Map.of("models", byName.size(), "ms", millis));
    loaded.complete(null);
  }

  private long leaders() {
    return byName.values().stream().filter(model -> !model.isChallenger()).count();
  }

  /** Loads a model. The service is ready without its challengers, which answer no requests. */
  private void load(ServedModel model, boolean isChallenger, AtomicInteger left, long start) {
    loaders.execute(
        () -> {
          try {
            model.load();
            if (!isChallenger && left.decrementAndGet() == 0) {
              completeLoading(start);
            }
          } catch (Throwable wrong) {
            if (!loaders.isShutdown()) {
              model.failedAgain(wrong);
            }
            if (!isChallenger) {
              loaded.completeExceptionally(wrong);
            }
          }
        });
  }

  /** Waits until all models are loaded. */
  void awaitLoaded() throws IOException {
    try {
      loaded.join();
    } catch (CompletionException failed) {
      if (failed.getCause() instanceof IOException wrong) {
        throw wrong;
      }
      throw new IOException("a model cannot be loaded: " + failed.getCause(), failed.getCause());
    }
  }

  private void tick() {
    try {
      ticks++;
      byName.values().forEach(ServedModel::tick);
      if (ticks % SECOND_TICKS == 0) {
        byName.values().forEach(model -> model.traffic().sample());
        store.probeIfFull();
      }
      if (ticks % PROGRESS_TICKS == 0 && !loaded.isDone()) {
        log.write("loading", progress());
      }
      if (ticks % PRUNE_TICKS == 0) {
        byName.values().stream().filter(ServedModel::isLoaded).forEach(this::prune);
      }
    } catch (Throwable wrong) {
      logBug(wrong);
    }
  }

  /** The number of models, and how many of them are loaded. */
  Map<String, Object> progress() {
    return JsonValues.members(
        "models", byName.size(),
        "loaded", byName.values().stream().filter(ServedModel::isLoaded).count());
  }

  /** Whether all models are loaded. */
  boolean isReady() {
    return loaded.isDone() && !loaded.isCompletedExceptionally();
  }

  Store store() {
    return store;
  }

  Recovery recovery() {
    return recovery;
  }

  FairTurns turns() {
    return turns;
  }

  LearnBacklog backlog() {
    return backlog;
  }

  /** The clock that measures durations, in nanoseconds. */
  long nanoTime() {
    return nanoTime.getAsLong();
  }

  /** Lets a future fail if it does not complete in time. */
  <T> CompletableFuture<T> within(long seconds, CompletableFuture<T> future) {
    try {
      Future<?> end =
          clock.schedule(
              () -> future.completeExceptionally(new TimeoutException()),
              seconds,
              TimeUnit.SECONDS);
      future.whenComplete((value, failed) -> end.cancel(false));
    } catch (RejectedExecutionException closing) {
      throw new Problem(503, "the service is shutting down");
    }
    return future;
  }

  ServeLog log() {
    return log;
  }

  /**
   * Schedules the rebuilding of a model from the store.
   *
   * @param last the last row to learn from the store; later ones wait in the queue of the model
   */
  void restart(ServedModel model, long last) {
    Restarts now =
        restarts.merge(
            model, new Restarts(last, 0), (old, fresh) -> old.last == last ? old.again() : fresh);
    long pause = Math.min(LAST_RESTART_MILLIS, FIRST_RESTART_MILLIS << Math.min(now.before, 20));
    try {
      clock.schedule(
          () -> loaders.execute(() -> restartNow(model, last)), pause, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException closing) {
      // the rows are on disk, and are learned at the next start
    }
  }

  private void restartNow(ServedModel model, long last) {
    if (model.isDeleted()) {
      return;
    }
    try {
      model.restart(last);
    } catch (Throwable wrong) {
      model.failedAgain(wrong);
      restart(model, last);
    }
  }

  /** All models and their challengers. */
  Collection<ServedModel> all() {
    return byName.values();
  }

  /** The model of this name; throws a {@link Problem} if there is none. */
  ServedModel get(String name) {
    ServedModel model = byName.get(ModelSpec.checkedName(name));
    if (model == null) {
      throw new Problem(404, "there is no model '" + name + "'");
    }
    return model;
  }

  /** Creates an untrained model from a specification. */
  CompletableFuture<ServedModel> create(String name, Map<String, Object> given) {
    ModelSpec spec = ModelSpec.requested(given);
    return create(name, spec, Learning.of(spec), false);
  }

  /**
   * Creates a model from the learner in a file. It neither asks for labels nor watches for drift,
   * whatever the file says.
   */
  CompletableFuture<ServedModel> create(String name, byte[] file) {
    Pipeline pipeline = pipeline(file).watch(null, false);
    Task task = pipeline.task();
    ModelSpec spec = ModelSpec.of(task.isUnsupervised() ? Map.of("task", task.word()) : Map.of());
    return create(name, spec, Learning.of(pipeline, spec), true);
  }

  private CompletableFuture<ServedModel> create(
      String name, ModelSpec spec, Learning learning, boolean isImported) {
    checkRoom();
    byte[] snapshot = isImported ? learning.toBytes() : null;
    return store
        .create(ModelSpec.checkedName(name), JsonValues.text(spec.words()), snapshot)
        .thenApply(
            entry -> {
              ServedModel model = new ServedModel(entry, spec, this);
              model.start(learning);
              byName.put(name, model);
              return model;
            });
  }

  /** Throws a {@link Problem} if there is no room for another model. */
  void checkRoom() {
    if (byName.size() >= MAX_MODELS) {
      throw Problem.refused("a service can have at most " + MAX_MODELS + " models");
    }
  }

  private static Pipeline pipeline(byte[] file) {
    try {
      ModelFile found = ModelFile.parse(file);
      if (!FileKinds.installed().kind(found.kind()).isLearner()) {
        throw Problem.refused(
            "the file holds a model that cannot continue learning; avm train --average 1 saves"
                + " one that can");
      }
      return found.kind().equals(Pipeline.KIND)
          ? found.read(kind -> Pipeline::decode)
          : new Pipeline(
              Preparation.none(), FileKinds.installed().learner(OnlineLearner.class, found));
    } catch (ModelFileException damage) {
      throw Problem.refused(damage.getMessage());
    }
  }

  CompletableFuture<Boolean> delete(String name) {
    ServedModel model = get(name);
    remove(name);
    remove(name + ServedModel.CHALLENGER);
    return store.delete(model.id());
  }

  private void remove(String name) {
    ServedModel model = byName.remove(name);
    if (model != null) {
      model.delete();
      restarts.remove(model);
    }
  }

  /** The challenger of a model; throws a {@link Problem} if there is none. */
  ServedModel challenger(String name) {
    get(name);
    return findChallenger(name)
        .orElseThrow(() -> new Problem(404, "model '" + name + "' has no challenger"));
  }

  Optional<ServedModel> findChallenger(String name) {
    return Optional.ofNullable(byName.get(name + ServedModel.CHALLENGER));
  }

  /** Adds a challenger. */
  void add(ServedModel challenger) {
    byName.put(challenger.name(), challenger);
  }

  /** Removes a challenger that was deleted from the store. */
  void forget(ServedModel challenger) {
    challenger.delete();
    byName.values().remove(challenger);
    restarts.remove(challenger);
  }

  /** Swaps the two learners of a model. */
  void swap(String name, ServedModel model, ServedModel challenger) {
    byName.replace(name, model, challenger);
    byName.replace(name + ServedModel.CHALLENGER, challenger, model);
  }

  /** Learns waiting rows and takes a last snapshot of each model, within the given time. */
  void finish(long millis) {
    clock.shutdownNow();
    loaders.shutdownNow();
    CompletableFuture<?>[] all =
        byName.values().stream().map(ServedModel::finish).toArray(CompletableFuture<?>[]::new);
    try {
      CompletableFuture.allOf(all).get(millis, TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException late) {
      // what is not learned is on disk, and is learned at the next start
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    clock.shutdownNow();
    loaders.shutdownNow();
    turns.close();
    loaded.completeExceptionally(new IOException("the service was closed"));
    store.close();
  }
}
