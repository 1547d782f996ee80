package org.avm4j.app;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.avm4j.Status;
import org.avm4j.Status.Drift;
import org.avm4j.Status.Standing;
import org.avm4j.Status.TreeShape;

/** Formats the status of a learner: its size, its parts, what it forgot and what it chose. */
final class StatusText {
  private StatusText() {}

  /** Adds the size of a learner, and what it forgets, to the values for JSON. */
  static void addSizeValues(Status status, Map<String, Object> values) {
    values.put("cells", status.cells());
    values.put("supportVectors", status.supportVectors());
    if (isMachine(status)) {
      values.put("atLimit", status.atLimit());
    }
    if (status.forgets()) {
      values.put("memory", status.memory());
      values.put("drifts", status.drifts());
      values.put("lastDrifts", status.lastDrifts().stream().map(StatusText::values).toList());
    }
    if (isDetector(status)) {
      values.put("diameter", status.diameter());
      values.put("threshold", status.threshold());
    }
  }

  /** Adds the search of automatic mode, the tree and the adaptation to change, if there are any. */
  static void addPartValues(Status status, Map<String, Object> values) {
    status
        .automatic()
        .ifPresent(
            mode -> {
              values.put("automatic", mode.free());
              values.put("running", mode.running());
              values.put("search", mode.standings().stream().map(StatusText::values).toList());
            });
    status.tree().ifPresent(tree -> values.put("tree", values(tree)));
    status.change().ifPresent(change -> values.put("change", ChangeText.values(change)));
  }

  /** Whether the learner is a single machine: it has cells with coefficients. */
  private static boolean isMachine(Status status) {
    return !Double.isNaN(status.diameter()) && !isDetector(status);
  }

  private static boolean isDetector(Status status) {
    return !Double.isNaN(status.threshold());
  }

  private static Map<String, Object> values(TreeShape tree) {
    return Json.members(
        "regions", tree.regions(),
        "leaves", tree.leaves().size(),
        "depth", tree.depth(),
        "points", tree.points());
  }

  private static Map<String, Object> values(Drift drift) {
    return Json.members(
        "instance", drift.instance(),
        "before", drift.before(),
        "after", drift.after(),
        "memory", drift.memory());
  }

  private static Map<String, Object> values(Standing standing) {
    return Json.members(
        "instances", standing.instances(),
        "scale", standing.scaling(),
        "kernel", standing.kernel().word(),
        "gamma", standing.kernel().gamma(),
        "prior", standing.prior(),
        "maxSize", standing.maxSize(),
        "loss", standing.loss(),
        "chosen", standing.isBest());
  }

  static void addRows(Status status, Map<String, String> rows) {
    if (status.tree().isPresent()) {
      rows.put("tree", text(status.tree().get()));
    } else if (isMachine(status)) {
      rows.put("cells", Text.whole(status.cells()));
      rows.put("support vectors", Text.whole(status.supportVectors()));
    } else {
      rows.put("size", Text.whole(status.size()));
    }
    status.change().ifPresent(change -> rows.put("change", ChangeText.text(change)));
    if (status.atLimit() > 0) {
      String did = status.settings().get("at-limit").toString();
      rows.put("at the size cap", Text.whole(status.atLimit()) + " (" + did + ")");
    }
    if (status.forgets()) {
      addDrifts(status, rows);
    }
    if (isDetector(status)) {
      rows.put("diameter", FigureText.text("diameter", status.diameter()));
      rows.put("threshold", FigureText.text("threshold", status.threshold()));
    }
  }

  private static String text(TreeShape tree) {
    String points = Text.whole(tree.points()) + " core points in ";
    return tree.depth() == 0
        ? points + "one region"
        : Text.format(
            "%s%,d regions, %,d of them leaves, at most %d %s deep",
            points,
            tree.regions(),
            tree.leaves().size(),
            tree.depth(),
            tree.depth() == 1 ? "level" : "levels");
  }

  private static void addDrifts(Status status, Map<String, String> rows) {
    rows.put("memory", Text.format("%,.0f instances", status.memory()));
    List<Drift> lately = status.lastDrifts();
    if (!lately.isEmpty()) {
      Drift last = lately.get(lately.size() - 1);
      rows.put(
          "drifts",
          Text.format(
              "%,d, the last at instance %,d: the error went from %.4f to %.4f",
              status.drifts(), last.instance(), last.before(), last.after()));
    }
  }

  /**
   * The settings of the chosen learner; the options of the run are in the line that reproduces it.
   */
  static String chosen(Status status, String scaling) {
    Map<String, Object> settings = status.settings();
    return Stream.of(
            "scale " + scaling,
            "kernel " + settings.get("kernel"),
            number(settings, "gamma"),
            number(settings, "prior"),
            settings.containsKey("linear") ? "linear " + settings.get("linear") : "")
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining(", "));
  }

  /** The kernel of a learner, as {@code inspect} names it. */
  static String kernel(Status status) {
    return status.settings().get("kernel") + " " + number(status.settings(), "gamma");
  }

  private static String number(Map<String, Object> settings, String name) {
    return settings.get(name) instanceof Double value ? Text.format("%s %.4g", name, value) : "";
  }
}
