package org.avm4j.serve;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.avm4j.Features;
import org.avm4j.Prediction;
import org.avm4j.data.Column;
import org.avm4j.data.Row;

/**
 * The Open Inference Protocol, version 2, in its JSON form: a tensor for each column, or one tensor
 * of numbers with a row for each instance and a place for each column.
 */
final class Inference {
  private static final int MAX_ROWS = 100_000;

  private Inference() {}

  static Map<String, Object> metadata(ServedModel model) {
    Published now = model.published();
    List<Object> inputs = new ArrayList<>();
    for (Column column : now.schema().columns()) {
      inputs.add(tensor(column.name(), column.isNumeric() ? "FP64" : "BYTES", List.of(-1)));
    }
    if (inputs.isEmpty()) {
      inputs.add(tensor("features", "FP64", List.of(-1, -1)));
    }
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", model.name());
    json.put("versions", List.of());
    json.put("platform", "avm");
    json.put("inputs", inputs);
    json.put(
        "outputs",
        List.of(
            tensor("label", labelType(now), List.of(-1)),
            tensor("scores", "FP64", List.of(-1, -1))));
    return json;
  }

  private static String labelType(Published now) {
    return now.schema().labels().isEmpty() ? "FP64" : "BYTES";
  }

  private static Map<String, Object> tensor(String name, String type, List<Integer> shape) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", name);
    json.put("datatype", type);
    json.put("shape", shape);
    return json;
  }

  static Map<String, Object> infer(ServedModel model, Map<String, Object> request) {
    Published now = model.published();
    List<Row> rows = rows(now, list(request.get("inputs"), "inputs"));
    List<Object> labels = new ArrayList<>();
    List<Object> scores = new ArrayList<>();
    List<Object> probabilities = new ArrayList<>();
    int width = 0;
    int likely = 0;
    for (int i = 0; i < rows.size(); i++) {
      Prediction answer = model.door().answer(now, rows.get(i), i + 1);
      labels.add(now.sent(answer, null).label());
      width = answer.scores().length;
      likely = answer.probabilities().length;
      for (double score : answer.scores()) {
        scores.add(score);
      }
      for (double probability : answer.probabilities()) {
        probabilities.add(probability);
      }
    }
    List<Object> outputs = new ArrayList<>();
    outputs.add(output("label", labelType(now), List.of(rows.size()), labels));
    outputs.add(output("scores", "FP64", List.of(rows.size(), width), scores));
    if (likely > 0) {
      outputs.add(output("probabilities", "FP64", List.of(rows.size(), likely), probabilities));
    }
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("model_name", model.name());
    json.put("model_version", Long.toString(now.sequence()));
    if (request.get("id") != null) {
      json.put("id", request.get("id").toString());
    }
    json.put("outputs", outputs);
    return json;
  }

  private static Map<String, Object> output(
      String name, String type, List<Integer> shape, List<Object> data) {
    Map<String, Object> json = tensor(name, type, shape);
    json.put("data", data);
    return json;
  }

  private static List<Row> rows(Published now, List<?> inputs) {
    List<Tensor> tensors = inputs.stream().map(Tensor::of).toList();
    if (tensors.isEmpty()) {
      throw Problem.malformed("expected at least one tensor in \"inputs\"");
    }
    int n = tensors.get(0).rows();
    for (Tensor tensor : tensors) {
      if (tensor.rows() != n) {
        throw Problem.malformed("all tensors must have the same number of rows: " + tensor.name);
      }
    }
    boolean isMatrix =
        tensors.size() == 1 && tensors.get(0).width() > 1 || now.schema().columns().isEmpty();
    return isMatrix ? byPlace(now, tensors.get(0)) : byName(tensors, n);
  }

  private static List<Row> byName(List<Tensor> tensors, int n) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      Map<String, Object> row = new LinkedHashMap<>();
      for (Tensor tensor : tensors) {
        row.put(tensor.name, tensor.data.get(i));
      }
      rows.add(Row.named(row, null));
    }
    return rows;
  }

  private static List<Row> byPlace(Published now, Tensor tensor) {
    List<Column> columns = now.schema().columns();
    int width = tensor.width();
    if (!columns.isEmpty() && columns.size() != width) {
      throw Problem.refused("the model has " + columns.size() + " columns, found rows of " + width);
    }
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < tensor.rows(); i++) {
      List<?> values = tensor.data.subList(i * width, (i + 1) * width);
      rows.add(columns.isEmpty() ? indexed(values) : named(columns, values));
    }
    return rows;
  }

  private static Row named(List<Column> columns, List<?> values) {
    Map<String, Object> row = new LinkedHashMap<>();
    for (int i = 0; i < columns.size(); i++) {
      row.put(columns.get(i).name(), values.get(i));
    }
    return Row.named(row, null);
  }

  private static Row indexed(List<?> values) {
    Features.Buffer buffer = new Features.Buffer();
    for (int i = 0; i < values.size(); i++) {
      if (!(values.get(i) instanceof Number number) || !Double.isFinite(number.doubleValue())) {
        throw Problem.malformed("a tensor must hold finite numbers here");
      }
      buffer.add(i, number.doubleValue());
    }
    return Row.indexed(buffer.features(), null);
  }

  private static List<?> list(Object value, String name) {
    if (!(value instanceof List<?> list)) {
      throw Problem.malformed("expected an array under \"" + name + "\"");
    }
    return list;
  }

  private record Tensor(String name, List<Integer> shape, List<Object> data) {
    static Tensor of(Object value) {
      if (!(value instanceof Map<?, ?> map) || !(map.get("name") instanceof String name)) {
        throw Problem.malformed("a tensor must be an object with a \"name\"");
      }
      List<Integer> shape = new ArrayList<>();
      long size = 1;
      for (Object each : list(map.get("shape"), "shape")) {
        if (!(each instanceof Long number) || number < 0 || number > MAX_ROWS) {
          throw Problem.malformed("the shape of '" + name + "' must be numbers up to " + MAX_ROWS);
        }
        size *= number;
        shape.add(number.intValue());
      }
      List<Object> data = new ArrayList<>();
      flatten(list(map.get("data"), "data"), data);
      if (shape.isEmpty() || shape.size() > 2 || data.size() != size) {
        throw Problem.malformed("the data of '" + name + "' must fill a shape of 1 or 2 numbers");
      }
      return new Tensor(name, shape, data);
    }

    private static void flatten(List<?> from, List<Object> into) {
      for (Object each : from) {
        if (each instanceof List<?> inner) {
          flatten(inner, into);
        } else if (each instanceof Map) {
          throw Problem.malformed("the data of a tensor must be plain values");
        } else {
          into.add(each);
        }
      }
    }

    int rows() {
      return shape.get(0);
    }

    int width() {
      return shape.size() < 2 ? 1 : shape.get(1);
    }
  }
}
