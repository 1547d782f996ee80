package org.avm4j.app;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.avm4j.Avm;
import org.avm4j.AvmModel;
import org.avm4j.Bounds;
import org.avm4j.Features;
import org.avm4j.data.Schema;
import org.avm4j.pipeline.Pipeline;
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
  Path model;

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
    Pipeline pipeline = Learners.load(model);
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("file", model.toString());
    values.put("learner", LearnerOptions.describe(pipeline.learner()));
    values.put("scale", pipeline.scaler().scaling().name().toLowerCase(Locale.ROOT));
    values.put("classes", labels(pipeline));
    values.put("size", pipeline.size());
    if (pipeline.learner() instanceof Avm avm) {
      addAvm(avm, pipeline.schema(), values);
    }
    System.out.print(json ? Json.of(values) : Text.table(flat("", values, new LinkedHashMap<>())));
    return 0;
  }

  private static List<String> labels(Pipeline pipeline) {
    List<String> labels = new ArrayList<>();
    for (double label : pipeline.classes()) {
      labels.add(pipeline.schema().labelText(label));
    }
    return labels;
  }

  private void addAvm(Avm avm, Schema schema, Map<String, Object> values) {
    values.put("cells", avm.cells());
    values.put("supportVectors", avm.supportVectors());
    values.put("instances", avm.instances());
    values.put("atLimit", avm.atLimit());
    values.put("features", avm.dimension());
    values.put("libraryVersion", avm.provenance().libraryVersion());
    values.put("bounds", bounds(avm));
    values.put("largestCoefficients", largest(avm.snapshot(), schema));
  }

  private static Map<String, Object> bounds(Avm avm) {
    Bounds bounds = Bounds.of(avm.options());
    long t = Math.max(1, avm.instances());
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("featureDiameter", bounds.featureDiameter());
    values.put("gap", bounds.gap(t));
    values.put("regret", bounds.regret(t));
    values.put("modelSize", bounds.modelSize(t, avm.cells()));
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
