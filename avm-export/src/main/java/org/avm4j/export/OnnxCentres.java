package org.avm4j.export;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.avm4j.Features;
import org.avm4j.form.ModelForm.FeatureScale;

/** ONNX operators for the distances of rows to the centres of cells. */
final class OnnxCentres {
  private static final double GAUSSIAN = Math.sqrt(Math.PI / 2);
  private static final double FARTHEST = 1e6;
  private static final double CONSTANT = 1e-12;

  private final Graph graph;
  private final List<FeatureScale> scales;
  private final List<Features> centres;
  private final int width;

  /** For rows of {@code width} features; a feature without a scale was constant so far. */
  OnnxCentres(Graph graph, List<FeatureScale> scales, List<Features> centres, int width) {
    this.graph = graph;
    this.centres = centres;
    this.width = width;
    if (centres.isEmpty()) {
      throw new IllegalArgumentException("the model has learned nothing yet: nothing to export");
    }
    this.scales = new ArrayList<>(scales);
    while (this.scales.size() < width) {
      this.scales.add(new FeatureScale(0, 0, scales.get(0).rows(), 0, 0, 0));
    }
  }

  /** The squared distances [N, centres] of rows that {@link #scaled} has scaled. */
  String squares(String z) {
    int n = centres.size();
    double[] points = new double[width * n];
    double[] norms = new double[n];
    for (int j = 0; j < n; j++) {
      Features centre = centres.get(j);
      for (int i = 0; i < centre.count(); i++) {
        points[centre.index(i) * n + j] = -2 * centre.value(i);
        norms[j] += centre.value(i) * centre.value(i);
      }
    }
    String products = graph.add("MatMul", z, graph.doubles(points, width, n));
    String own = graph.add("ReduceSumSquare", z, Graph.attribute("axes", new long[] {1}));
    String all = graph.add("Add", graph.add("Add", products, graph.doubles(norms, 1, n)), own);
    return graph.add("Max", all, graph.number(0));
  }

  /** The rows, scaled like the centres. */
  String scaled(String row) {
    String factors = constant(FeatureScale::factor);
    boolean hasConstants = scales.stream().anyMatch(scale -> scale.factor() == 0);
    if (hasConstants) {
      String hasScale = graph.add("Greater", factors, graph.number(0));
      factors = graph.add("Where", List.of(hasScale, factors, factorOfConstant(row)));
    }
    String moved = graph.add("Sub", row, constant(FeatureScale::origin));
    String z = graph.add("Mul", moved, factors);
    return graph.add("Max", graph.add("Min", z, graph.number(FARTHEST)), graph.number(-FARTHEST));
  }

  /** The factor of a constant feature, derived from its value in the row. */
  private String factorOfConstant(String row) {
    String isZero = graph.add("Equal", row, graph.number(0));
    String change = graph.add("Sub", row, constant(FeatureScale::mean));
    String step = graph.add("Div", change, constant(scale -> scale.count() + 1.0));
    String mean = graph.add("Add", step, constant(FeatureScale::mean));
    String deviation =
        graph.add("Where", List.of(isZero, constant(OnnxCentres::atZero), deviation(row, mean)));
    mean = graph.add("Where", List.of(isZero, constant(FeatureScale::mean), mean));
    String least = graph.add("Mul", graph.add("Abs", mean), graph.number(CONSTANT));
    String inverse =
        graph.add("Div", graph.number(1), graph.add("Mul", deviation, graph.number(GAUSSIAN)));
    String isFinite = graph.add("Less", inverse, graph.number(Double.MAX_VALUE));
    String isScale = graph.add("And", graph.add("Greater", deviation, least), isFinite);
    return graph.add("Where", List.of(isScale, inverse, graph.number(0)));
  }

  private static double atZero(FeatureScale scale) {
    double rows = scale.rows() + 1.0;
    double rest = (rows - scale.count()) * Math.abs(scale.mean() * (scale.count() / rows));
    return (scale.absolutes() + rest) / rows;
  }

  /** The mean absolute deviation after a non-zero value was added, given the new mean. */
  private String deviation(String row, String mean) {
    String off = graph.add("Abs", graph.add("Sub", row, constant(OnnxCentres::meanOfAll)));
    off = graph.add("Mul", off, constant(scale -> Math.sqrt(scale.rows() / (scale.rows() + 1.0))));
    String sum = graph.add("Add", off, constant(FeatureScale::absolutes));
    String part = graph.add("Mul", mean, constant(s -> (s.count() + 1.0) / (s.rows() + 1.0)));
    String rest =
        graph.add("Mul", graph.add("Abs", part), constant(s -> (double) (s.rows() - s.count())));
    return graph.add("Div", graph.add("Add", sum, rest), constant(s -> s.rows() + 1.0));
  }

  private static double meanOfAll(FeatureScale scale) {
    return scale.mean() * ((double) scale.count() / scale.rows());
  }

  private String constant(ToDoubleFunction<FeatureScale> value) {
    return graph.doubles(scales.stream().mapToDouble(value).toArray(), 1, width);
  }
}
