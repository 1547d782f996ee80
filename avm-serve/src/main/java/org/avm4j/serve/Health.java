package org.avm4j.serve;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.avm4j.codec.ModelFile;

/**
 * The health of a service. The service is ready when all models are loaded, and well when in
 * addition there are no {@link #problems}. Models are not named, because anyone may ask for the
 * health without a token.
 */
final class Health {
  /**
   * Free bytes below which the disk is reported as nearly full. On a disk smaller than 20 times
   * this, it is a twentieth of the disk.
   */
  private static final long LOW_DISK = 64L << 20;

  private static final int LOW_PART = 20;

  private final Models models;
  private final long start = System.nanoTime();

  Health(Models models) {
    this.models = models;
  }

  boolean isReady() {
    return models.loader().isReady();
  }

  Duration uptime() {
    return Duration.ofNanos(System.nanoTime() - start);
  }

  /** Sentences on what keeps the service from learning, or soon may. */
  List<String> problems() {
    List<String> problems = new ArrayList<>();
    Store store = models.store();
    long free = store.diskFree();
    if (store.committer().isFull()) {
      problems.add("no space left on the disk: learning has stopped, predictions continue");
    } else if (free < Math.min(LOW_DISK, store.diskTotal() / LOW_PART)) {
      problems.add("only " + (free >> 20) + " MB are left on the disk");
    }
    if (store.committer().isFailing()) {
      problems.add("the store cannot be written to: learning has stopped, predictions continue");
    }
    long failed = models.all().stream().filter(model -> model.failure() != null).count();
    if (failed > 0) {
      problems.add(failed + (failed == 1 ? " model has" : " models have") + " failed");
    }
    return problems;
  }

  Map<String, Object> json() {
    List<String> problems = problems();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("ready", isReady());
    json.put("well", isReady() && problems.isEmpty());
    json.putAll(models.progress());
    json.put("problems", problems);
    json.put("version", ModelFile.libraryVersionOfThis());
    json.put("uptimeSeconds", uptime().toSeconds());
    json.put("diskFreeBytes", models.store().diskFree());
    Runtime memory = Runtime.getRuntime();
    json.put("heapUsedBytes", memory.totalMemory() - memory.freeMemory());
    json.put("heapMaxBytes", memory.maxMemory());
    return json;
  }
}
