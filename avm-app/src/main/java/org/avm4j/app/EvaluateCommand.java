package org.avm4j.app;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.avm4j.Prediction;
import org.avm4j.data.Instance;
import org.avm4j.eval.CoverageFigures;
import org.avm4j.eval.Metrics;
import org.avm4j.explain.Importance;
import org.avm4j.pipeline.Costs;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.run.AnswerBand;
import org.avm4j.run.CrossValidation;
import org.avm4j.run.DataSource;
import org.avm4j.run.PreparedData;
import org.avm4j.run.RowStream;
import org.avm4j.spec.LearnerSpec;
import org.avm4j.table.Scaling;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code avm evaluate}: measures a saved model on labelled data, or cross-validates a learner. */
@Command(
    name = "evaluate",
    description = {
      "Measure a saved model on labelled data, or cross-validate a learner.",
      "With -m, the saved model is measured. With --folds K, the rows are split into K parts, and"
          + " each part is predicted by a model that was trained on the others. If a model has"
          + " probabilities, their quality is reported as well."
    },
    footer = {
      "",
      "Examples:",
      "  avm evaluate test.csv -m model.avm",
      "  avm evaluate test.csv -m model.avm --json",
      "  avm evaluate test.libsvm -m rare.avm --cost fn=10,fp=1",
      "  avm evaluate train.libsvm --folds 5"
    })
final class EvaluateCommand extends ScoringCommand {
  @Option(names = "--json", description = "Print the results as one JSON object.")
  boolean json;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description =
          "Write an HTML report: confusion matrix, calibration, important columns and the largest"
              + " core points.")
  Path html;

  @Option(
      names = "--cost",
      paramLabel = "fn=X,fp=X",
      description =
          "Cost of missing a row of the rarer class (fn) and of a false alarm (fp). Reports the"
              + " cost of the answers and the cheapest threshold. Default: the costs given to avm"
              + " train, if any.")
  Costs cost;

  @Mixin Threads threads;

  @Option(
      names = "--folds",
      paramLabel = "K",
      description = "Cross-validate a learner with K folds instead of measuring a saved model.")
  Integer folds;

  @Option(names = "--scale", paramLabel = "HOW", description = "With --folds: see avm train.")
  Scaling scaling;

  @Option(names = "--probability", description = "With --folds: see avm train.")
  boolean probability;

  @Option(
      names = "--interval",
      paramLabel = "PERCENT",
      description =
          "Measure intervals or sets of labels at this level. The model must have been trained"
              + " with --interval, at any level. Default: the level used in training.")
  Double interval;

  @ArgGroup(validate = false, heading = "%nLearner, with --folds:%n")
  LearnerOptions learner = new LearnerOptions();

  private RareClassText rare;
  private CoverageFigures coverage;
  private AnswerBand band;

  /** The error of repeating the last label, if labels of earlier rows are features; else null. */
  private NoChangeError noChange;

  private final RowSample sample = new RowSample(Importance.MOST_ROWS, true);

  @Override
  public Integer call() throws IOException {
    if (folds != null) {
      return crossValidate();
    }
    checkModel();
    Failure.ifNotWritable(inputs(), scores, html);
    SavedModel saved = SavedModel.load(file);
    rare = new RareClassText(saved.model(), cost);
    Double level = CoverageText.level(interval, saved.model(), file);
    coverage = level == null ? null : new CoverageFigures(level);
    band = level == null ? null : new AnswerBand(level);
    noChange = saved.model().lags().map(NoChangeError::new).orElse(null);
    DataSource source = input.source();
    long start = System.nanoTime();
    Metrics metrics = score(saved, source);
    if (metrics.instances() == 0) {
      throw new Failure(Failure.BAD_DATA, String.join(" ", input.data) + ": no labelled rows");
    }
    if (cost != null && !rare.isDefined()) {
      throw Failure.usage("--cost needs a model with two classes, and rows of both");
    }
    print(metrics, saved, (System.nanoTime() - start) / 1e9);
    return 0;
  }

  private int crossValidate() throws IOException {
    LearnerSpec learning = LearnerOptions.spec(spec);
    if (file != null || scores != null || html != null || cost != null || interval != null) {
      throw Failure.usage(
          "--folds trains its own models and cannot be combined with -m, --scores, --html, --cost"
              + " or --interval");
    }
    if (folds < 2) {
      throw Failure.usage("--folds must be at least 2: " + folds);
    }
    if (learning.isUnsupervised()) {
      throw LearnerOptions.unsupervisedFailure();
    }
    long start = System.nanoTime();
    PreparedData data = PreparedData.look(input.source(), learning, Integer.MAX_VALUE);
    if (data.timeOrder().isKnown() && !quiet) {
      System.err.println(
          "warning: the rows are in chronological order: "
              + data.timeOrder().reason()
              + "; the estimate is too optimistic, because each fold is tested on rows whose"
              + " neighbours in time were learned. train measures on the latest rows instead");
    }
    List<Instance> rows = data.all();
    CrossValidation.Result result;
    try (WorkerPool cores = threads.cores(folds)) {
      result = new CrossValidation(learning, data.schema()).run(rows, folds, cores);
    }
    FoldsReport report = new FoldsReport(result, data.schema()::labelText);
    double seconds = (System.nanoTime() - start) / 1e9;
    System.out.print(json ? Json.of(report.values(seconds)) : report.table(seconds));
    return 0;
  }

  @Override
  boolean measures() {
    return true;
  }

  @Override
  void answered(double label, Prediction answer) {
    rare.add(label, answer);
    if (coverage != null) {
      coverage.add(label, answer);
      if (coverage.answers() % CoverageFigures.WINDOW == 0) {
        coverage.inspect();
      }
      band.add(coverage.answers(), label, answer);
    }
  }

  @Override
  void asked(RowStream row) {
    sample.add(row.features(), row.label());
    if (noChange != null) {
      noChange.add(row.features(), row.label());
    }
  }

  private void print(Metrics metrics, SavedModel saved, double seconds) throws IOException {
    Map<String, Object> figures = metrics.all(saved.model().preparation().schema()::labelText);
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("instances", metrics.instances());
    values.putAll(figures);
    if (coverage != null) {
      values.put("interval", CoverageText.values(coverage));
    }
    YardstickText.addConstant(metrics, values);
    if (noChange != null) {
      values.put("noChangeRmse", noChange.rmse());
    }
    if (rare.isDefined()) {
      values.putAll(rare.values());
    }
    if (!saved.isUnsupervised()) {
      values.put("far", far());
    }
    values.put("size", SizeText.number(saved.model()));
    values.put("seconds", seconds);
    values.put("learner", saved.status().settings());
    Optional<Importance> importance = importance(saved.model(), metrics.instances());
    importance.ifPresent(found -> values.put("importance", ColumnText.values(found)));
    Map<String, String> rows = rows(figures, values, saved.model());
    String columns = importance.map(ColumnText::table).orElse("");
    String table = Text.table(rows) + columns + ConfusionText.of(figures);
    Standard.besides(scores, html).print(json ? Json.of(values) : table);
    if (html != null) {
      new RunPage("avm evaluate " + input.source(), saved.model())
          .importance(importance.orElse(null))
          .of(
              metrics,
              figures,
              rows,
              rare,
              Optional.ofNullable(coverage),
              Optional.ofNullable(band))
          .write(html);
    }
  }

  private Optional<Importance> importance(PreparedModel model, long instances) {
    boolean canMeasure = sample.rows().size() > 1 && !model.task().isUnsupervised();
    return canMeasure
        ? Optional.of(
            Importance.measure(model, sample.rows(), model.preparation().schema(), 1, instances))
        : Optional.empty();
  }

  private Map<String, String> rows(
      Map<String, Object> figures, Map<String, Object> values, PreparedModel model) {
    Map<String, String> rows = new LinkedHashMap<>();
    rows.put("instances", Text.format("%,d", values.get("instances")));
    FigureText.addRows(figures, rows);
    if (coverage != null) {
      CoverageText.addRow(coverage, rows);
    }
    if (rare.isDefined()) {
      rare.addRows(rows);
    }
    YardstickText.addConstantRows(values, rows);
    if (far() > 0) {
      rows.put("far from everything", Text.format("%,d rows", far()));
    }
    rows.put("size", SizeText.of(model));
    rows.put("time", Text.seconds((Double) values.get("seconds")));
    return rows;
  }
}
