package org.avm4j.serve;

import java.io.Closeable;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.avm4j.Kinds;
import org.avm4j.Task;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.Preparation;

/** All models of a service by name, over a store, and the threads that learn. */
final class Models implements Closeable {
  private static final long TICK_MILLIS = 25;
  private static final long PRUNE_TICKS = 60_000 / TICK_MILLIS;
  private static final long SAMPLE_TICKS = 1_000 / TICK_MILLIS;
  private static final int MAX_MODELS = 1000;

  private final Store store;
  private final Map<String, ServedModel> byName = new ConcurrentSkipListMap<>();
  private final ExecutorService threads;
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(task -> daemon(task, "avm-clock"));
  private long ticks;
  private volatile boolean isReady;

  Models(Store store) {
    this.store = store;
    int cores = Runtime.getRuntime().availableProcessors();
    threads =
        Executors.newFixedThreadPool(Math.max(1, cores - 1), task -> daemon(task, "avm-learn"));
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  /** Loads all models: the latest snapshot of each, and the rows after it. */
  void load() throws IOException {
    for (Store.Entry entry : store.models()) {
      byName.put(entry.name(), recovered(entry));
    }
    clock.scheduleWithFixedDelay(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    isReady = true;
  }

  private ServedModel recovered(Store.Entry entry) throws IOException {
    ModelSpec spec = ModelSpec.parse(entry.spec());
    List<Store.Snapshot> snapshots = store.snapshots(entry.id());
    IOException first = null;
    for (Store.Snapshot snapshot : snapshots) {
      try {
        return served(entry, spec, Learning.fromBytes(snapshot.body(), spec.limits()), snapshot);
      } catch (ModelFileException damage) {
        first =
            first != null
                ? first
                : new DamageException(
                    store.folder()
                        + ": the snapshot of model '"
                        + entry.name()
                        + "' is damaged; avm serve --repair saves what can be read");
      }
    }
    if (first != null) {
      throw first;
    }
    return served(
        entry,
        spec,
        Learning.of(spec.pipeline(), spec.limits()),
        new Store.Snapshot(0, entry.created(), null));
  }

  private ServedModel served(
      Store.Entry entry, ModelSpec spec, Learning learning, Store.Snapshot from)
      throws IOException {
    long start = System.nanoTime();
    store.replay(entry.id(), from.sequence(), batch -> batch.rows().forEach(learning::take));
    long nanos = System.nanoTime() - start;
    return new ServedModel(
        entry, spec, learning, from.sequence(), from.at(), nanos, store, threads);
  }

  private void tick() {
    try {
      byName.values().forEach(ServedModel::tick);
      if (++ticks % SAMPLE_TICKS == 0) {
        byName.values().forEach(model -> model.traffic().sample());
      }
      if (ticks % PRUNE_TICKS == 0) {
        byName.values().forEach(model -> store.prune(model.id()));
      }
    } catch (RuntimeException ignored) {
      // the next tick tries again
    }
  }

  /** Whether all models are loaded. */
  boolean isReady() {
    return isReady;
  }

  Store store() {
    return store;
  }

  Collection<ServedModel> all() {
    return byName.values();
  }

  /** The model of this name, or a problem that says there is none. */
  ServedModel get(String name) {
    ServedModel model = byName.get(ModelSpec.checkedName(name));
    if (model == null) {
      throw new Problem(404, "there is no model '" + name + "'");
    }
    return model;
  }

  boolean has(String name) {
    return byName.containsKey(name);
  }

  /** Adds a model that begins with a specification. */
  CompletableFuture<ServedModel> create(String name, Map<String, Object> given) {
    ModelSpec spec = ModelSpec.of(given);
    return create(name, spec, Learning.of(spec.pipeline(), spec.limits()), false);
  }

  /** Adds a model that begins with the learner of a file. */
  CompletableFuture<ServedModel> create(String name, byte[] file) {
    Pipeline pipeline = pipeline(file);
    boolean isAnomaly = pipeline.task().kind() == Task.Kind.ANOMALY;
    ModelSpec spec = ModelSpec.of(isAnomaly ? Map.of("task", "anomaly") : Map.of());
    return create(name, spec, Learning.of(pipeline, spec.limits()), true);
  }

  private CompletableFuture<ServedModel> create(
      String name, ModelSpec spec, Learning learning, boolean isImported) {
    if (byName.size() >= MAX_MODELS) {
      throw Problem.refused("a service has at most " + MAX_MODELS + " models");
    }
    byte[] snapshot = isImported ? learning.toBytes() : null;
    return store
        .create(ModelSpec.checkedName(name), JsonValues.text(spec.words()), snapshot)
        .thenApply(
            entry -> {
              ServedModel model =
                  new ServedModel(entry, spec, learning, 0, entry.created(), 0, store, threads);
              byName.put(name, model);
              return model;
            });
  }

  private static Pipeline pipeline(byte[] file) {
    try {
      ModelFile found = ModelFile.parse(file);
      if (!Kinds.installed().kind(found.kind()).isLearner()) {
        throw Problem.refused(
            "the file holds a model that cannot go on learning; avm train --average 1 saves one that can");
      }
      return found.kind().equals(Pipeline.KIND)
          ? found.read(kind -> Pipeline::decode)
          : new Pipeline(Preparation.none(), Kinds.installed().learner(found));
    } catch (ModelFileException damage) {
      throw Problem.refused(damage.getMessage());
    }
  }

  CompletableFuture<Boolean> delete(String name) {
    ServedModel model = get(name);
    model.delete();
    byName.remove(name, model);
    return store.delete(model.id());
  }

  /** Learns what is under way and takes a last snapshot of each model, for so long at most. */
  void finish(long millis) {
    clock.shutdownNow();
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
    threads.shutdownNow();
    store.close();
  }
}
