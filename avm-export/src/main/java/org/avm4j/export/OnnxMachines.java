package org.avm4j.export;

import java.util.Arrays;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.form.KernelExpansion;

/** The scores of machines as operators of ONNX, for rows of doubles [N, d]. */
final class OnnxMachines {
  private final Graph graph;
  private final int width;
  private final int columns;

  OnnxMachines(Graph graph, int width, int columns) {
    this.graph = graph;
    this.width = width;
    this.columns = columns;
  }

  int width() {
    return width;
  }

  int columns() {
    return columns;
  }

  /** The scores [N, columns]. */
  String scores(String row, KernelExpansion machine) {
    boolean hasFactors = machine.linear(0).length > 1;
    String sum = machine.size() == 0 || hasFactors ? factors(row, machine) : null;
    if (machine.size() > 0) {
      String kernels = kernelSum(row, machine);
      sum = sum == null ? kernels : graph.add("Add", kernels, sum);
    }
    double[] bias = new double[columns];
    Arrays.setAll(bias, c -> Remainder.bias(machine, c));
    return graph.add("Add", sum, graph.doubles(bias, 1, columns));
  }

  private String kernelSum(String row, KernelExpansion machine) {
    int n = machine.size();
    double[] points = new double[width * n];
    double[] norms = new double[n];
    double[] coefficients = new double[n * columns];
    for (int j = 0; j < n; j++) {
      Features vector = machine.vector(j);
      for (int i = 0; i < vector.count(); i++) {
        double value = vector.value(i);
        points[vector.index(i) * n + j] = -2 * value;
        norms[j] += value * value;
      }
      for (int c = 0; c < columns; c++) {
        coefficients[j * columns + c] = machine.coefficient(c, j);
      }
    }
    String products = graph.add("MatMul", row, graph.doubles(points, width, n));
    String own = graph.add("ReduceSumSquare", row, Graph.attribute("axes", new long[] {1}));
    String square = graph.add("Add", graph.add("Add", products, graph.doubles(norms, 1, n)), own);
    square = graph.add("Max", square, graph.number(0));
    String values = kernel(machine.kernel(), square, graph.number(machine.kernel().gamma()));
    return graph.add("MatMul", values, graph.doubles(coefficients, n, columns));
  }

  /** k of squared distances, with γ as a value of its own. */
  String kernel(Kernel kernel, String square, String gamma) {
    return switch (kernel.word()) {
      case "gaussian" -> falling(graph.add("Mul", square, gamma));
      case "rational-quadratic" -> rationalQuadratic(square, gamma);
      case "laplacian" -> falling(scaledDistance(square, gamma));
      case "matern32" -> matern(square, gamma, false);
      case "matern52" -> matern(square, gamma, true);
      default -> throw new IllegalArgumentException("ONNX has no " + kernel.word() + " kernel");
    };
  }

  private String rationalQuadratic(String square, String gamma) {
    String below = graph.add("Add", graph.add("Mul", square, gamma), graph.number(1));
    return graph.add("Div", graph.number(1), below);
  }

  private String scaledDistance(String square, String gamma) {
    return graph.add("Mul", graph.add("Sqrt", square), gamma);
  }

  private String matern(String square, String gamma, boolean isSmoother) {
    String s = scaledDistance(square, gamma);
    s = graph.add("Mul", s, graph.number(Math.sqrt(isSmoother ? 5 : 3)));
    String factor = graph.add("Add", s, graph.number(1));
    if (isSmoother) {
      String third = graph.add("Div", graph.add("Mul", s, s), graph.number(3));
      factor = graph.add("Add", factor, third);
    }
    return graph.add("Mul", factor, falling(s));
  }

  private String falling(String s) {
    return graph.add("Exp", graph.add("Neg", s));
  }

  /** The linear part [N, columns] without its bias. */
  private String factors(String row, KernelExpansion machine) {
    double[] factors = new double[width * columns];
    for (int c = 0; c < columns; c++) {
      double[] linear = machine.linear(c);
      for (int i = 1; i < linear.length; i++) {
        factors[(i - 1) * columns + c] = linear[i];
      }
    }
    return graph.add("MatMul", row, graph.doubles(factors, width, columns));
  }
}
