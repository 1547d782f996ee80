package org.avm4j.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.avm4j.AvmModel;
import org.avm4j.AvmOptions;
import org.avm4j.Features;
import org.avm4j.Provenance;
import org.avm4j.Status;
import org.avm4j.Status.TreeShape;
import org.avm4j.codec.ModelFile;
import org.avm4j.data.Schema;
import org.avm4j.pipeline.Calibration;
import org.avm4j.pipeline.LabelLags;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.table.Scaling;
import org.avm4j.theory.Bounds;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code avm inspect}: shows what is inside a model. */
@Command(
    name = "inspect",
    description = {
      "Show the contents of a model: options, sizes and core points.",
      "Also shows its provenance, its largest coefficients, the columns that matter, and the"
          + " bounds that the paper's theorems give for its diameter."
    },
    footer = {
      "",
      "Examples:",
      "  avm inspect model.avm",
      "  avm inspect model.avm --top 20 --json"
    })
final class InspectCommand implements Callable<Integer> {
  @Parameters(paramLabel = "MODEL", description = "The model to inspect.")
  Path file;

  @Option(
      names = "--top",
      paramLabel = "N",
      defaultValue = "5",
      description = "Number of largest coefficients to show. Default: ${DEFAULT-VALUE}.")
  int top;

  @Option(names = "--json", description = "Print everything as one JSON object.")
  boolean json;

  @Override
  public Integer call() throws IOException {
    if (top < 0) {
      throw Failure.usage("--top must be at least 0: " + top);
    }
    SavedModel saved = SavedModel.load(file);
    Map<String, Object> values = values(saved);
    if (json) {
      addColumns(saved, values);
    }
    System.out.print(json ? Json.of(values) : text(saved, values));
    return 0;
  }

  private String text(SavedModel saved, Map<String, Object> values) {
    Map<String, String> rows = flat(values);
    rows.put("size", SizeText.of(saved.model()));
    return Text.table(rows) + columns(saved);
  }

  private static Map<String, Object> values(LabelLags lags, Schema table) {
    return Json.members(
        "labels", lags.count(),
        "columns", String.join(", ", lags.names(table)),
        "delay", lags.delay());
  }

  private Map<String, Object> values(SavedModel saved) {
    PreparedModel model = saved.model();
    Status status = saved.status();
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("file", file.toString());
    values.put("writtenBy", saved.writtenBy());
    values.put("learner", status.settings());
    values.put("scale", saved.scaling());
    values.put("classes", saved.classes());
    values.put("size", SizeText.number(model));
    if (status.size() != SizeText.number(model)) {
      values.put("sizeWithAllExperts", status.size());
    }
    values.put("fileBytes", size());
    values.put("frozenBytes", ModelFile.length(saved.frozen()));
    model.calibration().ifPresent(fits -> addCalibration(fits, saved, values));
    model
        .threshold()
        .ifPresent(
            kept ->
                values.put(
                    "threshold",
                    RareClassText.values(kept, saved.classes().get(kept.isUpperRare() ? 1 : 0))));
    model.lags().ifPresent(lags -> values.put("lags", values(lags, model.preparation().schema())));
    model.inspect(AvmModel.class).ifPresent(machine -> addMachine(machine, saved, values));
    status.tree().ifPresent(tree -> addTree(tree, status, values));
    addMembers(model, values);
    status.change().ifPresent(change -> values.put("change", ChangeText.values(change)));
    if (saved.isUnsupervised()) {
      values.put("instances", status.instances());
    }
    if (!Double.isNaN(status.threshold())) {
      values.put("diameter", status.diameter());
      values.put("threshold", status.threshold());
    }
    model
        .clusters()
        .ifPresent(found -> values.putAll(ClusterText.values(found, model.preparation().schema())));
    return values;
  }

  /** Adds the members of a model that is a mean of learners. */
  private static void addMembers(PreparedModel mean, Map<String, Object> values) {
    List<PreparedModel> members = mean.members();
    double[] weights = mean.memberWeights();
    boolean isEqual = Arrays.stream(weights).allMatch(weight -> weight == weights[0]);
    for (int m = 0; m < members.size(); m++) {
      values.putIfAbsent("instances", members.get(m).status().instances());
      values.put("learner" + (m + 1), member(members.get(m), weights[m], isEqual));
    }
  }

  private static Map<String, Object> member(PreparedModel model, double weight, boolean isEqual) {
    Map<String, Object> values = new LinkedHashMap<>();
    if (!isEqual) {
      values.put("weight", weight);
    }
    values.put("size", model.status().size());
    model.preparations().stream()
        .map(preparation -> preparation.scaler().scaling())
        .filter(scaling -> scaling != Scaling.NONE)
        .forEach(scaling -> values.put("scale", scaling.word()));
    for (String name : List.of("kernel", "gamma", "prior", "rounds", "trees")) {
      values.put(name, model.status().settings().get(name));
    }
    values.values().removeIf(Objects::isNull);
    return values;
  }

  /** Adds the weights of columns, and their importance as measured in training. */
  private static void addColumns(SavedModel saved, Map<String, Object> values) {
    Map<String, Double> weights = saved.model().columnWeights();
    if (!weights.isEmpty()) {
      values.put("weights", weights);
    }
    saved.importance().ifPresent(found -> values.put("importance", ColumnText.values(found)));
  }

  private static String columns(SavedModel saved) {
    Map<String, Double> weights = saved.model().columnWeights();
    String counts =
        weights.isEmpty() ? "" : Text.table(Map.of("column weights", ColumnText.weights(weights)));
    return counts + saved.importance().map(ColumnText::table).orElse("");
  }

  private long size() {
    try {
      return Files.size(file);
    } catch (IOException gone) {
      throw new UncheckedIOException(gone);
    }
  }

  /** Adds the shape of a tree, and the leaves with the largest share of the stream. */
  private void addTree(TreeShape tree, Status status, Map<String, Object> values) {
    values.put("instances", status.instances());
    values.put("regions", tree.regions());
    values.put("depth", tree.depth());
    values.put("leaves", tree.leaves().size());
    List<TreeShape.Leaf> largest =
        tree.leaves().stream()
            .sorted(Comparator.comparingDouble(TreeShape.Leaf::share).reversed())
            .limit(top)
            .toList();
    for (int i = 0; i < largest.size(); i++) {
      values.put("leaf" + (i + 1), leaf(largest.get(i)));
    }
  }

  private static Map<String, Object> leaf(TreeShape.Leaf leaf) {
    return Json.members(
        "depth", leaf.depth(),
        "points", leaf.points(),
        "share", leaf.share(),
        "gate", leaf.gate(),
        "lossBefore", leaf.lossBefore(),
        "lossAfter", leaf.lossAfter());
  }

  /** Adds the common factor of a softmax, or the Platt scaling of each label. */
  private static void addCalibration(
      Calibration calibration, SavedModel saved, Map<String, Object> values) {
    if (calibration.isSoftmax()) {
      values.put("softmaxFactor", calibration.slope(calibration.labels()[0]));
    } else {
      values.put("calibration", fits(saved, calibration));
    }
  }

  /** The slope and offset of the Platt scaling of each label. */
  private static Map<String, Object> fits(SavedModel saved, Calibration calibration) {
    Map<String, Object> fits = new LinkedHashMap<>();
    for (double label : calibration.labels()) {
      double given = saved.model().preparation().labels().inverse(label);
      fits.put(saved.text(given), List.of(calibration.slope(label), calibration.offset(label)));
    }
    return fits;
  }

  private void addMachine(AvmModel machine, SavedModel saved, Map<String, Object> values) {
    Status status = saved.status();
    values.put("cells", status.cells());
    values.put("supportVectors", status.supportVectors());
    values.put("instances", status.instances());
    values.put("atLimit", status.atLimit());
    values.put("features", machine.dimension());
    if (hasBounds(machine.provenance().options())) {
      values.put("bounds", bounds(machine.provenance()));
    }
    Schema schema = saved.model().preparation().schema();
    values.put("largestCoefficients", largest(machine, schema));
  }

  /** Whether the theorems of the paper apply to a learner with these options. */
  private static boolean hasBounds(AvmOptions options) {
    boolean knowsYMax = !options.task().isRegression() || options.yMax() > 0;
    boolean isThePapers =
        !options.forgetting().forgets()
            && options.classWeights().isUniform()
            && !options.update().isSecondOrder();
    return knowsYMax && isThePapers;
  }

  private static Map<String, Object> bounds(Provenance provenance) {
    Bounds bounds = Bounds.of(provenance.options());
    long t = Math.max(1, provenance.instances());
    return Json.members(
        "featureDiameter", bounds.featureDiameter(),
        "gap", bounds.gap(t),
        "regret", bounds.regret(t),
        "modelSize", bounds.modelSize(t, provenance.cells()));
  }

  private List<Map<String, Object>> largest(AvmModel model, Schema schema) {
    List<Map<String, Object>> largest = new ArrayList<>();
    IntStream.range(0, model.size())
        .boxed()
        .sorted((i, j) -> Double.compare(weight(model, j), weight(model, i)))
        .limit(top)
        .forEach(
            j -> {
              Map<String, Object> row = new LinkedHashMap<>();
              row.put(
                  "coefficients",
                  IntStream.range(0, model.columns())
                      .mapToObj(c -> model.coefficient(c, j))
                      .toList());
              row.put("vector", vector(model.vector(j), schema));
              largest.add(row);
            });
    return largest;
  }

  private static double weight(AvmModel model, int j) {
    double sum = 0;
    for (int c = 0; c < model.columns(); c++) {
      sum += model.coefficient(c, j) * model.coefficient(c, j);
    }
    return sum;
  }

  /** The entries of a vector with feature names; at most twelve. */
  private static String vector(Features x, Schema schema) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < Math.min(12, x.count()); i++) {
      text.append(i == 0 ? "" : " ").append(schema.featureName(x.index(i))).append(':');
      text.append(Text.number(x.value(i)));
    }
    return text.append(x.count() > 12 ? " …" : "").toString();
  }

  private Map<String, String> flat(Map<String, Object> values) {
    Map<String, String> rows = new LinkedHashMap<>();
    values.forEach((name, value) -> addFlat(FigureText.words(name), value, rows));
    return rows;
  }

  private void addFlat(String key, Object value, Map<String, String> rows) {
    if (value instanceof Map<?, ?> map) {
      boolean isByClass = key.equals("calibration");
      map.forEach((inner, of) -> rows.put(key + " " + name(inner.toString(), isByClass), text(of)));
    } else if (value instanceof List<?> list && key.equals("largest coefficients")) {
      for (int i = 0; i < list.size(); i++) {
        Map<?, ?> entry = (Map<?, ?>) list.get(i);
        rows.put(key + " " + (i + 1), entry.get("coefficients") + " at " + entry.get("vector"));
      }
    } else if (value instanceof List<?> list && key.equals("clusters")) {
      for (Object one : list) {
        Map<?, ?> cluster = (Map<?, ?>) one;
        rows.put("cluster " + cluster.get("number"), ClusterText.line(cluster));
      }
    } else if (value instanceof List<?> list && key.equals("last events")) {
      for (int i = Math.max(0, list.size() - top); i < list.size(); i++) {
        Map<?, ?> event = (Map<?, ?>) list.get(i);
        rows.put("event " + (i + 1), event.get("event") + " at instance " + event.get("instance"));
      }
    } else {
      rows.put(key, text(value));
    }
  }

  /** A name in words; the name of a class is not changed. */
  private static String name(String inner, boolean isClass) {
    return isClass ? inner : FigureText.words(inner);
  }

  private static String text(Object value) {
    return value instanceof Double || value instanceof Long
        ? Text.number(((Number) value).doubleValue())
        : String.valueOf(value);
  }
}
