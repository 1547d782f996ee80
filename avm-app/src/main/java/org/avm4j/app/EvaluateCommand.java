package org.avm4j.app;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.avm4j.Prediction;
import org.avm4j.eval.Metrics;
import org.avm4j.run.DataSource;
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
      "  avm evaluate test.csv -m model.avm",
      "  avm evaluate test.csv -m model.avm --json"
    })
final class EvaluateCommand extends ScoringCommand {
  @Option(names = "--json", description = "Print the results as one JSON object.")
  boolean json;

  @Override
  public Integer call() throws IOException {
    Failure.ifNotWritable(scores, input.data);
    SavedModel saved = SavedModel.load(file);
    DataSource source = input.source();
    long start = System.nanoTime();
    Metrics metrics = score(saved, source);
    if (metrics.instances() == 0) {
      throw new Failure(Failure.BAD_DATA, String.join(" ", input.data) + ": no labelled rows");
    }
    print(metrics, saved, (System.nanoTime() - start) / 1e9);
    return 0;
  }

  @Override
  boolean measures() {
    return true;
  }

  @Override
  void answered(double label, Prediction answer) {}

  private void print(Metrics metrics, SavedModel saved, double seconds) {
    Map<String, Object> figures = metrics.all(saved.model().preparation().schema()::labelText);
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("instances", metrics.instances());
    values.putAll(figures);
    values.put("size", saved.status().size());
    values.put("seconds", seconds);
    values.put("learner", saved.status().settings());
    System.out.print(json ? Json.of(values) : table(figures, values));
  }

  private static String table(Map<String, Object> figures, Map<String, Object> values) {
    Map<String, String> rows = new LinkedHashMap<>();
    rows.put("instances", String.format(Locale.ROOT, "%,d", values.get("instances")));
    FigureText.addRows(figures, rows);
    rows.put("size", String.format(Locale.ROOT, "%,d", values.get("size")));
    rows.put("time", Text.seconds((Double) values.get("seconds")));
    return Text.table(rows);
  }
}
