package org.avm4j.app;

import java.util.LinkedHashMap;
import java.util.List;
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
import org.avm4j.lab.paper.ClusterFigure;
import org.avm4j.pipeline.PreparedModel;

/** Formats clusters for reports, pages and JSON. */
final class ClusterText {
  /** Maximum number of clusters whose sizes are printed. */
  private static final int MOST_SIZES = 8;

  /** Maximum number of events in the text of a report. */
  private static final int MOST_EVENTS = 10;

  /** Maximum number of clusters, and of events, on a page. */
  private static final int MOST_LINES = 100;

  private ClusterText() {}

  /** Adds the clusters of a model, if it has any, and how well they agree with labels. */
  static void addTo(Report report, PreparedModel model, Schema schema, List<Instance> labelled) {
    model
        .clusters()
        .ifPresent(
            found -> {
              report.values().putAll(values(found, schema));
              report.rows().putAll(rows(found));
            });
    ClusterMetrics metrics = agreement(model, labelled);
    Map<String, Object> figures = metrics.all(String::valueOf);
    if (figures.containsKey("ari")) {
      figures.remove("noiseRate");
      report.values().put("atTheEnd", figures);
      String text =
          figures.entrySet().stream()
              .map(each -> Text.format("%s %.4f", each.getKey(), each.getValue()))
              .collect(Collectors.joining(", "));
      report
          .rows()
          .put(
              "at the end",
              Text.format("%s, measured on %,d rows of the stream", text, metrics.instances()));
    }
  }

  /** How well the clusters of a model agree with the labels of some rows. */
  private static ClusterMetrics agreement(Model model, List<Instance> rows) {
    ClusterMetrics metrics = new ClusterMetrics();
    for (Instance row : rows) {
      metrics.add(row.label(), model.predict(row.features()), new double[0]);
    }
    return metrics;
  }

  /** Values for JSON: clusters with number, size and centre, the noise, and the events. */
  static Map<String, Object> values(ClusterSummary found, Schema schema) {
    return Json.members(
        "clusters", found.clusters().stream().map(one -> values(one, schema)).toList(),
        "noise", found.noise(),
        "events", found.events(),
        "lastEvents", found.lastEvents().stream().map(ClusterText::values).toList());
  }

  private static Map<String, Object> values(Cluster cluster, Schema schema) {
    Map<String, Object> centre = new LinkedHashMap<>();
    Features x = cluster.centre();
    for (int e = 0; e < x.count(); e++) {
      centre.put(schema.featureName(x.index(e)), x.value(e));
    }
    return Json.members("number", cluster.number(), "size", cluster.size(), "centre", centre);
  }

  private static Map<String, Object> values(ClusterEvent event) {
    return Json.members("instance", event.instance(), "event", event.text());
  }

  /** Rows of a report: the number of clusters, their sizes, and the latest events. */
  static Map<String, String> rows(ClusterSummary found) {
    Map<String, String> rows = new LinkedHashMap<>();
    List<Cluster> all = found.clusters();
    String sizes =
        all.stream().limit(MOST_SIZES).map(ClusterText::size).collect(Collectors.joining(", "));
    String more = all.size() > MOST_SIZES ? ", …" : "";
    rows.put("clusters", all.size() + (all.isEmpty() ? "" : ", with sizes " + sizes + more));
    rows.put("noise", whole(found.noise()));
    rows.put("events", events(found, MOST_EVENTS, "--html and --json show more"));
    latest(found, MOST_EVENTS)
        .forEach(
            event ->
                rows.merge(
                    Text.format("at row %,d", event.instance()),
                    event.text(),
                    (before, next) -> before + "; " + next));
    return rows;
  }

  /** The number of events, with a hint if only the last ones are shown. */
  private static String events(ClusterSummary found, int most, String where) {
    String count = Text.whole(found.events());
    int shown = Math.min(most, found.lastEvents().size());
    return found.events() > shown ? count + ", the last " + shown + "; " + where : count;
  }

  private static List<ClusterEvent> latest(ClusterSummary found, int most) {
    List<ClusterEvent> events = found.lastEvents();
    return events.subList(Math.max(0, events.size() - most), events.size());
  }

  /** Adds the clusters to a page: a picture, their sizes and centres, and the events. */
  static void draw(ClusterSummary found, ClusterFigure figure, Schema schema, HtmlReport page) {
    page.section("Clusters");
    if (figure.isDrawable()) {
      page.drawing(ClusterPicture.svg(figure, schema::featureName));
      page.note(
          "Each dot is a cell of rows; hollow grey dots are noise. A number marks the cluster of"
              + " the dots around it."
              + (figure.isFlat() ? "" : " The axes are the first two principal components."));
    }
    List<List<String>> clusters =
        found.clusters().stream()
            .limit(MOST_LINES)
            .map(one -> List.of(Integer.toString(one.number()), line(values(one, schema))))
            .toList();
    page.table(List.of("cluster", "rows and centre"), clusters);
    page.section("Events");
    page.note("Number of events: " + events(found, MOST_LINES, "--json shows more") + ".");
    page.table(
        List.of("row", "event"),
        latest(found, MOST_LINES).stream()
            .map(event -> List.of(Text.number(event.instance()), event.text()))
            .toList());
  }

  private static String size(Cluster cluster) {
    return whole(cluster.size()) + " (" + cluster.number() + ")";
  }

  private static String whole(double number) {
    return Text.format("%,.0f", number);
  }

  /** One line of text for a cluster given as JSON values. */
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
