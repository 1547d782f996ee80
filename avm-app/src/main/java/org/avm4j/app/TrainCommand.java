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
      "Learn a model from data, in one or more passes, and save it.",
      "Rows of files are taken in a random order, so that a sorted file is learned as well as any."
          + " The figures are of the first pass: each row is answered before it is learned. If rows"
          + " are in the order of time, the latest are held out to measure the model.",
      "In automatic mode, four more learners then take the rows in other orders, on all cores, and"
          + " the model is the mean of the best: more accurate than one, but it does not learn on."
          + " Boosted trees of the same rows stand beside it, with the weight that they deserve on"
          + " rows held out. With --batch all rows are held in memory and the model is found by exact"
          + " Newton passes over the core points."
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
      description = "Save the model there.")
  Path model;

  @Option(
      names = "--passes",
      paramLabel = "N",
      defaultValue = "1",
      description = "How often to go over the data. Default: ${DEFAULT-VALUE}.")
  int passes;

  @Option(
      names = "--batch",
      description =
          "Exact Newton passes over the core points until nothing changes, instead of learning row"
              + " by row; at most --passes of them, 20 if not given. The model does not learn on.")
  boolean batch;

  @Option(
      names = "--average",
      paramLabel = "N",
      description =
          "Save the mean of N learners, each of which takes the rows in another order; 1 saves one"
              + " learner, which can learn on. Default: 5 in automatic mode without --max-size or"
              + " --target-latency, else 1.")
  Integer average;

  @Option(
      names = "--no-trees",
      description =
          "Only learners, without boosted trees beside their mean: the model then has core points"
              + " alone.")
  boolean noTrees;

  @Option(
      names = "--time",
      paramLabel = "TIME",
      description =
          "Stop after that time, such as 60s, 5m or 1h, with what was learned by then. The result"
              + " then depends on the computer.")
  TimeLimit time;

  @Option(
      names = "--cost",
      paramLabel = "fn=X,fp=X",
      description =
          "Cost of missing a row of the rarer of two classes (fn), and of a false alarm (fp). The"
              + " threshold that costs least on held-out rows is kept in the model.")
  Costs cost;

  private long started;

  @Override
  public Integer call() throws IOException {
    started = System.nanoTime();
    if (batch && time != null) {
      throw new Failure(Failure.USAGE, "--time is for learning row by row, not for --batch");
    }
    return batch ? trainBatch() : super.call();
  }

  @Override
  void check() {
    super.check();
    if (cost != null && input.source().isStream()) {
      throw new Failure(
          Failure.USAGE, "--cost needs rows that were held out, so a file, not standard input");
    }
    if (time != null && choosesLags()) {
      throw new Failure(
          Failure.USAGE, "--time is for learning: with it, give the number of --lags, not auto");
    }
    if (average == null || average == 1) {
      return;
    }
    if (average < 1 || average > MeanModel.MOST_MEMBERS) {
      throw new Failure(
          Failure.USAGE, "--average must be from 1 to " + MeanModel.MOST_MEMBERS + ": " + average);
    }
    if (batch || latency != null || !canAverage()) {
      throw new Failure(
          Failure.USAGE,
          "--average needs one pass over shuffled files: no --batch, --passes, --no-shuffle, pipe,"
              + " --target-latency, --task anomaly or --task cluster");
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
    return isAutomatic && !learning().has("max-size") && latency == null;
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
    if (probability || interval != null) {
      throw new Failure(
          Failure.USAGE,
          "--probability and --interval need scores from before learning, --batch has none");
    }
    if (cost != null) {
      throw new Failure(
          Failure.USAGE, "--cost needs rows that were held out, --batch learns all of them");
    }
    if (learning().isUnsupervised()) {
      throw LearnerOptions.unsupervisedFailure();
    }
    if (lags != null) {
      throw new Failure(Failure.USAGE, "--lags is for learning row by row, not for --batch");
    }
    if (html != null || answers != null || scores != null || plot != null) {
      throw new Failure(
          Failure.USAGE,
          "--html, --answers, --scores and --plot show a run row by row, --batch has none; evaluate"
              + " --html shows its model");
    }
    if (checkpoints.file != null) {
      throw new Failure(Failure.USAGE, "--checkpoint is for learning row by row, not for --batch");
    }
    PreparedData data = prepare();
    DefaultRules rules = data.rules(learning()).single();
    AvmOptions options = rules.avmOptions();
    Preparation preparation = rules.preparation();
    List<Instance> rows =
        shuffles() ? PreparedData.shuffled(data.all(), learning().seed()) : data.all();
    long start = System.nanoTime();
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
    System.out.print(json ? Json.of(results) : Text.table(Text.rows(results)));
  }

  /** Turns off adaptation to change: a saved model answers rows in any order. */
  @Override
  LearnerSpec adapt(LearnerSpec typed) {
    if (typed.text("change", "none").equals("auto")) {
      throw new Failure(Failure.USAGE, "--change auto is for online, where the order counts");
    }
    return typed.family().isAutomatic(typed) ? typed.with("change", "none") : typed;
  }

  @Override
  boolean shufflesFiles() {
    return true;
  }

  @Override
  boolean measuresColumns() {
    return true;
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
