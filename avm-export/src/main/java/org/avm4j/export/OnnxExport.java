package org.avm4j.export;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.avm4j.Model;
import org.avm4j.Status;
import org.avm4j.Task;
import org.avm4j.codec.AtomicFile;
import org.avm4j.codec.ModelFile;
import org.avm4j.data.Decimal;
import org.avm4j.form.ModelForm;

/**
 * Exports a model as an ONNX graph. Its inputs are the user's unscaled rows: those of {@link
 * OnnxColumns} if the model knows column names, else one input {@code x} of shape [N, d]. The
 * outputs are {@code label} and {@code scores}, and {@code probabilities} if the model is
 * calibrated; for regression {@code prediction}; for clusters {@code label} alone. If the model was
 * learned with intervals, {@code label_set}, or {@code lower} and {@code upper} are added.
 *
 * <p>Numbers are doubles, but features are rounded to floats where this library does so, and kernel
 * values are floats. Kernel values of this library are exact to about 5e-7 and those of ONNX
 * Runtime to 1e-7, so scores differ by about that times the coefficients.
 */
public final class OnnxExport {
  private static final int IR_VERSION = 8;
  private static final int OPSET = 16;
  private static final int ML_OPSET = 3;

  private final ExportPlan plan;
  private final Graph graph = new Graph();
  private final OnnxScaling scaling;

  private OnnxExport(ExportPlan plan) {
    this.plan = plan;
    scaling = new OnnxScaling(graph, plan.width());
  }

  /** Writes the model to a file. */
  public static void write(Model model, Path file) throws IOException {
    byte[] bytes = toBytes(model);
    AtomicFile.write(file, bytes);
  }

  /** The bytes of an ONNX file. */
  public static byte[] toBytes(Model model) {
    return new OnnxExport(ExportPlan.of(model)).model().toByteArray();
  }

  private ModelProto model() {
    if (plan.isMean()) {
      answerByScores();
    } else {
      plan.form().accept(new AnswerVisitor());
    }
    ModelProto.Builder model =
        modelOf(graph)
            .setProducerName("AVM for Java")
            .setProducerVersion(ModelFile.libraryVersionOfThis())
            .setDomain("org.avm4j")
            .setModelVersion(1)
            .setDocString(describe());
    metadata().forEach((key, value) -> model.addMetadataPropsBuilder().setKey(key).setValue(value));
    return model.build();
  }

  /** A model of a graph, with the versions of its operators. */
  static ModelProto.Builder modelOf(Graph graph) {
    return ModelProto.newBuilder()
        .setIrVersion(IR_VERSION)
        .addOpsetImport(OperatorSetIdProto.newBuilder().setDomain("").setVersion(OPSET))
        .addOpsetImport(OperatorSetIdProto.newBuilder().setDomain(Graph.ML).setVersion(ML_OPSET))
        .setGraph(graph.proto().setName("avm"));
  }

  /** Adds the answer of a model that is not a mean of several models. */
  private final class AnswerVisitor implements ModelForm.Visitor<Void, RuntimeException> {
    @Override
    public Void cells(ModelForm.Cells form) {
      String scaled = scaling.apply(row(), plan);
      String numbers = OnnxCells.clusters(graph, form, scaled, plan.scaledWidth());
      graph.output("label", numbers, Graph.INT64, 0, "the cluster of each row; -1 for none");
      return null;
    }

    @Override
    public Void density(ModelForm.Density form) {
      String scaled = scaling.apply(row(), plan);
      String score = OnnxCells.anomalyScore(graph, form, scaled, plan.scaledWidth());
      answerAnomaly(score, form.threshold());
      return null;
    }

    @Override
    public Void other(ModelForm form) {
      answerByScores();
      return null;
    }
  }

  private void answerByScores() {
    String row = row();
    if (plan.task() == Task.Kind.ANOMALY) {
      answerAnomaly(scores(row, plan), 0);
    } else {
      answer(mean(plan.members().stream().map(member -> scores(row, member)).toList()));
    }
  }

  private String row() {
    return plan.hasNames() ? new OnnxColumns(graph, plan.schema()).row() : whole();
  }

  private String describe() {
    Status status = plan.model().status();
    return "A kernel machine for the task '%s', learned online from %d instances; %d core points."
        .formatted(plan.model().task().word(), status.instances(), status.size());
  }

  private Map<String, String> metadata() {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("task", plan.model().task().word());
    all.put("instances", Long.toString(plan.model().status().instances()));
    if (plan.task() == Task.Kind.BINARY || plan.task() == Task.Kind.MULTICLASS) {
      all.put("classes", String.join(" ", plan.classTexts()));
    }
    plan.model().status().settings().forEach((key, value) -> all.put("setting." + key, "" + value));
    return all;
  }

  private String whole() {
    graph.input("x", Graph.DOUBLE, plan.width(), "the features of each row");
    return "x";
  }

  /** The weighted mean by sums, because ONNX Runtime has no Mean of doubles. */
  private String mean(List<String> scores) {
    double[] weights = plan.weights();
    boolean isEqual = Arrays.stream(weights).allMatch(weight -> weight == 1.0 / weights.length);
    List<String> parts = new ArrayList<>();
    for (int m = 0; m < weights.length; m++) {
      String one = scores.get(m);
      parts.add(isEqual ? one : graph.add("Mul", one, graph.number(weights[m])));
    }
    String sum = parts.stream().reduce((a, b) -> graph.add("Add", a, b)).orElseThrow();
    boolean isDivided = isEqual && parts.size() > 1;
    return isDivided ? graph.add("Div", sum, graph.number(parts.size())) : sum;
  }

  /** The scores of one member; for regression on the scale of the data. */
  private String scores(String row, ExportPlan member) {
    String scaled = scaling.apply(row, member);
    String raw =
        member
            .form()
            .accept(new OnnxScores(graph, scaled, member.scaledWidth(), plan.model().columns()));
    return plan.task() == Task.Kind.REGRESSION ? onScaleOfData(raw, member) : raw;
  }

  private String onScaleOfData(String raw, ExportPlan member) {
    String scaled = graph.add("Mul", raw, graph.number(member.scoreFactor()));
    return graph.add("Add", scaled, graph.number(member.scoreShift()));
  }

  private void answer(String raw) {
    if (plan.task() == Task.Kind.REGRESSION) {
      String flat = graph.add("Squeeze", raw, graph.longs(1));
      graph.output("prediction", flat, Graph.DOUBLE, 0, "the number predicted for each row");
      plan.intervals().ifPresent(form -> new OnnxCertainty(graph).ends(raw, form));
      return;
    }
    boolean isBinary = plan.task() == Task.Kind.BINARY;
    double[] prior = plan.model().priorScores();
    label(isBinary ? sign(raw, 0.0 - prior[0]) : largest(raw, prior));
    String meaning =
        isBinary
            ? "the score, which is >= " + threshold() + " for " + plan.classTexts().get(1)
            : "a score for each class: " + String.join(" ", plan.classTexts());
    graph.output("scores", raw, Graph.DOUBLE, plan.model().columns(), meaning);
    if (plan.calibration() != null) {
      probabilities(raw, isBinary);
    }
  }

  private String threshold() {
    return plan.model().threshold().map(known -> Decimal.text(known.score())).orElse("0");
  }

  /** 1 for each row whose score is at least the threshold, else 0. */
  private String sign(String scores, double threshold) {
    String isFrom = graph.add("GreaterOrEqual", scores, graph.number(threshold));
    return graph.add("Squeeze", graph.cast(isFrom, Graph.INT64), graph.longs(1));
  }

  /** The index of the largest score; the prior decides rows far from all points. */
  private String largest(String scores, double[] prior) {
    String decisive = graph.add("Add", scores, graph.doubles(prior, 1, prior.length));
    return graph.add(
        "ArgMax", decisive, Graph.attribute("axis", 1), Graph.attribute("keepdims", 0));
  }

  private void label(String place) {
    double[] classes = plan.model().classes();
    boolean isText = !plan.schema().labels().isEmpty() && plan.task() != Task.Kind.ANOMALY;
    boolean isWhole = Arrays.stream(classes).allMatch(c -> c == Math.rint(c) && Math.abs(c) < 1e15);
    TensorProto.DataType type = isText ? Graph.STRING : isWhole ? Graph.INT64 : Graph.DOUBLE;
    String labels =
        isText
            ? graph.texts(plan.classTexts())
            : isWhole
                ? graph.longs(Arrays.stream(classes).mapToLong(c -> (long) c).toArray())
                : graph.doubles(classes);
    String label = graph.add("Gather", labels, place);
    graph.output("label", label, type, 0, "the label predicted for each row");
  }

  private void probabilities(String raw, boolean isBinary) {
    PlattFits fits = PlattFits.of(plan);
    int n = fits.slopes().length;
    String logits = graph.add("Mul", raw, graph.doubles(fits.slopes(), 1, n));
    logits = graph.add("Add", logits, graph.doubles(fits.offsets(), 1, n));
    boolean isSoftmax = !isBinary && plan.calibration().isSoftmax();
    String each = isSoftmax ? softmax(logits) : fitted(logits, isBinary, n);
    int classes = plan.model().classes().length;
    String names = String.join(" ", plan.classTexts());
    graph.output(
        "probabilities", each, Graph.DOUBLE, classes, "the probability of each class: " + names);
    plan.labelSets()
        .ifPresent(form -> new OnnxCertainty(graph).labelSet(each, classes, form, names));
  }

  private String fitted(String logits, boolean isBinary, int n) {
    String likely = graph.add("Sigmoid", logits);
    return isBinary ? both(likely) : shares(likely, n);
  }

  private String softmax(String logits) {
    return graph.add("Softmax", logits, Graph.attribute("axis", 1));
  }

  private String both(String higher) {
    String lower = graph.add("Sub", graph.number(1), higher);
    return graph.add("Concat", lower, higher, Graph.attribute("axis", 1));
  }

  private String shares(String likely, int n) {
    String sum = graph.add("ReduceSum", likely, graph.longs(1));
    String isPositive = graph.add("Greater", sum, graph.number(0));
    String part = graph.add("Div", likely, sum);
    return graph.add("Where", List.of(isPositive, part, graph.number(1.0 / n)));
  }

  private void answerAnomaly(String score, double threshold) {
    label(sign(score, threshold));
    graph.output(
        "scores",
        score,
        Graph.DOUBLE,
        1,
        "how far out a row is; an anomaly from " + threshold + " on");
  }
}
