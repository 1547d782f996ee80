package org.avm4j.serve;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.avm4j.codec.ModelFile;

/** Counts requests and their times by kind, and writes all metrics of the service. */
final class Telemetry {
  private final Map<String, LongAdder> requests = new ConcurrentHashMap<>();
  private final Map<String, LatencyHistogram> times = new ConcurrentHashMap<>();

  /** Counts a reply. The kinds must be few, because each becomes a label of the metrics. */
  void add(String kind, int status, long nanos) {
    String key = "kind=\"" + kind + "\",status=\"" + status + "\"";
    requests.computeIfAbsent(key, none -> new LongAdder()).increment();
    times.computeIfAbsent(kind, none -> new LatencyHistogram()).add(nanos);
  }

  /** All metrics in the text format of Prometheus. */
  String text(Models models, Health health, int streams, int connections) {
    MetricsText out = new MetricsText(models);
    String build =
        "version=\"%s\",java=\"%s\"".formatted(ModelFile.libraryVersionOfThis(), Runtime.version());
    out.head(
        "avm_build_info", "gauge", "Version of the service as a label; the value is always 1.");
    out.line("avm_build_info", build, 1);
    double uptime = health.uptime().toMillis() / 1e3;
    out.gauge("avm_uptime_seconds", "Time since the service started.", uptime);
    int isReady = health.isReady() ? 1 : 0;
    out.gauge("avm_ready", "Whether all models are loaded (1) or not (0).", isReady);
    out.head("avm_requests_total", "counter", "Number of replies by kind of request and status.");
    requests.forEach((labels, n) -> out.line("avm_requests_total", labels, n.sum()));
    out.head("avm_request_seconds", "histogram", "Time from request to reply in seconds.");
    times.forEach(
        (kind, time) -> out.histogram("avm_request_seconds", "kind=\"" + kind + "\"", time));
    addModels(out, models);
    addFigures(out);
    addStore(out, models);
    out.gauge("avm_connections", "Number of open client connections.", connections);
    out.gauge(
        "avm_event_streams", "Number of open event streams, such as pages in a browser.", streams);
    Runtime memory = Runtime.getRuntime();
    double used = memory.totalMemory() - memory.freeMemory();
    out.gauge("avm_heap_used_bytes", "Heap in use, in bytes.", used);
    out.gauge("avm_heap_max_bytes", "Maximum heap size, in bytes.", memory.maxMemory());
    return out.toString();
  }

  private static void addStore(MetricsText out, Models models) {
    Store store = models.store();
    out.gauge(
        "avm_store_bytes", "Size of the store and its write-ahead log, in bytes.", store.bytes());
    out.gauge(
        "avm_store_queue",
        "Number of requests waiting to be committed.",
        store.committer().queued());
    out.head("avm_store_commits_total", "counter", "Number of committed transactions.");
    out.line("avm_store_commits_total", "", store.committer().commits());
    out.gauge(
        "avm_store_full",
        "Whether the last transaction failed because the disk is full (1) or not (0).",
        store.committer().isFull() ? 1 : 0);
    out.gauge(
        "avm_store_failing",
        "Whether the last transaction failed for another reason (1) or not (0).",
        store.committer().isFailing() ? 1 : 0);
    out.gauge(
        "avm_disk_free_bytes", "Free space on the disk of the store, in bytes.", store.diskFree());
    long backlog = models.backlog().bytes();
    out.gauge("avm_backlog_bytes", "Size of the rows waiting to be learned, in bytes.", backlog);
  }

  private static void addModels(MetricsText out, Models models) {
    out.counters("avm_rows_learned_total", "Number of rows learned.", m -> m.traffic().learned());
    out.counters(
        "avm_rows_answered_total", "Number of rows answered.", m -> m.traffic().answered());
    out.counters(
        "avm_rows_far_total",
        "Number of rows answered that were far from everything learned.",
        m -> m.traffic().far());
    addRefusals(out, models);
    out.counters(
        "avm_drifts_total", "Number of drifts found.", m -> m.published().status().drifts());
    addRises(out, models);
    out.counters(
        "avm_model_failures_total",
        "Number of failures in learning, publishing and taking snapshots.",
        ServedModel::failures);
    out.gauges(
        "avm_model_ready",
        "Whether the model is loaded and learning (1) or not (0).",
        m -> m.state() == LearningActor.State.READY ? 1 : 0);
    out.head("avm_answer_seconds", "histogram", "Time from request to reply in seconds, by model.");
    for (ServedModel model : models.all()) {
      out.histogram("avm_answer_seconds", MetricsText.label(model), model.traffic().latency());
    }
    out.gauges(
        "avm_sequence", "Sequence number of the last row learned.", m -> m.published().sequence());
    out.gauges(
        "avm_champion_version",
        "Version pinned for predictions; 0 if the latest is used.",
        m -> m.champion().version());
    out.gauges("avm_size", "Number of vectors in the model.", m -> m.published().status().size());
    out.gauges("avm_clusters", "Number of clusters found in the stream.", Telemetry::clusters);
    out.gauges(
        "avm_backlog_rows", "Number of rows on disk waiting to be learned.", ServedModel::backlog);
    out.gauges(
        "avm_learning_lag_seconds",
        "Time in seconds that the oldest unlearned row on disk has been waiting.",
        ServedModel::lagSeconds);
    Map<Long, Long> waiting = models.store().rows().pending();
    out.gauges(
        "avm_waiting_rows",
        "Number of predictions waiting for their label.",
        m -> m.isChallenger() ? 0 : waiting.getOrDefault(m.id(), 0L));
    out.gauges(
        "avm_snapshot_age_seconds",
        "Age of the last snapshot in seconds.",
        m -> (models.store().now() - m.snapshotAt()) / 1e3);
  }

  /** The number of clusters; NaN if the model finds none by its task. */
  private static double clusters(ServedModel model) {
    return model
        .published()
        .model()
        .clusters()
        .map(found -> (double) found.clusters().size())
        .orElse(Double.NaN);
  }

  /**
   * Adds the errors of models; there is one metric per unit, and which a model has depends on its
   * task.
   */
  private static void addFigures(MetricsText out) {
    out.mistakes("avm_mistake_ratio", "Fraction of mistakes among all answers.", "mistakeRate");
    out.mistakes(
        "avm_recent_mistake_ratio", "Fraction of mistakes among the last 1,000 answers.", "recent");
    out.figures("avm_rmse", "Root mean square error of all answers.", "rmse", "rmse", 1);
    out.figures(
        "avm_recent_rmse",
        "Root mean square error of the last 1,000 answers.",
        "rmse",
        "recent",
        1);
    out.figures("avm_auc", "Area under the ROC curve.", "auc", "auc", 1);
  }

  /** Adds the figures of models that watch for drift. */
  private static void addRises(MetricsText out, Models models) {
    String name = "avm_error_rises_total";
    out.head(name, "counter", "Number of explained increases of the error, by cause.");
    for (ServedModel model : models.all()) {
      model
          .published()
          .rises()
          .ifPresent(rises -> out.lines(name, MetricsText.label(model), "cause", rises.byWord()));
    }
  }

  private static void addRefusals(MetricsText out, Models models) {
    String name = "avm_rows_refused_total";
    String help = "Number of rows refused, by the learner or on arrival before they are stored.";
    out.head(name, "counter", help);
    for (ServedModel model : models.all()) {
      String label = MetricsText.label(model);
      Map<String, Long> byLearner = model.published().refused().counts();
      Map<String, Long> atDoor = model.validator().refused().counts();
      out.lines(name, label + ",by=\"learner\"", "reason", byLearner);
      out.lines(name, label + ",by=\"door\"", "reason", atDoor);
    }
  }
}
