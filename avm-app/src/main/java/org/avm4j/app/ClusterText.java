package org.avm4j.app;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.avm4j.ClusterSummary;
import org.avm4j.ClusterSummary.Cluster;
import org.avm4j.ClusterSummary.ClusterEvent;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.data.Instance;
import org.avm4j.data.Schema;
import org.avm4j.eval.ClusterMetrics;

/** Clusters as people and programs read them. */
final class ClusterText {
  /** Number of clusters whose sizes are printed. */
  private static final int MOST_SIZES = 8;

  private ClusterText() {}

  /** How well the clusters of a model agree with the labels of some rows. */
  static ClusterMetrics agreement(Model model, List<Instance> rows) {
    ClusterMetrics metrics = new ClusterMetrics();
    for (Instance row : rows) {
      metrics.add(row.label(), model.predict(row.features()), new double[0]);
    }
    return metrics;
  }

  /** For JSON: clusters with number, size and centre, the noise, and what happened. */
  static Map<String, Object> values(ClusterSummary found, Schema schema) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("clusters", found.clusters().stream().map(one -> values(one, schema)).toList());
    values.put("noise", found.noise());
    values.put("events", found.events());
    values.put("lastEvents", found.lastEvents().stream().map(ClusterText::values).toList());
    return values;
  }

  private static Map<String, Object> values(Cluster cluster, Schema schema) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("number", cluster.number());
    values.put("size", cluster.size());
    Map<String, Object> centre = new LinkedHashMap<>();
    Features x = cluster.centre();
    for (int e = 0; e < x.count(); e++) {
      centre.put(schema.featureName(x.index(e)), x.value(e));
    }
    values.put("centre", centre);
    return values;
  }

  private static Map<String, Object> values(ClusterEvent event) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("instance", event.instance());
    values.put("event", event.text());
    return values;
  }

  /** Rows of a report: how many clusters of which sizes, and what happened last. */
  static Map<String, String> rows(ClusterSummary found) {
    Map<String, String> rows = new LinkedHashMap<>();
    List<Cluster> all = found.clusters();
    String sizes =
        all.stream().limit(MOST_SIZES).map(ClusterText::size).collect(Collectors.joining(", "));
    String more = all.size() > MOST_SIZES ? ", …" : "";
    rows.put("clusters", all.size() + (all.isEmpty() ? "" : ", of sizes " + sizes + more));
    rows.put("noise", whole(found.noise()));
    List<ClusterEvent> events = found.lastEvents();
    if (!events.isEmpty()) {
      ClusterEvent last = events.get(events.size() - 1);
      String text = "%,d, the last at instance %,d: %s";
      rows.put(
          "events", String.format(Locale.ROOT, text, found.events(), last.instance(), last.text()));
    }
    return rows;
  }

  private static String size(Cluster cluster) {
    return whole(cluster.size()) + " (" + cluster.number() + ")";
  }

  private static String whole(double number) {
    return String.format(Locale.ROOT, "%,.0f", number);
  }

  /** A cluster of {@link #values} in one line. */
  static String line(Map<?, ?> cluster) {
    StringBuilder text = new StringBuilder(whole(((Number) cluster.get("size")).doubleValue()));
    text.append(" at");
    ((Map<?, ?>) cluster.get("centre"))
        .entrySet().stream()
            .limit(12)
            .forEach(
                entry ->
                    text.append(' ')
                        .append(entry.getKey())
                        .append(':')
                        .append(Text.number(((Number) entry.getValue()).doubleValue())));
    return text.toString();
  }
}
