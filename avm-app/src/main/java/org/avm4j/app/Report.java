package org.avm4j.app;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.avm4j.AnomalyDetector;
import org.avm4j.Avm;
import org.avm4j.Drift;
import org.avm4j.Forgetting;
import org.avm4j.OnlineLearner;
import org.avm4j.data.Scaling;
import org.avm4j.eval.Inspection;
import org.avm4j.eval.Prequential;
import org.avm4j.auto.AutoAvm;
import org.avm4j.Lap;
import org.avm4j.pipeline.Pipeline;

/** What came of a run, for people and for programs. */
final class Report {
  private static final Set<String> PERCENTAGES =
      Set.of("mistakeRate", "accuracy", "balancedAccuracy", "alertRate", "precision", "recall");

  private final Map<String, Object> values = new LinkedHashMap<>();
  private final Map<String, String> rows = new LinkedHashMap<>();

  private Report() {}

  /** The report of one run. */
  static Report of(Prequential run, Prepared prepared, Path model) {
    Report report = new Report();
    report.addRun(run, prepared);
    report.rows.put("instances", String.format(Locale.ROOT, "%,d", run.metrics().instances()));
    addMetrics(run.metrics().all(prepared.schema()::labelText), report.rows);
    report.addSize(run);
    double rate = run.metrics().instances() / Math.max(run.seconds(), 1e-9);
    report.rows.put(
        "time",
        String.format(Locale.ROOT, "%s (%,.0f a second)", Text.seconds(run.seconds()), rate));
    if (prepared.skipped() > 0) {
      report.rows.put("rows left out", prepared.skipped() + ", values are missing");
    }
    if (prepared.badLines() > 0) {
      report.rows.put("bad lines", prepared.badLines() + ", the first: " + prepared.firstBadLine());
    }
    if (model != null) {
      report.values.put("model", model.toString());
      report.rows.put("model", "saved to " + model);
    }
    return report;
  }

  /** The report of several runs: mean and standard deviation. */
  static Report of(List<Prequential> runs, Prepared prepared) {
    Report report = new Report();
    Report first = new Report();
    first.addRun(runs.get(0), prepared);
    report.values.putAll(first.values);
    report.values.keySet().removeAll(List.of("curve", "race", "f1"));
    List<Map<String, Object>> singles = new ArrayList<>();
    for (Prequential run : runs) {
      Report single = new Report();
      single.addRun(run, prepared);
      single.values.remove("learner");
      single.values.remove("scale");
      singles.add(single.values);
    }
    report.addMeans(singles);
    report.values.put("runs", singles);
    return report;
  }

  String json() {
    return Json.of(values);
  }

  String table() {
    return Text.table(rows);
  }

  private void addRun(Prequential run, Prepared prepared) {
    OnlineLearner learner = inner(run.learner());
    values.put("instances", run.metrics().instances());
    values.putAll(run.metrics().all(prepared.schema()::labelText));
    values.put("cells", learner instanceof Avm avm ? avm.cells() : learner.size());
    values.put(
        "supportVectors", learner instanceof Avm avm ? avm.supportVectors() : learner.size());
    if (learner instanceof Avm avm) {
      values.put("atLimit", avm.atLimit());
      if (forgets(run)) {
        values.put("memory", avm.memory());
        values.put("drifts", avm.drifts());
        values.put("lastDrifts", lastDrifts(run, avm).stream().map(Report::event).toList());
      }
    } else if (learner instanceof AnomalyDetector detector) {
      values.put("diameter", detector.diameter());
      values.put("threshold", detector.threshold());
    }
    values.put("seconds", run.seconds());
    values.put("badLines", prepared.badLines());
    AutoAvm auto = automatic(run);
    Scaling scaling = auto == null ? prepared.survey().scaler().scaling() : auto.scaling();
    values.put("scale", scaling.name().toLowerCase(Locale.ROOT));
    if (auto != null) {
      values.put("automatic", auto.options().free().stream().map(Choices::name).sorted().toList());
      values.put("running", auto.running());
      values.put("race", auto.laps().stream().map(Report::lap).toList());
    }
    values.put("learner", Description.of(learner));
    values.put("curve", run.curve().stream().map(point -> point(run, point)).toList());
  }

  private static OnlineLearner inner(OnlineLearner learner) {
    OnlineLearner inside = learner instanceof Pipeline pipeline ? pipeline.learner() : learner;
    return inside instanceof AutoAvm auto ? auto.best() : inside;
  }

  /** The race of a run, or null. */
  private static AutoAvm automatic(Prequential run) {
    return run.learner() instanceof Pipeline pipeline && pipeline.learner() instanceof AutoAvm auto
        ? auto
        : null;
  }

  private static boolean forgets(Prequential run) {
    return inner(run.learner()) instanceof Avm avm
        && !(avm.options().forgetting() instanceof Forgetting.None);
  }

  private static Map<String, Object> event(Drift drift) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("instance", drift.instance());
    values.put("before", drift.before());
    values.put("after", drift.after());
    values.put("memory", drift.memory());
    return values;
  }

  private static Map<String, Object> lap(Lap lap) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("instances", lap.instances());
    values.put("scale", Choices.name(lap.scaling()));
    values.put("kernel", Description.flag(lap.kernel()));
    values.put("gamma", lap.kernel().gamma());
    values.put("prior", lap.prior());
    values.put("maxSize", lap.maxSize());
    values.put("loss", lap.loss());
    values.put("answers", lap.answers());
    return values;
  }

  private static Map<String, Object> point(Prequential run, Inspection point) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("instances", point.instances());
    values.put(run.metrics().name(), point.metric());
    values.put("recent", point.recent());
    values.put("size", point.size());
    values.put("seconds", point.seconds());
    if (forgets(run)) {
      values.put("memory", point.memory());
      values.put("drifts", point.drifts());
    }
    return values;
  }

  /** Adds a row for each figure. */
  static void addMetrics(Map<String, Object> metrics, Map<String, String> rows) {
    metrics.forEach(
        (name, value) -> {
          if (value instanceof Double number) {
            rows.put(words(name), figure(name, number));
          } else if (value instanceof Map<?, ?> byClass && byClass.size() <= 10) {
            StringBuilder text = new StringBuilder();
            byClass.forEach(
                (label, f1) ->
                    text.append(String.format(Locale.ROOT, "%s: %.4f  ", label, (Double) f1)));
            rows.put(words(name) + " by class", text.toString().strip());
          }
        });
  }

  /** What won, in the words of the command line. */
  private static String chosen(AutoAvm auto) {
    Map<String, Object> all = Description.of(auto);
    return String.format(
        Locale.ROOT,
        "--scale %s --kernel %s --gamma %.4g --prior %.4g, %d still running",
        Choices.name(auto.scaling()),
        all.get("kernel"),
        all.get("gamma"),
        all.get("prior"),
        auto.running());
  }

  private void addSize(Prequential run) {
    OnlineLearner learner = inner(run.learner());
    if (automatic(run) != null) {
      rows.put("chosen", chosen(automatic(run)));
    }
    if (learner instanceof Avm avm) {
      rows.put("cells", String.format(Locale.ROOT, "%,d", avm.cells()));
      rows.put("support vectors", String.format(Locale.ROOT, "%,d", avm.supportVectors()));
      if (avm.atLimit() > 0) {
        String did = avm.options().limit().name().toLowerCase(Locale.ROOT);
        rows.put("at the size cap", String.format(Locale.ROOT, "%,d (%s)", avm.atLimit(), did));
      }
      if (forgets(run)) {
        addDrifts(avm, lastDrifts(run, avm));
      }
    } else {
      rows.put("size", String.format(Locale.ROOT, "%,d", learner.size()));
    }
    if (learner instanceof AnomalyDetector detector) {
      rows.put("diameter", figure("diameter", detector.diameter()));
      rows.put("threshold", figure("threshold", detector.threshold()));
    }
  }

  private static List<Drift> lastDrifts(Prequential run, Avm avm) {
    AutoAvm auto = automatic(run);
    return auto == null ? avm.lastDrifts() : auto.lastDrifts();
  }

  private void addDrifts(Avm avm, List<Drift> drifts) {
    rows.put("memory", String.format(Locale.ROOT, "%,.0f instances", avm.memory()));
    if (!drifts.isEmpty()) {
      Drift last = drifts.get(drifts.size() - 1);
      rows.put(
          "drifts",
          String.format(
              Locale.ROOT,
              "%,d, the last found at instance %,d: error %.4f, then %.4f",
              avm.drifts(),
              last.instance(),
              last.before(),
              last.after()));
    }
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
        double mean = mean(all);
        double deviation = deviation(all, mean);
        means.put(name, mean);
        deviations.put(name, deviation);
        values.put(name, mean);
        rows.put(words(name), figure(name, mean) + " ± " + figure(name, deviation));
      }
    }
    values.put("mean", means);
    values.put("standardDeviation", deviations);
  }

  static double mean(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum / values.length;
  }

  /** The sample standard deviation. */
  static double deviation(double[] values, double mean) {
    double sum = 0;
    for (double value : values) {
      sum += (value - mean) * (value - mean);
    }
    return values.length < 2 ? 0 : Math.sqrt(sum / (values.length - 1));
  }

  static String figure(String name, double value) {
    return PERCENTAGES.contains(name)
        ? String.format(Locale.ROOT, "%.4f %%", value)
        : String.format(Locale.ROOT, "%.6g", value);
  }

  /** mistakeRate is "mistake rate". */
  static String words(String name) {
    return name.replaceAll("([a-z])([A-Z])", "$1 $2").toLowerCase(Locale.ROOT);
  }
}
