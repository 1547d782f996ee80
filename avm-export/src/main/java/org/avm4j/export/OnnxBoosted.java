package org.avm4j.export;

import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.avm4j.form.ModelForm;

/**
 * Boosted trees as one TreeEnsembleRegressor, whose thresholds and leaves are doubles and whose
 * results are floats. Each node sends 0 to a learned side; the operator can do this for missing
 * values only, so 0 is replaced by NaN.
 */
final class OnnxBoosted {
  private final Graph graph;
  private final ModelForm.Boosted boosted;

  OnnxBoosted(Graph graph, ModelForm.Boosted boosted) {
    this.graph = graph;
    this.boosted = boosted;
  }

  /** A node with the number of its tree, and its number in the tree. */
  private record Place(int tree, int number, ModelForm.Threshold node) {
    boolean isLeaf() {
      return node.feature() < 0;
    }
  }

  /** The scores [N, columns] of rows. */
  String scores(String row) {
    int columns = boosted.constants().size();
    String isZero = graph.add("Equal", row, graph.number(0));
    String asked = graph.add("Where", List.of(isZero, graph.number(Double.NaN), row));
    String start = graph.doubles(boosted.constants(), 1, columns);
    String sums =
        boosted.trees().isEmpty()
            ? graph.add("Mul", row0(row), graph.number(0))
            : sums(asked, columns);
    return graph.add("Add", sums, start);
  }

  /** The first column of rows. */
  private String row0(String row) {
    return graph.add("Gather", row, graph.longs(0), Graph.attribute("axis", 1));
  }

  private String sums(String asked, int columns) {
    List<Place> all =
        IntStream.range(0, boosted.trees().size())
            .boxed()
            .flatMap(t -> places(t, boosted.trees().get(t).nodes()).stream())
            .toList();
    List<Place> leaves = all.stream().filter(Place::isLeaf).toList();
    String sums =
        graph.add(
            Graph.ML,
            "TreeEnsembleRegressor",
            graph.fresh("trees"),
            List.of(asked),
            Graph.attribute("n_targets", columns),
            Graph.attribute("nodes_treeids", longs(all, at -> at.tree)),
            Graph.attribute("nodes_nodeids", longs(all, at -> at.number)),
            Graph.attribute("nodes_featureids", longs(all, at -> Math.max(0, at.node.feature()))),
            Graph.attribute(
                "nodes_modes", all.stream().map(at -> at.isLeaf() ? "LEAF" : "BRANCH_LT").toList()),
            Graph.attribute("nodes_values_as_tensor", numbers(all, at -> !at.isLeaf())),
            Graph.attribute("nodes_truenodeids", longs(all, at -> at.node.left())),
            Graph.attribute(
                "nodes_falsenodeids", longs(all, at -> at.isLeaf() ? 0 : at.node.left() + 1)),
            Graph.attribute(
                "nodes_missing_value_tracks_true",
                longs(all, at -> at.node.zeroGoesLeft() ? 1 : 0)),
            Graph.attribute("target_treeids", longs(leaves, at -> at.tree)),
            Graph.attribute("target_nodeids", longs(leaves, at -> at.number)),
            Graph.attribute("target_ids", longs(leaves, at -> at.tree % columns)),
            Graph.attribute("target_weights_as_tensor", numbers(leaves, Place::isLeaf)));
    return graph.cast(sums, Graph.DOUBLE);
  }

  private static List<Place> places(int tree, List<ModelForm.Threshold> nodes) {
    return IntStream.range(0, nodes.size())
        .mapToObj(number -> new Place(tree, number, nodes.get(number)))
        .toList();
  }

  private static long[] longs(List<Place> some, ToLongFunction<Place> value) {
    return some.stream().mapToLong(value).toArray();
  }

  /** The numbers of some nodes; 0 for nodes without a number. */
  private static double[] numbers(List<Place> some, Predicate<Place> has) {
    return some.stream().mapToDouble(at -> has.test(at) ? at.node.number() : 0).toArray();
  }
}
