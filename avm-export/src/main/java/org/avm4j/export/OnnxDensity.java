package org.avm4j.export;

import java.util.List;
import org.avm4j.form.ModelForm;

/** ONNX operators for the score of an anomaly detector. */
final class OnnxDensity {
  private final Graph graph;
  private final ModelForm.Density density;
  private final OnnxCentres centres;

  OnnxDensity(Graph graph, ModelForm.Density density, int width) {
    this.graph = graph;
    this.density = density;
    centres = new OnnxCentres(graph, density.scales(), density.centres(), width);
  }

  /** The scores [N, 1]. */
  String score(String row) {
    int n = density.centres().size();
    String[] nearest = sorted(centres.squares(rounded(row)), n);
    double[] counts = density.counts().stream().mapToDouble(Double::doubleValue).toArray();
    String weights = graph.add("Gather", graph.doubles(counts), nearest[1]);
    String upTo = graph.add("CumSum", weights, graph.longs(new long[] {1}, new long[0]));
    String before = graph.add("Sub", upTo, weights);
    String left = graph.add("Sub", graph.number(density.mass()), before);
    String taken = graph.add("Max", graph.add("Min", left, weights), graph.number(0));
    String sum = graph.add("ReduceSum", graph.add("Mul", taken, nearest[0]), graph.longs(1));
    return graph.add("Sqrt", graph.add("Div", sum, graph.number(density.mass())));
  }

  private String[] sorted(String squares, int n) {
    return graph.addTwo(
        "TopK",
        List.of(squares, graph.longs(n)),
        Graph.attribute("axis", 1),
        Graph.attribute("largest", 0),
        Graph.attribute("sorted", 1));
  }

  /** Scales rows and rounds them to floats, like the centres of cells. */
  private String rounded(String row) {
    return graph.cast(graph.cast(centres.scaled(row), Graph.FLOAT), Graph.DOUBLE);
  }
}
