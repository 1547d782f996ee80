package org.avm4j.app;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.avm4j.Features;
import org.avm4j.data.Instance;
import org.avm4j.data.InstanceReader;
import org.avm4j.data.Schema;
import org.avm4j.eval.Metrics;
import org.avm4j.explain.ChangeStudy;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.run.DataSource;
import org.avm4j.run.PreparedData;
import org.avm4j.run.RowStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code avm compare}: what changed between two files. */
@Command(
    name = "compare",
    description = {
      "Show what changed between two files: the columns, the labels, or the relation between"
          + " them.",
      "A column moved if the distribution of its values changed. Its effect changed if the labels"
          + " depend on it in a different way, which needs 100 rows with a label in each file. About"
          + " one comparison in a hundred raises a false alarm."
    },
    footer = {
      "",
      "Examples:",
      "  avm compare train.csv test.csv",
      "  avm compare train.libsvm test.libsvm -m model.avm --json"
    })
final class CompareCommand implements Callable<Integer> {
  /** Maximum number of rows per file; more would reveal changes too small to matter. */
  private static final int MOST_ROWS = 5000;

  @Mixin InputOptions input;

  @Option(
      names = {"-m", "--model"},
      paramLabel = "MODEL",
      description = "A saved model. Its error on both files is compared as well.")
  Path file;

  @Option(names = "--json", description = "Print everything as one JSON object.")
  boolean json;

  private final LabelChange labels = new LabelChange();
  private PreparedModel model;
  private Schema schema;

  @Override
  public Integer call() throws IOException {
    DataSource both = input.source();
    if (both.names().size() != 2) {
      throw Failure.usage(
          "compare needs exactly two files, the old and the new; found " + both.names());
    }
    model = file == null ? null : SavedModel.load(file).model();
    List<Instance> before = read(both, 0);
    List<Instance> after = read(both, 1);
    if (before.isEmpty() || after.isEmpty()) {
      throw new Failure(Failure.BAD_DATA, both.names().get(before.isEmpty() ? 0 : 1) + ": no rows");
    }
    Map<String, Object> values = values(before, after);
    System.out.print(json ? Json.of(values) : text(values));
    return 0;
  }

  private List<Instance> read(DataSource both, int which) throws IOException {
    DataSource one =
        new DataSource(List.of(both.names().get(which)), both.options(), both.skipsBadLines());
    if (model != null) {
      schema = model.preparation().schema();
    }
    if (schema == null) {
      PreparedData data = PreparedData.survey(one);
      schema = data.schema();
      try (InstanceReader rows = data.open()) {
        return sample(rows, which);
      }
    }
    if (model != null && model.lags().isPresent()) {
      throw Failure.usage(
          file + ": uses the labels of earlier rows (--lags); compare the files without -m");
    }
    try (RowStream rows = one.open(schema.frozen())) {
      List<Instance> found = sample(rows, which);
      InputOptions.tell(rows.notes());
      InputOptions.tell(rows.leftOut());
      return found;
    }
  }

  private List<Instance> sample(InstanceReader rows, int which) throws IOException {
    labels.use(schema);
    RowSample sample = new RowSample(MOST_ROWS, false);
    while (rows.next()) {
      sample.add(rows.features(), labels.add(rows, which));
    }
    return sample.rows();
  }

  private Map<String, Object> values(List<Instance> before, List<Instance> after) {
    List<ChangeStudy.Changed> moved = study(before, after).moved();
    List<Instance> old = LabelChange.labelled(before);
    List<Instance> now = LabelChange.labelled(after);
    boolean isLabelled =
        labels.areComparable() && LabelChange.areEnough(old) && LabelChange.areEnough(now);
    List<ChangeStudy.Changed> effects = isLabelled ? effects(old, now) : List.of();
    boolean labelsMoved = isLabelled && labels.moved(old, now);
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("verdict", verdict(moved, effects, labelsMoved));
    values.put("rowsBefore", before.size());
    values.put("rowsAfter", after.size());
    values.put("moved", moved.stream().map(CompareCommand::moved).toList());
    values.put("effects", effects.stream().map(CompareCommand::effect).toList());
    if (!labels.areNone()) {
      values.put("labelledPercent", labels.labelledPercent());
    }
    if (!labels.shares().isEmpty()) {
      values.put("labels", labels.shares());
    }
    if (model != null && isLabelled) {
      values.put(name() + "Before", error(old));
      values.put(name() + "After", error(now));
    }
    return values;
  }

  private ChangeStudy study(List<Instance> before, List<Instance> after) {
    return new ChangeStudy(features(before), features(after), schema);
  }

  private static List<Features> features(List<Instance> rows) {
    return rows.stream().map(Instance::features).toList();
  }

  private List<ChangeStudy.Changed> effects(List<Instance> old, List<Instance> now) {
    double[] of = Stream.concat(old.stream(), now.stream()).mapToDouble(Instance::label).toArray();
    boolean areClasses = model == null ? labels.hasClasses() : !model.task().isRegression();
    return study(old, now).effects(of, areClasses, labels::text);
  }

  private String verdict(
      List<ChangeStudy.Changed> moved, List<ChangeStudy.Changed> effects, boolean labelsMoved) {
    String inputs = moved.isEmpty() ? "the inputs did not change" : "the inputs changed";
    if (labels.problem().isPresent()) {
      return inputs + "; " + labels.problem().get();
    }
    if (!labels.areComparable()) {
      return inputs + (moved.isEmpty() ? "; there are no labels to compare" : "");
    }
    if (labels.fewest() < ChangeStudy.FEWEST_LABELLED) {
      return (labelsMoved ? "the labels changed, " + inputs : inputs)
          + Text.format(
              "; changed effects were not looked for, which needs %d rows with a label in each"
                  + " file, found %d",
              ChangeStudy.FEWEST_LABELLED, labels.fewest());
    }
    if (!effects.isEmpty()) {
      return moved.isEmpty()
          ? "the relation to the labels changed, the inputs did not"
          : "the inputs and their relation to the labels changed";
    }
    if (!moved.isEmpty()) {
      return "the inputs changed, their relation to the labels did not";
    }
    return labelsMoved ? "the labels changed, the inputs did not" : "nothing changed";
  }

  private static Map<String, Object> moved(ChangeStudy.Changed change) {
    return Json.members(
        "column", change.column(),
        "percent", 100 * change.size(),
        "before", change.before(),
        "after", change.after());
  }

  /** An effect, which may explain more than the difference if others make up for some of it. */
  private static Map<String, Object> effect(ChangeStudy.Changed change) {
    return Json.members(
        "column", change.column(),
        "explainsPercent", Math.min(100, 100 * change.size()),
        "before", change.before(),
        "after", change.after());
  }

  private Metrics measured(List<Instance> rows) {
    Metrics metrics = Metrics.of(model, !schema.labels().isEmpty());
    rows.forEach(
        row ->
            metrics.add(row.label(), model.predict(row.features()), model.score(row.features())));
    return metrics;
  }

  private String name() {
    return measured(List.of()).name();
  }

  private double error(List<Instance> rows) {
    return measured(rows).value();
  }

  private String text(Map<String, Object> values) {
    StringBuilder text = new StringBuilder(values.get("verdict") + System.lineSeparator());
    for (Object each : (List<?>) values.get("moved")) {
      Map<?, ?> change = (Map<?, ?>) each;
      text.append(
          Text.format(
              "  %s moved: %.1f %% of its rows; %s, then %s%n",
              change.get("column"),
              change.get("percent"),
              change.get("before"),
              change.get("after")));
    }
    for (Object each : (List<?>) values.get("effects")) {
      Map<?, ?> change = (Map<?, ?>) each;
      text.append(
          Text.format(
              "  the effect of %s changed: it explains %.1f %% of the difference; %s, then %s%n",
              change.get("column"),
              change.get("explainsPercent"),
              change.get("before"),
              change.get("after")));
    }
    text.append(labels.lines());
    if (model != null && values.containsKey(name() + "Before")) {
      text.append(
          Text.format(
              "  %s of the model: %s, then %s%n",
              FigureText.words(name()),
              FigureText.text(name(), (Double) values.get(name() + "Before")),
              FigureText.text(name(), (Double) values.get(name() + "After"))));
    }
    return text.toString();
  }
}
