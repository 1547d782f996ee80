package org.avm4j.app;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.avm4j.AvmModel;
import org.avm4j.AvmOptions;
import org.avm4j.BatchNewton;
import org.avm4j.Task;
import org.avm4j.data.Instance;
import org.avm4j.eval.Metrics;
import org.avm4j.eval.RegressionMetrics;
import org.avm4j.pipeline.Labels;
import org.avm4j.pipeline.Preparation;
import org.avm4j.pipeline.PreparedModel;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code avm train}: learn a model and save it. */
@Command(
    name = "train",
    description = {
      "Learn a model from data, in one or more passes, and save it.",
      "The figures are prequential: those of a second pass are of instances seen before. With --batch",
      "all rows are held in memory and the model is found by exact Newton passes over the core points."
    },
    footer = {
      "",
      "Examples:",
      "  avm train train.libsvm -m model.avm -g 0.5 --passes 3 --shuffle",
      "  avm train train.libsvm -m model.avm --batch --gamma 4 --max-size 300",
      "  avm train table.csv -m model.avm --label class --scale standard"
    })
final class TrainCommand extends LearningCommand {
  @Option(
      names = {"-m", "--model"},
      required = true,
      paramLabel = "MODEL",
      description = "Save the learner there.")
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

  @Override
  public Integer call() throws IOException {
    return batch ? trainBatch() : super.call();
  }

  private int trainBatch() throws IOException {
    check();
    if (probability) {
      throw new Failure(
          Failure.USAGE, "--probability needs scores from before learning, --batch has none");
    }
    Prepared data = prepare();
    Task task = data.task(learner);
    AvmOptions options = learner.options(task, data.survey(), data.rows(), data.learned(learner));
    Preparation preparation = data.preparation(learner);
    List<Instance> all = shuffle ? shuffled(data.all(), learner.seed) : data.all();
    List<Instance> rows = data.scaled(all);
    Labels labels = preparation.labels();
    long start = System.nanoTime();
    AvmModel trained =
        BatchNewton.train(
            options,
            rows.stream().map(Instance::features).toList(),
            rows.stream().mapToDouble(row -> labels.learned(row.label())).toArray(),
            passes > 1 ? passes : 20);
    double seconds = (System.nanoTime() - start) / 1e9;
    PreparedModel.save(model, preparation, trained);
    print(trained, labels, rows, seconds);
    return 0;
  }

  private void print(AvmModel trained, Labels labels, List<Instance> rows, double seconds) {
    Metrics metrics = Learners.metrics(trained);
    double[] values = new double[trained.columns()];
    for (Instance row : rows) {
      trained.score(row.features(), values);
      metrics.add(row.label(), labels.given(trained.predict(row.features())), values);
    }
    Map<String, Object> results = new LinkedHashMap<>();
    results.put("instances", rows.size());
    results.put(
        "training" + (metrics instanceof RegressionMetrics ? "Rmse" : "MistakeRate"),
        metrics.value());
    results.put("cells", trained.provenance().cells());
    results.put("seconds", seconds);
    results.put("model", model.toString());
    results.put("learner", Description.of(trained));
    System.out.print(json ? Json.of(results) : Text.table(Text.rows(results)));
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
