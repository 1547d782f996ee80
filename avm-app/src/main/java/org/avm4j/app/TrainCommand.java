package org.avm4j.app;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.avm4j.AvmModel;
import org.avm4j.AvmOptions;
import org.avm4j.Features;
import org.avm4j.Prediction;
import org.avm4j.batch.BatchNewton;
import org.avm4j.data.Instance;
import org.avm4j.eval.Metrics;
import org.avm4j.models.MeanModel;
import org.avm4j.pipeline.Costs;
import org.avm4j.pipeline.Preparation;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.run.Average;
import org.avm4j.run.PreparedData;
import org.avm4j.spec.DefaultRules;
import org.avm4j.spec.LearnerSpec;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code avm train}: learns a model and saves it. */
@Command(
    name = "train",
    description = {
      "Train a model on data, in one or more passes, and save it.",
      "Rows of files are processed in random order, so it does not matter if a file is sorted. The"
          + " figures are those of the first pass: each row is predicted before it is learned. If"
          + " the rows are in chronological order, the model is measured on the latest ones,"
          + " which are held out.",
      "In automatic mode, four more learners then process the rows in other orders, on all cores."
          + " The model is the mean of the best: it is more accurate than a single learner but"
          + " cannot continue learning. Boosted trees are added with the weight that is best on"
          + " held-out rows. With --batch, all rows are held in memory and the model is found by"
          + " exact Newton passes over the core points."
    },
    footer = {
      "",
      "Examples:",
      "  avm train train.libsvm -m model.avm -g 0.5 --passes 3",
      "  avm train train.libsvm -m model.avm --batch --gamma 4 --max-size 300",
      "  avm train table.csv -m model.avm --label class",
      "  avm train train.libsvm -m model.avm --cost fn=10,fp=1",
      "  avm train table.csv -m model.avm --time 60s"
    })
final class TrainCommand extends LearningCommand {
  @Option(
      names = {"-m", "--model"},
      required = true,
      paramLabel = "MODEL",
      description = "File to save the model to.")
  Path model;

  @Option(
      names = "--passes",
      paramLabel = "N",
      defaultValue = "1",
      description = "Number of passes over the data. Default: ${DEFAULT-VALUE}.")
  int passes;

  @Option(
      names = "--batch",
      description =
          "Train by exact Newton passes over the core points until convergence, instead of row by"
              + " row. At most --passes of them, 20 if not given. The model cannot continue"
              + " learning.")
  boolean batch;

  @Option(
      names = "--average",
      paramLabel = "N",
      description =
          "Save the mean of N learners, each trained on the rows in a different order. 1 saves a"
              + " single learner, which can continue learning. Default: 5 in automatic mode"
              + " without --max-size or --target-latency, else 1.")
  Integer average;

  @Option(
      names = "--no-trees",
      description =
          "Do not add boosted trees to the mean of the learners. The model then consists of core"
              + " points alone.")
  boolean noTrees;

  @Option(
      names = "--time",
      paramLabel = "TIME",
      description =
          "Stop after this time, such as 60s, 5m or 1h, and save what was learned. The result"
              + " then depends on the computer.")
  TimeLimit time;

  @Option(
      names = "--cost",
      paramLabel = "fn=X,fp=X",
      description =
          "Cost of missing a row of the rarer of two classes (fn) and of a false alarm (fp). The"
              + " cheapest threshold on held-out rows is saved in the model.")
  Costs cost;

  private long started;

  @Override
  public Integer call() throws IOException {
    started = System.nanoTime();
    if (batch && time != null) {
      throw Failure.usage("--time and --batch cannot be combined");
    }
    return batch ? trainBatch() : super.call();
  }

  @Override
  void check() {
    super.check();
    if (cost != null && input.source().isStream()) {
      throw Failure.usage("--cost needs held-out rows, and so a file, not standard input");
    }
    if (time != null && rowFlags.choosesLags()) {
      throw Failure.usage("--time and --lags auto cannot be combined; give the number of lags");
    }
    if (average == null || average == 1) {
      return;
    }
    if (average < 1 || average > MeanModel.MOST_MEMBERS) {
      throw Failure.usage("--average must be from 1 to " + MeanModel.MOST_MEMBERS + ": " + average);
    }
    if (batch || modelFlags.latency != null || !canAverage()) {
      throw Failure.usage(
          "--average needs one pass over shuffled files and cannot be combined with --batch,"
              + " --passes, --no-shuffle, a pipe, --target-latency, --task anomaly or --task"
              + " cluster");
    }
  }

  private boolean canAverage() {
    return shuffles() && passes == 1 && !input.source().isStream() && !learning().isUnsupervised();
  }

  @Override
  int learners() {
    int usual = isFree() && canAverage() ? Average.USUAL_LEARNERS : 1;
    return average == null ? usual : average;
  }

  /** Whether automatic mode is used without a limit on the size of the model. */
  private boolean isFree() {
    boolean isAutomatic = learning().family().isAutomatic(learning());
    return isAutomatic && !learning().has("max-size") && modelFlags.latency == null;
  }

  @Override
  boolean growsTrees() {
    return !noTrees && isFree();
  }

  @Override
  boolean isOver() {
    return time != null && System.nanoTime() - started > time.time().toNanos();
  }

  private int trainBatch() throws IOException {
    check();
    if (modelFlags.probability || modelFlags.interval != null) {
      throw Failure.usage(
          "--probability and --interval need scores from before learning, which --batch does not"
              + " have");
    }
    if (cost != null) {
      throw Failure.usage("--cost needs held-out rows, but --batch learns all rows");
    }
    if (input.columns.options().time() != null) {
      throw Failure.usage("--time-column needs held-out rows, but --batch learns all rows");
    }
    if (learning().isUnsupervised()) {
      throw LearnerOptions.unsupervisedFailure();
    }
    if (rowFlags.lags != null) {
      throw Failure.usage("--lags and --batch cannot be combined");
    }
    if (output.hasFiles()) {
      throw Failure.usage(
          "--html, --answers, --scores and --plot need a run row by row and cannot be combined"
              + " with --batch; use evaluate --html for its model");
    }
    if (checkpoints.file != null) {
      throw Failure.usage("--checkpoint and --batch cannot be combined");
    }
    PreparedData data = prepare();
    DefaultRules rules = data.rules(learning()).single();
    AvmOptions options = rules.avmOptions();
    Preparation preparation = rules.preparation();
    List<Instance> rows =
        shuffles() ? PreparedData.shuffled(data.all(), learning().seed()) : data.all();
    long start = System.nanoTime();
    EarlyInterrupt.end();
    AvmModel trained =
        BatchNewton.train(
            options,
            rows.stream().map(row -> scaled(preparation, row)).toList(),
            rows.stream().mapToDouble(row -> preparation.labels().transform(row.label())).toArray(),
            passes > 1 ? passes : 20);
    double seconds = (System.nanoTime() - start) / 1e9;
    PreparedModel prepared = new PreparedModel(preparation, trained);
    prepared.save(model);
    print(prepared, rows, seconds);
    return 0;
  }

  private static Features scaled(Preparation preparation, Instance row) {
    return preparation.transform(row.features(), new Features.Buffer());
  }

  private void print(PreparedModel trained, List<Instance> rows, double seconds) {
    Metrics metrics = Metrics.of(trained, false);
    for (Instance row : rows) {
      Prediction answer = trained.answer(row.features());
      metrics.add(row.label(), answer.label(), answer.scores());
    }
    Map<String, Object> results = new LinkedHashMap<>();
    results.put("instances", rows.size());
    results.put(
        "training" + (trained.task().isRegression() ? "Rmse" : "MistakeRate"), metrics.value());
    results.put("cells", trained.status().cells());
    results.put("seconds", seconds);
    results.put("model", model.toString());
    results.put("learner", trained.status().settings());
    System.out.print(output.json ? Json.of(results) : Text.table(Text.rows(results)));
  }

  /** Turns off adaptation to change: a saved model answers rows in any order. */
  @Override
  LearnerSpec adapt(LearnerSpec typed) {
    if (typed.text("change", "none").equals("auto")) {
      throw Failure.usage("--change auto is only for online, where the order of the rows matters");
    }
    return typed.family().isAutomatic(typed) ? typed.with("change", "none") : typed;
  }

  @Override
  boolean shufflesFiles() {
    return true;
  }

  @Override
  boolean measuresColumns() {
    return !batch;
  }

  @Override
  boolean learnsAllAtOnce() {
    return batch;
  }

  @Override
  Optional<Costs> costs() {
    return Optional.ofNullable(cost);
  }

  @Override
  Path model() {
    return model;
  }

  @Override
  int passes() {
    return passes;
  }
}
