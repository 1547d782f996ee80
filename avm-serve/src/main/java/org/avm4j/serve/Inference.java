package org.avm4j.serve;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.avm4j.Features;
import org.avm4j.data.Column;
import org.avm4j.data.Row;
import org.avm4j.serve.Tensor.DataType;

/**
 * The Open Inference Protocol, version 2, in its JSON form. A request has one tensor for each
 * column, or a single tensor with a row for each instance and the columns in the order of the
 * model.
 */
final class Inference {
  private Inference() {}

  /**
   * The metadata of a model.
   *
   * @param now the state that answers
   * @param versions the numbers of the versions that clients may ask for
   */
  static Map<String, Object> metadata(ServedModel model, Published now, List<Long> versions) {
    List<Object> inputs = new ArrayList<>();
    for (Column column : now.schema().columns()) {
      DataType type = column.isNumeric() ? DataType.FP64 : DataType.BYTES;
      inputs.add(Tensor.head(column.name(), type, List.of(-1)));
    }
    if (inputs.isEmpty()) {
      inputs.add(Tensor.head("features", DataType.FP64, List.of(-1, -1)));
    }
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", model.name());
    if (!versions.isEmpty()) {
      json.put("versions", versions.stream().map(String::valueOf).toList());
    }
    json.put("platform", "avm");
    json.put("inputs", inputs);
    json.put("outputs", outputHeads(now));
    return json;
  }

  private static List<Object> outputHeads(Published now) {
    List<Object> heads = new ArrayList<>();
    heads.add(Tensor.head("label", labelType(now), List.of(-1)));
    heads.add(Tensor.head("scores", DataType.FP64, List.of(-1, -1)));
    if (now.hasProbabilities()) {
      heads.add(Tensor.head("probabilities", DataType.FP64, List.of(-1, -1)));
    }
    return heads;
  }

  private static DataType labelType(Published now) {
    return now.hasTextLabels() ? DataType.BYTES : DataType.FP64;
  }

  /**
   * The reply to a request.
   *
   * @param answers the answer to each row
   */
  record Reply(List<Answer> answers, Map<String, Object> json) {}

  /**
   * Answers a request.
   *
   * @param now the state that answers; if it is a stored version, the reply has its number
   */
  static Reply infer(ServedModel model, Published now, Map<String, Object> request) {
    Object id = request.get("id");
    if (id != null && !(id instanceof String)) {
      throw Problem.malformed("\"id\" must be a string");
    }
    Tensor.checkParameters(request);
    List<Tensor> tensors =
        Tensor.list(request.get("inputs"), "inputs").stream().map(Tensor::of).toList();
    List<Row> rows = rows(now, tensors);
    List<Answer> answers = new ArrayList<>();
    for (Row row : rows) {
      answers.add(now.sent(model.validator().answer(now, row, answers.size() + 1), null));
    }
    if (!isMatrix(now, tensors)) {
      checkComplete(model.spec(), tensors);
    }
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("model_name", model.name());
    if (now.version() > 0) {
      json.put("model_version", Long.toString(now.version()));
    }
    if (id != null) {
      json.put("id", id);
    }
    json.put("outputs", wanted(request.get("outputs"), outputs(now, answers)));
    return new Reply(answers, json);
  }

  /** The tensors that a client asked for, in its order; all if it named none. */
  private static List<Object> wanted(Object names, Map<String, Tensor> all) {
    List<Object> json = new ArrayList<>();
    if (names == null || names instanceof List<?> none && none.isEmpty()) {
      all.values().forEach(tensor -> json.add(tensor.json()));
      return json;
    }
    for (Object each : Tensor.list(names, "outputs")) {
      Object name = each instanceof Map<?, ?> map ? map.get("name") : null;
      if (!(name instanceof String) || !all.containsKey(name)) {
        throw Problem.malformed("an output must be one of " + all.keySet() + ": " + name);
      }
      Tensor.checkParameters((Map<?, ?>) each);
      json.add(all.get(name).json());
    }
    return json;
  }

  private static Map<String, Tensor> outputs(Published now, List<Answer> answers) {
    List<Object> labels = new ArrayList<>();
    List<Object> scores = new ArrayList<>();
    List<Object> probabilities = new ArrayList<>();
    for (Answer answer : answers) {
      labels.add(answer.label());
      for (double score : answer.scores()) {
        scores.add(score);
      }
      for (double probability : answer.probabilities()) {
        probabilities.add(probability);
      }
    }
    int n = answers.size();
    Map<String, Tensor> outputs = new LinkedHashMap<>();
    outputs.put("label", new Tensor("label", labelType(now), List.of(n), labels));
    outputs.put("scores", matrix("scores", n, scores));
    if (now.hasProbabilities()) {
      outputs.put("probabilities", matrix("probabilities", n, probabilities));
    }
    return outputs;
  }

  private static Tensor matrix(String name, int rows, List<Object> data) {
    return new Tensor(name, DataType.FP64, List.of(rows, data.size() / rows), data);
  }

  /** Whether a single tensor has all columns. */
  private static boolean isMatrix(Published now, List<Tensor> tensors) {
    return tensors.size() == 1 && tensors.get(0).width() > 1 || now.schema().columns().isEmpty();
  }

  private static List<Row> rows(Published now, List<Tensor> tensors) {
    if (tensors.isEmpty() || tensors.get(0).rows() == 0) {
      throw Problem.malformed("expected at least one tensor with a row in \"inputs\"");
    }
    int n = tensors.get(0).rows();
    boolean isMatrix = isMatrix(now, tensors);
    for (Tensor tensor : tensors) {
      if (tensor.rows() != n) {
        throw Problem.malformed("all tensors must have the same number of rows: " + tensor.name());
      }
      if (!isMatrix && tensor.width() != 1) {
        throw Problem.malformed(
            "a tensor for a column must have one value per row: " + tensor.name());
      }
    }
    if (isMatrix && tensors.size() > 1) {
      throw Problem.malformed("expected one tensor, because the model knows no columns by name");
    }
    return isMatrix ? byPosition(now, tensors.get(0)) : byName(tensors, n);
  }

  /**
   * Rejects a request that lacks a declared column; misspelled names were told before. Columns that
   * the model has found by itself may be absent, because clients cannot know them all.
   */
  private static void checkComplete(ModelSpec spec, List<Tensor> tensors) {
    for (String column : spec.columns().keySet()) {
      if (tensors.stream().noneMatch(tensor -> tensor.name().equals(column))) {
        throw Problem.malformed("an input of the model is not here: " + column);
      }
    }
  }

  private static List<Row> byName(List<Tensor> tensors, int n) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      Map<String, Object> row = new LinkedHashMap<>();
      for (Tensor tensor : tensors) {
        row.put(tensor.name(), tensor.data().get(i));
      }
      if (row.size() < tensors.size()) {
        throw Problem.malformed("an input must appear once, found only " + row.keySet());
      }
      rows.add(Row.named(row, null));
    }
    return rows;
  }

  private static List<Row> byPosition(Published now, Tensor tensor) {
    List<Column> columns = now.schema().columns();
    int width = tensor.width();
    if (!columns.isEmpty() && columns.size() != width) {
      throw Problem.refused("the model has " + columns.size() + " columns, found rows of " + width);
    }
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < tensor.rows(); i++) {
      List<?> values = tensor.data().subList(i * width, (i + 1) * width);
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
        throw Problem.malformed("a tensor of features must hold finite numbers");
      }
      buffer.add(i, number.doubleValue());
    }
    return Row.indexed(buffer.features(), null);
  }
}
