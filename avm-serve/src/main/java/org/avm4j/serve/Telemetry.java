package org.avm4j.serve;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What Prometheus reads: requests and times by kind, and the state of each model. */
final class Telemetry {
  private final Map<String, LongAdder> requests = new ConcurrentHashMap<>();
  private final Map<String, LatencyHistogram> times = new ConcurrentHashMap<>();

  /** Counts a reply; kinds are few, whatever clients ask for. */
  void add(String kind, int status, long nanos) {
    String key = "kind=\"" + kind + "\",status=\"" + status + "\"";
    requests.computeIfAbsent(key, none -> new LongAdder()).increment();
    times.computeIfAbsent(kind, none -> new LatencyHistogram()).add(nanos);
  }

  String text(Models models, int streams) {
    StringBuilder out = new StringBuilder();
    head(out, "avm_requests_total", "counter", "Replies by kind of request and status.");
    requests.forEach((labels, n) -> line(out, "avm_requests_total", labels, n.sum()));
    head(out, "avm_request_seconds", "histogram", "Time from request to reply.");
    times.forEach((kind, time) -> time.write(out, "avm_request_seconds", "kind=\"" + kind + "\""));
    addModels(out, models);
    Store store = models.store();
    gauge(out, "avm_store_bytes", "Bytes of the store and its write-ahead log.", store.bytes());
    gauge(out, "avm_store_queue", "Requests that wait for their commit.", store.queued());
    head(out, "avm_store_commits_total", "counter", "Transactions written.");
    line(out, "avm_store_commits_total", "", store.commits());
    gauge(out, "avm_event_streams", "Pages that are open.", streams);
    Runtime memory = Runtime.getRuntime();
    gauge(out, "avm_memory_bytes", "Memory in use.", memory.totalMemory() - memory.freeMemory());
    return out.toString();
  }

  private interface Figure {
    double of(ServedModel model);
  }

  private static void addModels(StringBuilder out, Models models) {
    counter(out, models, "avm_rows_learned_total", "Rows learned.", m -> m.traffic().learned());
    counter(out, models, "avm_rows_answered_total", "Rows answered.", m -> m.traffic().answered());
    addRefusals(out, models);
    counter(out, models, "avm_drifts_total", "Drifts found.", m -> m.published().status().drifts());
    gauges(out, models, "avm_sequence", "Last row learned.", m -> m.published().sequence());
    gauges(out, models, "avm_size", "Vectors of the model.", m -> m.published().status().size());
    gauges(
        out,
        models,
        "avm_backlog_rows",
        "Rows on disk that wait to be learned.",
        ServedModel::backlog);
    gauges(
        out,
        models,
        "avm_error",
        "Error of all answers: mistakes in percent, RMSE or AUC.",
        m -> figure(m, String.valueOf(m.published().figures().get("metric"))));
    gauges(
        out,
        models,
        "avm_recent_error",
        "Error of the last thousand answers.",
        m -> figure(m, "recent"));
    gauges(
        out,
        models,
        "avm_snapshot_age_seconds",
        "Age of the last snapshot.",
        m -> (models.store().now() - m.snapshotAt()) / 1e3);
  }

  private static void addRefusals(StringBuilder out, Models models) {
    String name = "avm_rows_refused_total";
    head(
        out, name, "counter", "Rows refused, by the learner, or at the door before they are kept.");
    for (ServedModel model : models.all()) {
      addRefusals(out, name, label(model) + ",by=\"learner\"", model.published().refused());
      addRefusals(out, name, label(model) + ",by=\"door\"", model.door().refused());
    }
  }

  private static void addRefusals(
      StringBuilder out, String name, String labels, Refusals.Counted refused) {
    refused
        .counts()
        .forEach((reason, n) -> line(out, name, labels + ",reason=\"" + reason + "\"", n));
  }

  private static double figure(ServedModel model, String name) {
    Object value = model.published().figures().get(name);
    return value instanceof Number number ? number.doubleValue() : Double.NaN;
  }

  private static void counter(
      StringBuilder out, Models models, String name, String help, Figure figure) {
    head(out, name, "counter", help);
    models.all().forEach(model -> line(out, name, label(model), figure.of(model)));
  }

  private static void gauges(
      StringBuilder out, Models models, String name, String help, Figure figure) {
    head(out, name, "gauge", help);
    models.all().forEach(model -> line(out, name, label(model), figure.of(model)));
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
    String text = value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    out.append(' ').append(text).append('\n');
  }
}
