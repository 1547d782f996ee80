package org.avm4j.export;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.avm4j.ClusterSummary.Cluster;
import org.avm4j.Features;
import org.avm4j.form.ModelForm;
import org.avm4j.form.ModelForm.FeatureScale;

/** ONNX operators for models of cells: the cluster of a row, or how far out it is. */
final class OnnxCells {
  private static final double GAUSSIAN = Math.sqrt(Math.PI / 2);
  private static final double FARTHEST = 1e6;
  private static final double CONSTANT = 1e-12;

  private final Graph graph;
  private final List<FeatureScale> scales;
  private final List<Features> centres;
  private final int width;

  /** For rows of {@code width} features; a feature without a scale was constant so far. */
  private OnnxCells(Graph graph, List<FeatureScale> scales, List<Features> centres, int width) {
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

  /** The cluster numbers [N] of rows: that of the nearest cell, if it is within reach. */
  static String clusters(Graph graph, ModelForm.Cells cells, String row, int width) {
    OnnxCells centres = new OnnxCells(graph, cells.scales(), cells.centres(), width);
    String squares = centres.squares(centres.scaled(row));
    String near =
        graph.add("ArgMin", squares, Graph.attribute("axis", 1), Graph.attribute("keepdims", 0));
    String least =
        graph.add(
            "ReduceMin",
            squares,
            Graph.attribute("axes", new long[] {1}),
            Graph.attribute("keepdims", 0));
    String reach = graph.add("Gather", graph.doubles(cells.reaches()), near);
    String isWithin = graph.add("LessOrEqual", graph.add("Sqrt", least), reach);
    long[] numbers = cells.numbers().stream().mapToLong(Integer::longValue).toArray();
    String number = graph.add("Gather", graph.longs(numbers), near);
    return graph.add("Where", List.of(isWithin, number, graph.longs(Cluster.NOISE)));
  }

  /** The anomaly scores [N, 1] of rows, which are rounded to floats like the centres of cells. */
  static String anomalyScore(Graph graph, ModelForm.Density density, String row, int width) {
    OnnxCells centres = new OnnxCells(graph, density.scales(), density.centres(), width);
    String rounded = graph.cast(graph.cast(centres.scaled(row), Graph.FLOAT), Graph.DOUBLE);
    String[] nearest =
        graph.addTwo(
            "TopK",
            List.of(centres.squares(rounded), graph.longs(density.centres().size())),
            Graph.attribute("axis", 1),
            Graph.attribute("largest", 0),
            Graph.attribute("sorted", 1));
    String weights = graph.add("Gather", graph.doubles(density.counts()), nearest[1]);
    String upTo = graph.add("CumSum", weights, graph.longScalar(1));
    String before = graph.add("Sub", upTo, weights);
    String left = graph.add("Sub", graph.number(density.mass()), before);
    String taken = graph.add("Max", graph.add("Min", left, weights), graph.number(0));
    String sum = graph.add("ReduceSum", graph.add("Mul", taken, nearest[0]), graph.longs(1));
    return graph.add("Sqrt", graph.add("Div", sum, graph.number(density.mass())));
  }

  /** The squared distances [N, centres] of rows that {@link #scaled} has scaled. */
  private String squares(String z) {
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
  private String scaled(String row) {
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
        graph.add("Where", List.of(isZero, constant(OnnxCells::atZero), deviation(row, mean)));
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
    String off = graph.add("Abs", graph.add("Sub", row, constant(OnnxCells::meanOfAll)));
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
