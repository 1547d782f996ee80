package org.avm4j.serve;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.avm4j.ClusterSummary;
import org.avm4j.ClusterSummary.Cluster;
import org.avm4j.ClusterSummary.ClusterEvent;
import org.avm4j.CorePoint;
import org.avm4j.Features;
import org.avm4j.Prediction;
import org.avm4j.Status;
import org.avm4j.Status.Drift;
import org.avm4j.Status.TreeShape;
import org.avm4j.data.Column;
import org.avm4j.data.Schema;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.pipeline.RowCheck;

/** A model at one moment: a frozen predictor and its figures. Immutable. */
final class Published {
  private static final int SHOWN = 1000;
  private static final int POINTS = 8;
  private static final int POINT_FEATURES = 12;
  private static final int CLUSTERS = 100;
  private static final int CLUSTER_EVENTS = 20;
  private static final int LEAVES = 200;

  private final PreparedModel model;
  private final RowCheck check;
  private final NumericRows numbers;
  private final List<Object> classes;
  private final long version;
  private final long learner;
  private final long sequence;
  private final Refusals.Counted refused;
  private final RiseWatch.Rises rises;
  private final Status status;
  private final long measured;
  private final Map<String, Object> figures;
  private final Map<String, Long> mix;
  private final Map<String, Map<String, Long>> confusion;
  private final List<Scoreboard.Point> curve;

  private Published(Learning learning, ModelSpec spec, long version) {
    this.version = version;
    learner = learning.learner();
    model = learning.pipeline().snapshot();
    Schema schema = model.preparation().schema();
    check = learning.check();
    numbers = new NumericRows(schema, spec);
    classes = Answer.classes(model.classes(), model.task(), schema);
    sequence = learning.sequence();
    refused = learning.refused();
    rises = learning.rises();
    status = learning.pipeline().status();
    Scoreboard board = learning.board();
    measured = board.instances();
    figures = board.figures(schema::labelText);
    mix = board.mix(schema::labelText);
    confusion = board.confusion(schema::labelText);
    curve = board.curve();
  }

  /** The present state of a learner. Must be called on the thread that learns. */
  static Published of(Learning learning, ModelSpec spec) {
    return new Published(learning, spec, 0);
  }

  static Published of(Learning learning, ModelSpec spec, long version) {
    return new Published(learning, spec, version);
  }

  PreparedModel model() {
    return model;
  }

  Schema schema() {
    return model.preparation().schema();
  }

  /** The number of a stored version; 0 if the state is not stored. */
  long version() {
    return version;
  }

  /** The number of the learner within its model. */
  long learner() {
    return learner;
  }

  long sequence() {
    return sequence;
  }

  Status status() {
    return status;
  }

  List<Object> classes() {
    return classes;
  }

  /** Whether answers have a probability for each class. */
  boolean hasProbabilities() {
    return model.isCalibrated() && !classes.isEmpty();
  }

  boolean hasTextLabels() {
    return Answer.isText(model.task(), schema());
  }

  Map<String, Object> figures() {
    return figures;
  }

  /** Checks which rows the learner accepts. */
  RowCheck check() {
    return check;
  }

  /** The rows that the learner refused. */
  Refusals.Counted refused() {
    return refused;
  }

  /** The rises of the error, with what changed; empty if drift is not watched. */
  Optional<RiseWatch.Rises> rises() {
    return Optional.ofNullable(rises);
  }

  /** The rows of a JSON text; null if not all of them are plain rows of numbers. */
  List<Features> plainRows(byte[] json) {
    return check.hasLearned() ? numbers.read(json) : null;
  }

  Prediction answer(Features row) {
    return model.answer(row);
  }

  Answer sent(Prediction answer, String id) {
    return Answer.of(answer, model.task(), schema(), null, id);
  }

  /** The figures that a list of models shows. */
  Map<String, Object> summary() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("sequence", sequence);
    json.put("learned", status.instances());
    json.put("refused", refused.total());
    if (refused.total() > 0) {
      json.put("lastRefusal", refused.lastSentence());
    }
    json.put("task", status.instances() == 0 && classes.isEmpty() ? null : model.task().word());
    json.put("instances", measured);
    json.putAll(Scoreboard.singleValues(figures));
    json.put("size", status.size());
    json.put("cells", status.cells());
    json.put("supportVectors", status.supportVectors());
    json.put("drifts", status.drifts());
    return json;
  }

  Map<String, Object> detail() {
    Map<String, Object> json = summary();
    json.putAll(figures);
    json.put("classes", classes);
    json.put("classMix", mix);
    json.put("confusion", confusion);
    json.put("columns", columns());
    json.put("learner", status.settings());
    if (status.forgets()) {
      json.put("memory", status.memory());
      json.put("lastDrifts", status.lastDrifts().stream().map(Published::drift).toList());
    }
    rises().ifPresent(found -> json.put("drift", found.json()));
    model.clusters().ifPresent(found -> json.put("clusters", clusters(found)));
    status.automatic().ifPresent(mode -> addMode(mode, json));
    status.tree().ifPresent(tree -> json.put("tree", tree(tree)));
    json.put("corePoints", model.corePoints(POINTS).stream().map(this::point).toList());
    json.put("curve", curve.stream().map(Scoreboard.Point::json).toList());
    return json;
  }

  /** The clusters of a stream: their number, the largest of them, and the latest events. */
  private Map<String, Object> clusters(ClusterSummary found) {
    List<ClusterEvent> events = found.lastEvents();
    List<?> last =
        events.subList(Math.max(0, events.size() - CLUSTER_EVENTS), events.size()).stream()
            .map(event -> Map.of("instance", event.instance(), "event", event.text()))
            .toList();
    return JsonValues.members(
        "count", found.clusters().size(),
        "noise", found.noise(),
        "largest", found.clusters().stream().limit(CLUSTERS).map(this::cluster).toList(),
        "events", found.events(),
        "lastEvents", last);
  }

  private Map<String, Object> cluster(Cluster cluster) {
    return JsonValues.members(
        "number", cluster.number(),
        "size", cluster.size(),
        "centre", features(cluster.centre()));
  }

  /** A core point: the names and values of its first non-zero features, and its coefficients. */
  private Map<String, Object> point(CorePoint point) {
    return Map.of("features", features(point.x()), "coefficients", point.coefficients());
  }

  private Map<String, Object> features(Features x) {
    Map<String, Object> features = new LinkedHashMap<>();
    for (int i = 0; i < Math.min(POINT_FEATURES, x.count()); i++) {
      features.put(schema().featureName(x.index(i)), x.value(i));
    }
    return features;
  }

  private static Map<String, Object> drift(Drift drift) {
    return JsonValues.members(
        "instance", drift.instance(),
        "before", drift.before(),
        "after", drift.after(),
        "memory", drift.memory());
  }

  private static void addMode(Status.Automatic mode, Map<String, Object> json) {
    json.put("automatic", mode.free());
    json.put("scale", mode.scaling());
    json.put("running", mode.running());
  }

  private static Map<String, Object> tree(TreeShape tree) {
    return JsonValues.members(
        "regions", tree.regions(),
        "depth", tree.depth(),
        "points", tree.points(),
        "leaves", tree.leaves().stream().limit(LEAVES).map(Published::leaf).toList());
  }

  private static Map<String, Object> leaf(TreeShape.Leaf leaf) {
    return Map.of("depth", leaf.depth(), "points", leaf.points(), "share", leaf.share());
  }

  /** The columns by name, each with its type, mean and first categories. */
  Map<String, Object> columns() {
    Map<String, Object> json = new LinkedHashMap<>();
    for (Column column :
        schema().columns().subList(0, Math.min(SHOWN, schema().columns().size()))) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("type", column.isNumeric() ? "number" : "text");
      if (column.isNumeric()) {
        one.put("mean", column.mean());
      }
      Set<String> categories = column.categories();
      if (!categories.isEmpty()) {
        one.put("categories", categories.stream().limit(50).toList());
      }
      json.put(column.name(), one);
    }
    return json;
  }
}
