package org.avm4j.export;

import java.util.List;
import org.avm4j.Kernel;

/**
 * ONNX operators for a kernel. Its input is squared distances times {@link #factor}, which is part
 * of the matrix of points, so that γ needs no operator of its own. Distances are doubles; kernel
 * values are floats, as in the library, because ONNX Runtime takes ten times as long for the
 * exponential function of a double.
 */
final class OnnxKernel {
  /**
   * Largest exponent. Kernel values are at least 1.6e-38, about as in the library; denormal floats
   * below that would be slow.
   */
  private static final float LARGEST = 87;

  private final Graph graph;
  private final Kernel kernel;

  OnnxKernel(Graph graph, Kernel kernel) {
    this.graph = graph;
    this.kernel = kernel;
  }

  /** The factor on squared distances: -γ, γ, or γ² if the kernel is a function of the distance. */
  static double factor(Kernel kernel) {
    double gamma = kernel.gamma();
    return switch (kernel.word()) {
      case "gaussian" -> -gamma;
      case "rational-quadratic" -> gamma;
      case "laplacian" -> gamma * gamma;
      case "matern32" -> 3 * gamma * gamma;
      case "matern52" -> 5 * gamma * gamma;
      default -> throw new IllegalArgumentException("ONNX has no " + kernel.word() + " kernel");
    };
  }

  /** The kernel values of scaled squared distances, whose sign may be wrong by rounding. */
  String values(String scaled) {
    return graph.cast(ofSingle(graph.cast(scaled, Graph.FLOAT)), Graph.DOUBLE);
  }

  private String ofSingle(String scaled) {
    return switch (kernel.word()) {
      case "gaussian" -> graph.add("Exp", within(scaled, -LARGEST, 0));
      case "rational-quadratic" -> {
        String square = within(scaled, 0, Float.MAX_VALUE);
        yield graph.add("Reciprocal", graph.add("Add", square, graph.floatNumber(1)));
      }
      case "laplacian" -> falling(root(scaled));
      case "matern32" -> {
        String s = root(scaled);
        yield graph.add("Mul", graph.add("Add", s, graph.floatNumber(1)), falling(s));
      }
      default -> {
        String s = root(scaled);
        String third = graph.add("Mul", graph.add("Mul", s, s), graph.floatNumber(1 / 3f));
        String factor = graph.add("Add", graph.add("Add", s, graph.floatNumber(1)), third);
        yield graph.add("Mul", factor, falling(s));
      }
    };
  }

  private String root(String square) {
    return graph.add("Sqrt", within(square, 0, LARGEST * LARGEST));
  }

  private String falling(String s) {
    return graph.add("Exp", graph.add("Neg", s));
  }

  private String within(String value, float least, float most) {
    return graph.add("Clip", List.of(value, graph.floatScalar(least), graph.floatScalar(most)));
  }
}
