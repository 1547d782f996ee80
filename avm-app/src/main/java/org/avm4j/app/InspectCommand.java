package org.avm4j.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.avm4j.AnomalyDetector;
import org.avm4j.Avm;
import org.avm4j.AvmModel;
import org.avm4j.Bounds;
import org.avm4j.Features;
import org.avm4j.Forgetting;
import org.avm4j.Provenance;
import org.avm4j.Task;
import org.avm4j.Update;
import org.avm4j.codec.ModelFile;
import org.avm4j.data.Schema;
import org.avm4j.auto.AutoAvm;
import org.avm4j.pipeline.Calibration;
import org.avm4j.pipeline.PreparedModel;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code avm inspect}: what is inside a model. */
@Command(
    name = "inspect",
    description = {
      "Show what is inside a model: options, provenance, cells, the largest coefficients, and what the",
      "theorems promise for its diameter."
    },
    footer = {
      "",
      "Examples:",
      "  avm inspect model.avm",
      "  avm inspect model.avm --top 20 --json"
    })
final class InspectCommand implements Callable<Integer> {
  @Parameters(paramLabel = "MODEL", description = "The model to look into.")
  Path file;

  @Option(
      names = "--top",
      paramLabel = "N",
      defaultValue = "5",
      description = "How many of the largest coefficients to show. Default: ${DEFAULT-VALUE}.")
  int top;

  @Option(names = "--json", description = "Print all as one JSON object.")
  boolean json;

  @Override
  public Integer call() throws IOException {
    if (top < 0) {
      throw new Failure(Failure.USAGE, "--top must be at least 0: " + top);
    }
    PreparedModel model = Learners.load(file);
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("file", file.toString());
    values.put("writtenBy", ModelFile.parse(Files.readAllBytes(file)).libraryVersion());
    values.put("learner", Description.of(model.predictor()));
    values.put("scale", model.preparation().scaler().scaling().name().toLowerCase(Locale.ROOT));
    values.put("classes", labels(model));
    values.put("size", Learners.size(model.predictor()));
    model
        .calibration()
        .ifPresent(calibration -> values.put("calibration", fits(model, calibration)));
    Schema schema = model.preparation().schema();
    if (Learners.machine(model.predictor()) instanceof Avm avm) {
      addAvm(avm.snapshot(), schema, values);
    } else if (model.predictor() instanceof AvmModel frozen) {
      addAvm(frozen, schema, values);
    } else if (model.predictor() instanceof AnomalyDetector detector) {
      values.put("instances", detector.instances());
      values.put("diameter", detector.diameter());
      values.put("threshold", detector.threshold());
    }
    if (model.predictor() instanceof AutoAvm auto) {
      values.put("scale", Choices.name(auto.scaling()));
      values.put("instances", auto.instances());
    }
    System.out.print(json ? Json.of(values) : Text.table(flat("", values, new LinkedHashMap<>())));
    return 0;
  }

  /** a and b of the fit of each label. */
  private static Map<String, Object> fits(PreparedModel model, Calibration calibration) {
    Map<String, Object> fits = new LinkedHashMap<>();
    for (double label : calibration.labels()) {
      double[] fit = calibration.fitOf(label);
      double given = model.preparation().labels().given(label);
      fits.put(Learners.answer(model, given), List.of(fit[0], fit[1]));
    }
    return fits;
  }

  private static List<String> labels(PreparedModel model) {
    List<String> labels = new ArrayList<>();
    for (double label : model.classes()) {
      labels.add(Learners.answer(model, label));
    }
    return labels;
  }

  private void addAvm(AvmModel model, Schema schema, Map<String, Object> values) {
    Provenance provenance = model.provenance();
    values.put("cells", provenance.cells());
    values.put("supportVectors", provenance.supportVectors());
    values.put("instances", provenance.instances());
    values.put("atLimit", provenance.atLimit());
    values.put("features", model.dimension());
    boolean knowsYMax =
        !(provenance.options().task() instanceof Task.Regression)
            || provenance.options().yMax() > 0;
    boolean isThePapers =
        provenance.options().forgetting() instanceof Forgetting.None
            && provenance.options().classWeights().areEven();
    if (knowsYMax && isThePapers && provenance.options().update() instanceof Update.Sgd) {
      values.put("bounds", bounds(provenance));
    }
    values.put("largestCoefficients", largest(model, schema));
  }

  private static Map<String, Object> bounds(Provenance provenance) {
    Bounds bounds = Bounds.of(provenance.options());
    long t = Math.max(1, provenance.instances());
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("featureDiameter", bounds.featureDiameter());
    values.put("gap", bounds.gap(t));
    values.put("regret", bounds.regret(t));
    values.put("modelSize", bounds.modelSize(t, provenance.cells()));
    return values;
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

  /** The entries of a vector by the names of its features; long vectors are cut. */
  private static String vector(Features x, Schema schema) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < Math.min(12, x.count()); i++) {
      text.append(i == 0 ? "" : " ").append(schema.featureName(x.index(i))).append(':');
      text.append(Text.number(x.value(i)));
    }
    return text.append(x.count() > 12 ? " …" : "").toString();
  }

  private static Map<String, String> flat(
      String prefix, Map<String, Object> values, Map<String, String> rows) {
    values.forEach(
        (name, value) -> {
          String key = prefix + Report.words(name);
          if (value instanceof Map<?, ?> map) {
            map.forEach(
                (inner, of) -> rows.put(key + " " + Report.words(inner.toString()), text(of)));
          } else if (value instanceof List<?> list && name.equals("largestCoefficients")) {
            int i = 1;
            for (Object row : list) {
              Map<?, ?> entry = (Map<?, ?>) row;
              rows.put(key + " " + i++, entry.get("coefficients") + " at " + entry.get("vector"));
            }
          } else {
            rows.put(key, text(value));
          }
        });
    return rows;
  }

  private static String text(Object value) {
    return value instanceof Double number ? Text.number(number) : String.valueOf(value);
  }
}
