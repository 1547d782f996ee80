package org.avm4j.app;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.avm4j.ClusterSummary;
import org.avm4j.Status;
import org.avm4j.Status.Drift;
import org.avm4j.Status.Standing;
import org.avm4j.Status.TreeShape;
import org.avm4j.asking.LabelBudget;
import org.avm4j.data.Schema;
import org.avm4j.eval.ClusterMetrics;
import org.avm4j.eval.Inspection;
import org.avm4j.explain.Importance;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.run.Average;
import org.avm4j.run.Estimate;
import org.avm4j.run.RunReport;
import org.avm4j.run.ThresholdChoice;

/** The report of a run, as a table and as JSON. */
final class Report {
  private static final List<String> BY_CLASS_OR_TIME =
      List.of(
          "curve",
          "search",
          "drift",
          "interval",
          "f1",
          "precision",
          "recall",
          "confusion",
          "worseThan",
          "processorSeconds");

  private static final List<String> OF_ONE_LEARNER =
      List.of("cells", "support vectors", "tree", "size", "at the size cap");

  private final Map<String, Object> values = new LinkedHashMap<>();
  private final Map<String, String> rows = new LinkedHashMap<>();
  private String matrix = "";
  private String columns = "";

  private Report() {}

  /** The report of one run. */
  static Report of(RunReport run, Path model, DoubleFunction<String> names) {
    Report report = new Report();
    report.values.putAll(values(run));
    report.addRows(run, names);
    report.matrix = ConfusionText.of(run.figures());
    if (model != null) {
      report.values.put("model", model.toString());
      report.rows.put("model", "saved to " + model);
    }
    return report;
  }

  /** The report of several runs: mean and standard deviation. */
  static Report of(List<RunReport> runs) {
    Report report = new Report();
    report.values.putAll(values(runs.get(0)));
    report.values.keySet().removeAll(BY_CLASS_OR_TIME);
    List<Map<String, Object>> singles = new ArrayList<>();
    for (RunReport run : runs) {
      Map<String, Object> single = values(run);
      single.keySet().removeAll(List.of("learner", "scale", "processorSeconds"));
      singles.add(single);
    }
    report.addMeans(singles);
    report.values.put("runs", singles);
    return report;
  }

  /** Appends a value. */
  void add(String name, String text) {
    values.put(name, text);
    rows.put(name, text);
  }

  /** Puts a value before all others. */
  void lead(String name, Object value, String text) {
    putFirst(values, name, value);
    putFirst(rows, name, text);
  }

  private static <T> void putFirst(Map<String, T> map, String name, T value) {
    Map<String, T> others = new LinkedHashMap<>(map);
    map.clear();
    map.put(name, value);
    map.putAll(others);
  }

  /** Adds the weights of columns, if they are not equal. */
  void addWeights(Map<String, Double> weights) {
    if (!weights.isEmpty()) {
      values.put("weights", weights);
      rows.put("column weights", ColumnText.weights(weights));
    }
  }

  /** Adds which columns matter. */
  void addImportance(Importance importance) {
    values.put("importance", ColumnText.values(importance));
    columns = ColumnText.table(importance);
  }

  /** Adds the size of the model that predict and evaluate use. */
  void addSize(PreparedModel model) {
    values.put("size", SizeText.number(model));
  }

  /**
   * Adds the error of repeating the previous label, in the order of the files.
   *
   * @param hint whether to mention {@code --lags}, which makes that label a feature
   */
  void addNoChange(double error, boolean isRegression, boolean hint) {
    values.put(isRegression ? "noChangeRmse" : "noChangeMistakeRate", error);
    String words =
        YardstickText.noChange(error, isRegression, "repeating the label of the previous row");
    putAfter(
        isRegression ? "mean so far" : "majority class",
        "no change",
        hint ? words + "; a model with --lags sees it" : words);
  }

  /** Adds the expected error on new data. */
  void addEstimate(Estimate estimate, boolean isLatest) {
    values.put("estimate", values(estimate));
    putAfter(
        "instances",
        isLatest ? "on future rows" : "on new data",
        String.format(
                Locale.ROOT,
                "%s about %s, estimated on %s %,d held-out rows",
                FigureText.words(estimate.name()),
                FigureText.withMargin(estimate.name(), estimate.value(), estimate.margin()),
                isLatest ? "the latest" : "",
                estimate.rows())
            .replace("  ", " "));
  }

  /** Adds the threshold that was chosen by costs. */
  void addThreshold(ThresholdChoice chosen, Schema schema) {
    values.put("threshold", RareClassText.values(chosen, schema));
    putAfter("instances", "threshold", RareClassText.text(chosen, schema));
  }

  /** Adds the number of averaged learners, and replaces the figures of the first one by theirs. */
  void addAverage(Average average, PreparedModel mean) {
    values.put("learners", average.learners());
    putAfter("instances", "learners", text(average, mean.threshold().isPresent()));
    List<PreparedModel> members = mean.members();
    if (!members.isEmpty()) {
      rows.keySet().removeAll(OF_ONE_LEARNER);
      List<PreparedModel> learners = members.subList(0, average.learners());
      String chosen =
          learners.stream().map(Report::kernel).distinct().collect(Collectors.joining("; "));
      rows.computeIfPresent("chosen", (name, first) -> learners.isEmpty() ? null : chosen);
      putAfter(learners.isEmpty() ? "learners" : "chosen", "size", SizeText.of(mean));
    }
    if (average.rounds() > 0) {
      Map<String, Object> trees = new LinkedHashMap<>();
      trees.put("rounds", average.rounds());
      trees.put("share", average.share());
      values.put("trees", trees);
      putAfter("learners", "boosted trees", trees(average));
    }
  }

  private static String trees(Average average) {
    return String.format(
        Locale.ROOT,
        "%,d rounds, with %.0f %% of the weight in the answer",
        average.rounds(),
        100 * average.share());
  }

  /** The kernel of a learner, as {@code inspect} names it. */
  private static String kernel(PreparedModel member) {
    Map<String, Object> settings = member.status().settings();
    return settings.get("kernel") + " " + number(settings, "gamma");
  }

  private static String text(Average average, boolean hasThreshold) {
    if (average.learners() == 0) {
      return "none; boosted trees alone are better";
    }
    if (average.tried() == 1) {
      return average.rounds() > 0 ? "one" : "one; the others did not finish";
    }
    String best = average.learners() == 1 ? "best" : "mean of the best " + average.learners();
    String all = average.learners() == average.tried() ? "mean" : best;
    String text = String.format(Locale.ROOT, "the %s of %d", all, average.tried());
    return average.estimate().isTelling() && !hasThreshold
        ? text
            + "; the error of a single one is "
            + FigureText.rounded(
                average.estimate().name(), average.alone(), average.estimate().margin())
        : text;
  }

  private static Map<String, Object> values(Estimate estimate) {
    Map<String, Object> value = new LinkedHashMap<>();
    value.put(estimate.name(), estimate.value());
    value.put("margin", estimate.margin());
    value.put("rows", estimate.rows());
    return value;
  }

  private void putAfter(String other, String name, String text) {
    Map<String, String> all = new LinkedHashMap<>(rows);
    rows.clear();
    all.forEach(
        (key, line) -> {
          rows.put(key, line);
          if (key.equals(other)) {
            rows.put(name, text);
          }
        });
  }

  String json() {
    return Json.of(values);
  }

  String table() {
    return Text.table(rows) + columns + matrix;
  }

  /** The rows of the table: names and values as text. */
  Map<String, String> rows() {
    return rows;
  }

  /** Adds what was warned of on standard error to the JSON. */
  void addWarnings(List<String> warnings) {
    if (!warnings.isEmpty()) {
      values.put("warnings", warnings);
    }
  }

  /** Adds the clusters that were found. */
  void addClusters(ClusterSummary found, Schema schema) {
    values.putAll(ClusterText.values(found, schema));
    rows.putAll(ClusterText.rows(found));
  }

  /** Adds how well the final clusters agree with the labels, if there are labels. */
  void addAgreement(ClusterMetrics found) {
    Map<String, Object> figures = found.all(String::valueOf);
    if (figures.containsKey("ari")) {
      figures.remove("noiseRate");
      values.put("atTheEnd", figures);
      String text =
          figures.entrySet().stream()
              .map(each -> String.format(Locale.ROOT, "%s %.4f", each.getKey(), each.getValue()))
              .collect(Collectors.joining(", "));
      rows.put(
          "at the end",
          String.format(
              Locale.ROOT, "%s, measured on %,d rows of the stream", text, found.instances()));
    }
  }

  private static Map<String, Object> values(RunReport run) {
    Status status = run.status();
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("instances", run.metrics().instances());
    values.putAll(run.figures());
    run.coverage().ifPresent(found -> values.put("interval", CoverageText.values(found)));
    run.yardsticks().ifPresent(found -> YardstickText.addValues(found, !run.isShuffled(), values));
    if (run.delay() > 0) {
      values.put("delay", run.delay());
    }
    run.budget().ifPresent(found -> addAsked(found, values));
    values.put("cells", status.cells());
    values.put("supportVectors", status.supportVectors());
    if (isMachine(status)) {
      values.put("atLimit", status.atLimit());
    }
    if (status.forgets()) {
      values.put("memory", status.memory());
      values.put("drifts", status.drifts());
      values.put("lastDrifts", status.lastDrifts().stream().map(Report::event).toList());
    }
    if (isDetector(status)) {
      values.put("diameter", status.diameter());
      values.put("threshold", status.threshold());
    }
    values.put("seconds", run.seconds());
    values.put("processorSeconds", run.processorSeconds());
    values.put("learnerBytes", run.learnerBytes());
    values.put("modelBytes", run.modelBytes());
    values.put("badLines", run.leftOut().badLines());
    values.put("unlabelled", run.leftOut().unlabelled());
    if (run.observed() > 0) {
      values.put("observed", run.observed());
    }
    values.put("scale", run.scaling());
    status.automatic().ifPresent(mode -> addMode(mode, values));
    status.tree().ifPresent(tree -> values.put("tree", tree(tree)));
    status.change().ifPresent(change -> values.put("change", ChangeText.values(change)));
    run.drift().ifPresent(found -> values.put("drift", DriftText.values(found, isNumber(run))));
    values.put("learner", status.settings());
    values.put("curve", run.curve().stream().map(point -> point(run, point)).toList());
    return values;
  }

  private static boolean isNumber(RunReport run) {
    return run.metrics().name().equals("rmse");
  }

  private static void addAsked(LabelBudget budget, Map<String, Object> values) {
    values.put("labelsAskedFor", budget.labels());
    values.put("shareAskedFor", percentAsked(budget));
  }

  private static double percentAsked(LabelBudget budget) {
    return 100.0 * budget.labels() / Math.max(1, budget.rows());
  }

  private static String text(LabelBudget budget) {
    return String.format(
        Locale.ROOT, "%,d, %.2f %% of all labels", budget.labels(), percentAsked(budget));
  }

  /** Whether the learner is a single machine: it has cells with coefficients. */
  private static boolean isMachine(Status status) {
    return !Double.isNaN(status.diameter()) && !isDetector(status);
  }

  private static boolean isDetector(Status status) {
    return !Double.isNaN(status.threshold());
  }

  private static void addMode(Status.Automatic mode, Map<String, Object> values) {
    values.put("automatic", mode.free());
    values.put("running", mode.running());
    values.put("search", mode.standings().stream().map(Report::standing).toList());
  }

  private static Map<String, Object> tree(TreeShape tree) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("regions", tree.regions());
    values.put("leaves", tree.leaves().size());
    values.put("depth", tree.depth());
    values.put("points", tree.points());
    return values;
  }

  private static Map<String, Object> event(Drift drift) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("instance", drift.instance());
    values.put("before", drift.before());
    values.put("after", drift.after());
    values.put("memory", drift.memory());
    return values;
  }

  private static Map<String, Object> standing(Standing standing) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("instances", standing.instances());
    values.put("scale", standing.scaling());
    values.put("kernel", standing.kernel().word());
    values.put("gamma", standing.kernel().gamma());
    values.put("prior", standing.prior());
    values.put("maxSize", standing.maxSize());
    values.put("loss", standing.loss());
    values.put("chosen", standing.isBest());
    return values;
  }

  private static Map<String, Object> point(RunReport run, Inspection point) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("instances", point.instances());
    values.put(run.metrics().name(), point.metric());
    values.put("recent", point.recent());
    values.put("size", point.size());
    values.put("seconds", point.seconds());
    if (run.status().forgets()) {
      values.put("memory", point.memory());
      values.put("drifts", point.drifts());
    }
    return values;
  }

  private static String unlabelled(long observed, long leftOut) {
    String used = observed == 0 ? "" : counted(observed) + ", observed";
    String unused = leftOut == 0 ? "" : counted(leftOut) + ", skipped";
    return used + (used.isEmpty() || unused.isEmpty() ? "" : "; ") + unused;
  }

  private static String counted(long rows) {
    return whole(rows) + (rows == 1 ? " row" : " rows");
  }

  private void addRows(RunReport run, DoubleFunction<String> names) {
    rows.put("instances", whole(run.metrics().instances()));
    FigureText.addRows(run.figures(), rows);
    boolean isRegression = isNumber(run);
    run.coverage().ifPresent(found -> CoverageText.addRow(found, rows));
    run.yardsticks()
        .ifPresent(found -> YardstickText.addRows(found, !run.isShuffled(), names, rows));
    if (run.delay() > 0) {
      rows.put("delay", "each label becomes known " + whole(run.delay()) + " answers later");
    }
    run.budget().ifPresent(found -> rows.put("labels asked for", text(found)));
    run.drift().ifPresent(found -> DriftText.addRows(found, isRegression, rows));
    run.status().automatic().ifPresent(mode -> rows.put("chosen", chosen(run)));
    addSize(run.status());
    long learned = run.metrics().instances() * run.average().map(Average::tried).orElse(1);
    double rate = learned / Math.max(run.seconds(), 1e-9);
    rows.put(
        "time",
        String.format(
            Locale.ROOT,
            "%s (%,.0f rows per second), %s of processor time",
            Text.seconds(run.seconds()),
            rate,
            Text.seconds(run.processorSeconds())));
    String toLearnOn =
        run.average().isPresent() ? "" : whole(run.learnerBytes()) + " for the learner, ";
    rows.put("bytes", toLearnOn + whole(run.modelBytes()) + " for the frozen model");
    if (run.leftOut().missingValues() > 0) {
      rows.put("rows left out", run.leftOut().missingValues() + ", because values are missing");
    }
    if (run.leftOut().unlabelled() + run.observed() > 0) {
      rows.put("without a label", unlabelled(run.observed(), run.leftOut().unlabelled()));
    }
    if (run.leftOut().badLines() > 0) {
      String first = run.leftOut().firstBadLine().orElse(null);
      rows.put("bad lines", run.leftOut().badLines() + ", the first: " + first);
    }
  }

  /**
   * The settings of the chosen learner; the options of the run are in the line that reproduces it.
   */
  private static String chosen(RunReport run) {
    Map<String, Object> settings = run.status().settings();
    return Stream.of(
            "scale " + run.scaling(),
            "kernel " + settings.get("kernel"),
            number(settings, "gamma"),
            number(settings, "prior"),
            settings.containsKey("linear") ? "linear " + settings.get("linear") : "")
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining(", "));
  }

  private static String number(Map<String, Object> settings, String name) {
    return settings.get(name) instanceof Double value
        ? String.format(Locale.ROOT, "%s %.4g", name, value)
        : "";
  }

  private void addSize(Status status) {
    if (status.tree().isPresent()) {
      rows.put("tree", text(status.tree().get()));
    } else if (isMachine(status)) {
      rows.put("cells", whole(status.cells()));
      rows.put("support vectors", whole(status.supportVectors()));
    } else {
      rows.put("size", whole(status.size()));
    }
    status.change().ifPresent(change -> rows.put("change", ChangeText.text(change)));
    if (status.atLimit() > 0) {
      String did = status.settings().get("at-limit").toString();
      rows.put("at the size cap", whole(status.atLimit()) + " (" + did + ")");
    }
    if (status.forgets()) {
      addDrifts(status);
    }
    if (isDetector(status)) {
      rows.put("diameter", FigureText.text("diameter", status.diameter()));
      rows.put("threshold", FigureText.text("threshold", status.threshold()));
    }
  }

  private static String text(TreeShape tree) {
    String points = whole(tree.points()) + " core points in ";
    return tree.depth() == 0
        ? points + "one region"
        : String.format(
            Locale.ROOT,
            "%s%,d regions, %,d of them leaves, at most %d %s deep",
            points,
            tree.regions(),
            tree.leaves().size(),
            tree.depth(),
            tree.depth() == 1 ? "level" : "levels");
  }

  private void addDrifts(Status status) {
    rows.put("memory", String.format(Locale.ROOT, "%,.0f instances", status.memory()));
    if (!status.lastDrifts().isEmpty()) {
      Drift last = status.lastDrifts().get(status.lastDrifts().size() - 1);
      rows.put(
          "drifts",
          String.format(
              Locale.ROOT,
              "%,d, the last at instance %,d: the error went from %.4f to %.4f",
              status.drifts(),
              last.instance(),
              last.before(),
              last.after()));
    }
  }

  private static String whole(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** The mean and deviation of every number that all runs have. */
  private void addMeans(List<Map<String, Object>> singles) {
    Map<String, Object> means = new LinkedHashMap<>();
    Map<String, Object> deviations = new LinkedHashMap<>();
    rows.put("runs", Integer.toString(singles.size()));
    for (String name : singles.get(0).keySet()) {
      if (singles.stream().allMatch(run -> run.get(name) instanceof Number)) {
        double[] all =
            singles.stream().mapToDouble(run -> ((Number) run.get(name)).doubleValue()).toArray();
        double mean = FigureText.mean(all);
        double deviation = FigureText.deviation(all, mean);
        means.put(name, mean);
        deviations.put(name, deviation);
        values.put(name, mean);
        rows.put(
            FigureText.words(name),
            FigureText.text(name, mean) + " ± " + FigureText.text(name, deviation));
      }
    }
    values.put("mean", means);
    values.put("standardDeviation", deviations);
  }
}
