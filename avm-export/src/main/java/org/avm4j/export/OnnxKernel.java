package org.avm4j.export;

import org.avm4j.Kernel;

/**
 * A kernel as operators of ONNX. It takes squared distances times a factor that the points bring
 * with them, so that γ costs no operator.
 */
final class OnnxKernel {
  private final Graph graph;
  private final Kernel kernel;

  OnnxKernel(Graph graph, Kernel kernel) {
    this.graph = graph;
    this.kernel = kernel;
  }

  /** What squared distances are multiplied by: -γ, γ, or γ² where distances count. */
  static double factor(Kernel kernel) {
    double gamma = kernel.gamma();
    return switch (kernel.word()) {
      case "gaussian" -> -gamma;
      case "rational-quadratic" -> gamma;
      case "laplacian", "matern32", "matern52" -> gamma * gamma;
      default -> throw new IllegalArgumentException("ONNX has no " + kernel.word() + " kernel");
    };
  }

  /** k where squared distances times the factor are this; rounding may give them the other sign. */
  String values(String scaled) {
    if (factor(kernel) < 0) {
      return graph.add("Exp", graph.add("Min", scaled, graph.number(0)));
    }
    String square = graph.add("Max", scaled, graph.number(0));
    return switch (kernel.word()) {
      case "rational-quadratic" ->
          graph.add("Reciprocal", graph.add("Add", square, graph.number(1)));
      case "laplacian" -> falling(graph.add("Sqrt", square));
      case "matern32" -> matern(square, false);
      default -> matern(square, true);
    };
  }

  private String matern(String square, boolean isSmoother) {
    String s = graph.add("Sqrt", graph.add("Mul", square, graph.number(isSmoother ? 5 : 3)));
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
}
