package org.avm4j.export;

import java.util.List;
import org.avm4j.ClusterSummary.Cluster;
import org.avm4j.form.ModelForm;

/** ONNX operators for the cluster of a row: that of the nearest cell, if it is within reach. */
final class OnnxCells {
  private final Graph graph;
  private final ModelForm.Cells cells;
  private final OnnxCentres centres;

  OnnxCells(Graph graph, ModelForm.Cells cells, int width) {
    this.graph = graph;
    this.cells = cells;
    centres = new OnnxCentres(graph, cells.scales(), cells.centres(), width);
  }

  /** The cluster numbers [N] of rows. */
  String numbers(String row) {
    String squares = centres.squares(centres.scaled(row));
    String near =
        graph.add("ArgMin", squares, Graph.attribute("axis", 1), Graph.attribute("keepdims", 0));
    String least =
        graph.add(
            "ReduceMin",
            squares,
            Graph.attribute("axes", new long[] {1}),
            Graph.attribute("keepdims", 0));
    double[] reaches = cells.reaches().stream().mapToDouble(Double::doubleValue).toArray();
    String reach = graph.add("Gather", graph.doubles(reaches), near);
    String isWithin = graph.add("LessOrEqual", graph.add("Sqrt", least), reach);
    long[] numbers = cells.numbers().stream().mapToLong(Integer::longValue).toArray();
    String number = graph.add("Gather", graph.longs(numbers), near);
    return graph.add("Where", List.of(isWithin, number, graph.longs(Cluster.NOISE)));
  }
}
