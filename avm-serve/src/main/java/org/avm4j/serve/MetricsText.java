package org.avm4j.serve;

import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Metrics in the text format of Prometheus, some of them with a line for each model. */
final class MetricsText {
  private static final double PERCENT = 100;

  private final Models models;
  private final StringBuilder out = new StringBuilder();

  MetricsText(Models models) {
    this.models = models;
  }

  /** The label by which the lines of a model are told apart. */
  static String label(ServedModel model) {
    return "model=\"" + model.name() + "\"";
  }

  void head(String name, String type, String help) {
    out.append("# HELP ").append(name).append(' ').append(help).append('\n');
    out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
  }

  void line(String name, String labels, double value) {
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

  /** Adds a line for each entry, whose key becomes one more label. */
  void lines(String name, String labels, String key, Map<String, Long> counts) {
    counts.forEach((word, n) -> line(name, labels + "," + key + "=\"" + word + "\"", n));
  }

  void histogram(String name, String labels, LatencyHistogram times) {
    times.write(out, name, labels);
  }

  void gauge(String name, String help, double value) {
    head(name, "gauge", help);
    line(name, "", value);
  }

  void counters(String name, String help, ToDoubleFunction<ServedModel> count) {
    ofModels(name, "counter", help, count);
  }

  void gauges(String name, String help, ToDoubleFunction<ServedModel> figure) {
    ofModels(name, "gauge", help, figure);
  }

  /** Adds a line for each model; NaN means unknown and is left out. */
  private void ofModels(
      String name, String type, String help, ToDoubleFunction<ServedModel> figure) {
    head(name, type, help);
    for (ServedModel model : models.all()) {
      double value = figure.applyAsDouble(model);
      if (!Double.isNaN(value)) {
        line(name, label(model), value);
      }
    }
  }

  /** Adds a figure in percent as a fraction, of all models that are measured by mistakes. */
  void mistakes(String name, String help, String figure) {
    figures(name, help, "mistakeRate", figure, PERCENT);
  }

  /** Adds a figure, divided by {@code unit}, of all models that are measured by a given metric. */
  void figures(String name, String help, String metric, String figure, double unit) {
    head(name, "gauge", help);
    for (ServedModel model : models.all()) {
      Map<String, Object> all = model.published().figures();
      if (metric.equals(all.get("metric")) && all.get(figure) instanceof Number value) {
        line(name, label(model), value.doubleValue() / unit);
      }
    }
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
