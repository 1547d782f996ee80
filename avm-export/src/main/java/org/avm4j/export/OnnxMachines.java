package org.avm4j.export;

import org.avm4j.form.KernelExpansion;

/** ONNX operators for the scores of machines. */
final class OnnxMachines {
  private final Graph graph;
  private final OnnxRows rows;
  private final int columns;

  OnnxMachines(Graph graph, OnnxRows rows, int columns) {
    this.graph = graph;
    this.rows = rows;
    this.columns = columns;
  }

  /** The scores [N, columns]. */
  String scores(KernelExpansion machine) {
    return scores(machine, 1);
  }

  /** The scores [N, columns], times a factor. */
  String scores(KernelExpansion machine, double gate) {
    boolean hasFactors = machine.linear(0).length > 1;
    String kernels = kernelSum(machine, gate);
    return hasFactors ? graph.add("Add", kernels, factors(machine, gate)) : kernels;
  }

  private String kernelSum(KernelExpansion machine, double gate) {
    int n = machine.size() + 1;
    OnnxRows.Matrix points = rows.matrix(n);
    double[] coefficients = new double[n * columns];
    write(machine, points, 0);
    writeCoefficients(machine, gate, coefficients, 0);
    String values = new OnnxKernel(graph, machine.kernel()).values(rows.times(points));
    return graph.add("MatMul", values, graph.doubles(coefficients, n, columns));
  }

  /**
   * Writes the points as columns of a matrix. One more column stays 0: every row has the distance 0
   * to it and so the kernel value 1, whose coefficient is the bias.
   */
  void write(KernelExpansion machine, OnnxRows.Matrix into, int from) {
    double factor = OnnxKernel.factor(machine.kernel());
    for (int j = 0; j < machine.size(); j++) {
      rows.write(machine.vector(j), factor, into, from + j);
    }
  }

  /** Writes the coefficients of each point, times a factor, and then the biases. */
  void writeCoefficients(KernelExpansion machine, double gate, double[] into, int from) {
    int n = machine.size();
    for (int c = 0; c < columns; c++) {
      for (int j = 0; j < n; j++) {
        into[from + j * columns + c] = gate * machine.coefficient(c, j);
      }
      into[from + n * columns + c] = gate * Remainder.bias(machine, c);
    }
  }

  /** The linear part [N, columns] without its bias. */
  private String factors(KernelExpansion machine, double gate) {
    OnnxRows.Matrix slopes = rows.matrix(columns);
    writeFactors(machine, gate, slopes, 0);
    return rows.times(slopes);
  }

  /** Writes the linear part without its bias. */
  void writeFactors(KernelExpansion machine, double gate, OnnxRows.Matrix slopes, int from) {
    for (int c = 0; c < columns; c++) {
      rows.writeLinear(machine.linear(c), gate, slopes, from + c);
    }
  }
}
