package org.avm4j.app;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.avm4j.eval.Metrics;
import org.avm4j.pipeline.PreparedModel;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code avm evaluate}: how good a saved model is on labelled data. */
@Command(
    name = "evaluate",
    description = {
      "Measure a saved model on labelled data, without learning from it.",
      "A model that was learned with --probability is also measured by its probabilities."
    },
    footer = {
      "",
      "Examples:",
      "  avm evaluate test.libsvm -m model.avm",
      "  avm evaluate test.libsvm -m model.avm --json"
    })
final class EvaluateCommand extends ScoringCommand {
  @Option(names = "--json", description = "Print the results as one JSON object.")
  boolean json;

  @Override
  public Integer call() throws IOException {
    Failure.ifNotWritable(scores, input.data);
    PreparedModel model = Learners.load(file);
    long start = System.nanoTime();
    try (Input rows = open(model)) {
      Metrics metrics = score(model, rows);
      if (metrics.instances() == 0) {
        throw new Failure(Failure.BAD_DATA, String.join(" ", input.data) + ": no labelled rows");
      }
      print(metrics, model, (System.nanoTime() - start) / 1e9);
    }
    return 0;
  }

  @Override
  void answered(double label, double answer, double[] probabilities) {}

  private void print(Metrics metrics, PreparedModel model, double seconds) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("instances", metrics.instances());
    values.putAll(metrics.all(model.preparation().schema()::labelText));
    values.put("size", Learners.size(model.predictor()));
    values.put("seconds", seconds);
    values.put("learner", Description.of(model.predictor()));
    System.out.print(json ? Json.of(values) : table(metrics, model, seconds));
  }

  private static String table(Metrics metrics, PreparedModel model, double seconds) {
    Map<String, String> rows = new LinkedHashMap<>();
    rows.put("instances", String.format(Locale.ROOT, "%,d", metrics.instances()));
    Report.addMetrics(metrics.all(model.preparation().schema()::labelText), rows);
    rows.put("size", String.format(Locale.ROOT, "%,d", Learners.size(model.predictor())));
    rows.put("time", Text.seconds(seconds));
    return Text.table(rows);
  }
}
