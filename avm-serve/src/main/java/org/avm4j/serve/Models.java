package org.avm4j.serve;

import java.io.Closeable;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.avm4j.Task;
import org.avm4j.pipeline.Pipeline;

/** All models of a service by name, with their store, and the periodic work on them. */
final class Models implements Closeable {
  private static final long TICK_MILLIS = 25;
  private static final long PRUNE_TICKS = 60_000 / TICK_MILLIS;
  private static final long SECOND_TICKS = 1_000 / TICK_MILLIS;
  private static final long PROGRESS_TICKS = 5_000 / TICK_MILLIS;
  private static final int MAX_MODELS = 1000;

  private final Store store;
  private final ServeLog log;
  private final Recovery recovery;
  private final LearnBacklog backlog = new LearnBacklog();
  private final Map<String, ServedModel> byName = new ConcurrentSkipListMap<>();
  private final FairTurns turns;
  private final ModelLoader loader;
  private final ScheduledExecutorService clock;
  private final LongSupplier nanoTime;
  private long ticks;

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
    clock = workers.clock();
    loader = new ModelLoader(workers.loaders(), clock, log);
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
    Workers.report(wrong, log);
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

  /** Loads the listed models in the background, and starts periodic work. */
  void load() {
    Workers.every(clock, TICK_MILLIS, this::tick, log);
    loader.load(byName.values());
  }

  private void tick() {
    ticks++;
    byName.values().forEach(ServedModel::tick);
    if (ticks % SECOND_TICKS == 0) {
      byName.values().forEach(model -> model.traffic().sample());
      store.probe();
    }
    if (ticks % PROGRESS_TICKS == 0 && !loader.isDone()) {
      log.write("loading", progress());
    }
    if (ticks % PRUNE_TICKS == 0) {
      byName.values().stream().filter(ServedModel::isLoaded).forEach(this::prune);
    }
  }

  /** The number of models, and how many of them are loaded. */
  Map<String, Object> progress() {
    return JsonValues.members(
        "models", byName.size(),
        "loaded", byName.values().stream().filter(ServedModel::isLoaded).count());
  }

  Store store() {
    return store;
  }

  ModelLoader loader() {
    return loader;
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
    Pipeline pipeline = PipelineFile.read(file).watch(null, false);
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

  /** Deletes a model and its challenger; if the disk cannot be written to, both go on. */
  CompletableFuture<Boolean> delete(String name) {
    ServedModel model = get(name);
    return store.delete(
        model.id(),
        () -> {
          remove(name, model.id());
          remove(name + ServedModel.CHALLENGER, model.id());
        });
  }

  private void remove(String name, long id) {
    ServedModel model = byName.get(name);
    if (model != null && model.id() == id) {
      forget(model);
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

  void add(ServedModel challenger) {
    byName.put(challenger.name(), challenger);
  }

  /** Removes a challenger that was deleted from the store. */
  void forget(ServedModel challenger) {
    challenger.delete();
    byName.values().remove(challenger);
    loader.forget(challenger);
  }

  /** Swaps the two learners of a model. */
  void swap(String name, ServedModel model, ServedModel challenger) {
    byName.replace(name, model, challenger);
    byName.replace(name + ServedModel.CHALLENGER, challenger, model);
  }

  /** Learns waiting rows and takes a last snapshot of each model, within the given time. */
  void finish(long millis) {
    clock.shutdownNow();
    loader.stop();
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
    turns.close();
    loader.close();
    store.close();
  }
}
