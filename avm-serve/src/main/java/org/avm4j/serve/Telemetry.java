package org.avm4j.serve;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToDoubleFunction;
import org.avm4j.codec.ModelFile;

/** The metrics for Prometheus: requests and times by kind, and the state of each model. */
final class Telemetry {
  private static final double PERCENT = 100;

  private final Map<String, LongAdder> requests = new ConcurrentHashMap<>();
  private final Map<String, LatencyHistogram> times = new ConcurrentHashMap<>();

  /** Counts a reply. The kinds must be few, because each becomes a label of the metrics. */
  void add(String kind, int status, long nanos) {
    String key = "kind=\"" + kind + "\",status=\"" + status + "\"";
    requests.computeIfAbsent(key, none -> new LongAdder()).increment();
    times.computeIfAbsent(kind, none -> new LatencyHistogram()).add(nanos);
  }

  String text(Models models, Health health, int streams, int connections) {
    StringBuilder out = new StringBuilder();
    head(
        out,
        "avm_build_info",
        "gauge",
        "Version of the service as a label; the value is always 1.");
    line(out, "avm_build_info", build(), 1);
    gauge(
        out,
        "avm_uptime_seconds",
        "Time since the service started.",
        health.uptime().toMillis() / 1e3);
    gauge(
        out,
        "avm_ready",
        "Whether all models are loaded (1) or not (0).",
        health.isReady() ? 1 : 0);
    head(out, "avm_requests_total", "counter", "Number of replies by kind of request and status.");
    requests.forEach((labels, n) -> line(out, "avm_requests_total", labels, n.sum()));
    head(out, "avm_request_seconds", "histogram", "Time from request to reply in seconds.");
    times.forEach((kind, time) -> time.write(out, "avm_request_seconds", "kind=\"" + kind + "\""));
    addModels(out, models);
    addFigures(out, models);
    addStore(out, models);
    gauge(out, "avm_connections", "Number of open client connections.", connections);
    gauge(
        out,
        "avm_event_streams",
        "Number of open event streams, such as pages in a browser.",
        streams);
    Runtime memory = Runtime.getRuntime();
    double used = memory.totalMemory() - memory.freeMemory();
    gauge(out, "avm_heap_used_bytes", "Heap in use, in bytes.", used);
    gauge(out, "avm_heap_max_bytes", "Maximum heap size, in bytes.", memory.maxMemory());
    return out.toString();
  }

  private static String build() {
    return "version=\""
        + ModelFile.libraryVersionOfThis()
        + "\",java=\""
        + Runtime.version()
        + "\"";
  }

  private static void addStore(StringBuilder out, Models models) {
    Store store = models.store();
    gauge(
        out,
        "avm_store_bytes",
        "Size of the store and its write-ahead log, in bytes.",
        store.bytes());
    gauge(out, "avm_store_queue", "Number of requests waiting to be committed.", store.queued());
    head(out, "avm_store_commits_total", "counter", "Number of committed transactions.");
    line(out, "avm_store_commits_total", "", store.commits());
    gauge(
        out,
        "avm_store_full",
        "Whether the last transaction failed because the disk is full (1) or not (0).",
        store.isFull() ? 1 : 0);
    gauge(
        out,
        "avm_disk_free_bytes",
        "Free space on the disk of the store, in bytes.",
        store.diskFree());
    gauge(
        out,
        "avm_backlog_bytes",
        "Size of the rows waiting to be learned, in bytes.",
        models.backlog().bytes());
  }

  private static void addModels(StringBuilder out, Models models) {
    counter(
        out,
        models,
        "avm_rows_learned_total",
        "Number of rows learned.",
        m -> m.traffic().learned());
    counter(
        out,
        models,
        "avm_rows_answered_total",
        "Number of rows answered.",
        m -> m.traffic().answered());
    addRefusals(out, models);
    counter(
        out,
        models,
        "avm_drifts_total",
        "Number of drifts found.",
        m -> m.published().status().drifts());
    addRises(out, models);
    counter(
        out,
        models,
        "avm_model_failures_total",
        "Number of failures in learning, publishing and taking snapshots.",
        ServedModel::failures);
    gauges(
        out,
        models,
        "avm_model_ready",
        "Whether the model is loaded and learning (1) or not (0).",
        m -> m.state() == LearningActor.State.READY ? 1 : 0);
    head(
        out, "avm_answer_seconds", "histogram", "Time from request to reply in seconds, by model.");
    models
        .all()
        .forEach(model -> model.traffic().latency().write(out, "avm_answer_seconds", label(model)));
    gauges(
        out,
        models,
        "avm_sequence",
        "Sequence number of the last row learned.",
        m -> m.published().sequence());
    gauges(
        out,
        models,
        "avm_champion_version",
        "Version pinned for predictions; 0 if the latest is used.",
        m -> m.champion().version());
    gauges(
        out,
        models,
        "avm_size",
        "Number of vectors in the model.",
        m -> m.published().status().size());
    gauges(
        out,
        models,
        "avm_clusters",
        "Number of clusters found in the stream.",
        m ->
            m.published()
                .model()
                .clusters()
                .map(c -> (double) c.clusters().size())
                .orElse(Double.NaN));
    gauges(
        out,
        models,
        "avm_backlog_rows",
        "Number of rows on disk waiting to be learned.",
        ServedModel::backlog);
    gauges(
        out,
        models,
        "avm_learning_lag_seconds",
        "Time in seconds that the oldest unlearned row on disk has been waiting.",
        ServedModel::lagSeconds);
    Map<Long, Long> waiting = models.store().pending();
    gauges(
        out,
        models,
        "avm_waiting_rows",
        "Number of predictions waiting for their label.",
        m -> m.isChallenger() ? 0 : waiting.getOrDefault(m.id(), 0L));
    gauges(
        out,
        models,
        "avm_snapshot_age_seconds",
        "Age of the last snapshot in seconds.",
        m -> (models.store().now() - m.snapshotAt()) / 1e3);
  }

  /**
   * Adds the errors of models; there is one metric per unit, and which a model has depends on its
   * task.
   */
  private static void addFigures(StringBuilder out, Models models) {
    ratios(
        out, models, "avm_mistake_ratio", "Fraction of mistakes among all answers.", "mistakeRate");
    ratios(
        out,
        models,
        "avm_recent_mistake_ratio",
        "Fraction of mistakes among the last 1,000 answers.",
        "recent");
    figures(out, models, "avm_rmse", "Root mean square error of all answers.", "rmse", "rmse", 1);
    figures(
        out,
        models,
        "avm_recent_rmse",
        "Root mean square error of the last 1,000 answers.",
        "rmse",
        "recent",
        1);
    figures(out, models, "avm_auc", "Area under the ROC curve.", "auc", "auc", 1);
  }

  private static void ratios(
      StringBuilder out, Models models, String name, String help, String figure) {
    figures(out, models, name, help, "mistakeRate", figure, PERCENT);
  }

  /** Adds a figure, divided by {@code unit}, of all models that are measured by a given metric. */
  private static void figures(
      StringBuilder out,
      Models models,
      String name,
      String help,
      String metric,
      String figure,
      double unit) {
    head(out, name, "gauge", help);
    for (ServedModel model : models.all()) {
      Map<String, Object> all = model.published().figures();
      if (metric.equals(all.get("metric")) && all.get(figure) instanceof Number value) {
        line(out, name, label(model), value.doubleValue() / unit);
      }
    }
  }

  /** Adds the figures of models that watch for drift. */
  private static void addRises(StringBuilder out, Models models) {
    String name = "avm_error_rises_total";
    head(out, name, "counter", "Number of explained increases of the error, by cause.");
    for (ServedModel model : models.all()) {
      model
          .published()
          .rises()
          .ifPresent(
              rises ->
                  rises
                      .byWord()
                      .forEach(
                          (cause, n) ->
                              line(out, name, label(model) + ",cause=\"" + cause + "\"", n)));
    }
  }

  private static void addRefusals(StringBuilder out, Models models) {
    String name = "avm_rows_refused_total";
    head(
        out,
        name,
        "counter",
        "Number of rows refused, by the learner or on arrival before they are stored.");
    for (ServedModel model : models.all()) {
      addRefusals(out, name, label(model) + ",by=\"learner\"", model.published().refused());
      addRefusals(out, name, label(model) + ",by=\"door\"", model.validator().refused());
    }
  }

  private static void addRefusals(
      StringBuilder out, String name, String labels, Refusals.Counted refused) {
    refused
        .counts()
        .forEach((reason, n) -> line(out, name, labels + ",reason=\"" + reason + "\"", n));
  }

  private static void counter(
      StringBuilder out,
      Models models,
      String name,
      String help,
      ToDoubleFunction<ServedModel> figure) {
    head(out, name, "counter", help);
    models.all().forEach(model -> line(out, name, label(model), figure.applyAsDouble(model)));
  }

  /** Adds a gauge of all models; NaN means unknown and is left out. */
  private static void gauges(
      StringBuilder out,
      Models models,
      String name,
      String help,
      ToDoubleFunction<ServedModel> figure) {
    head(out, name, "gauge", help);
    for (ServedModel model : models.all()) {
      double value = figure.applyAsDouble(model);
      if (!Double.isNaN(value)) {
        line(out, name, label(model), value);
      }
    }
  }

  private static String label(ServedModel model) {
    return "model=\"" + model.name() + "\"";
  }

  private static void gauge(StringBuilder out, String name, String help, double value) {
    head(out, name, "gauge", help);
    line(out, name, "", value);
  }

  private static void head(StringBuilder out, String name, String type, String help) {
    out.append("# HELP ").append(name).append(' ').append(help).append('\n');
    out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
  }

  private static void line(StringBuilder out, String name, String labels, double value) {
    out.append(name);
    if (!labels.isEmpty()) {
      out.append('{').append(labels).append('}');
    }
    out.append(' ').append(text(value)).append('\n');
  }

  private static String text(double value) {
    if (Double.isInfinite(value)) {
      return value > 0 ? "+Inf" : "-Inf";
    }
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }
}
