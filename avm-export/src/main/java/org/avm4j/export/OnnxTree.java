package org.avm4j.export;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.avm4j.Kernel;
import org.avm4j.form.ModelForm;

/**
 * ONNX operators for a tree of machines. A loop visits one region after the other with all rows of
 * the batch that are in it, adds the region's scores, and moves each row to the child with the
 * nearest centre. Regions are numbered, children after their parents. The next region is always the
 * one with the lowest number that has rows; all of its rows have arrived by then. A single row
 * takes one step per level, and a batch one step per region that it visits.
 *
 * <p>All regions share common arrays, in which they follow each other: an entry for each child,
 * whose point is its centre, then one for each core point, and one for the bias. A leaf has one
 * child that takes every row. It leads to the number of the leaf plus the number of all regions,
 * where the loop ends.
 */
final class OnnxTree {
  private final Graph graph;
  private final OnnxRows rows;
  private final OnnxMachines machines;
  private final ModelForm.Tree tree;
  private final ModelForm.Node root;
  private final List<ModelForm.Node> nodes = new ArrayList<>();
  private final Map<ModelForm.Node, Integer> numbers = new IdentityHashMap<>();
  private final Map<String, Kernel> kernels = new LinkedHashMap<>();
  private final int columns;

  OnnxTree(Graph graph, OnnxRows rows, int columns, ModelForm.Tree tree) {
    this.graph = graph;
    this.rows = rows;
    this.tree = tree;
    this.columns = columns;
    machines = new OnnxMachines(graph, rows, columns);
    root = tree.root().orElseThrow();
    list(root);
  }

  private void list(ModelForm.Node node) {
    for (ModelForm.Node child : node.children()) {
      numbers.put(child, nodes.size());
      nodes.add(child);
      kernels.putIfAbsent(child.machine().kernel().word(), child.machine().kernel());
      list(child);
    }
  }

  /** The scores [N, columns]. */
  String scores() {
    String total = machines.scores(root.machine(), root.gate());
    if (nodes.isEmpty()) {
      return mixed(total, graph.number(root.part()));
    }
    String node = firstRoute();
    List<String> ends = new Descent().run(node, total);
    return mixed(ends.get(1), tree.live().isEmpty() ? null : parts(ends.get(0)));
  }

  /** The mixture of the scores of the tree and of the live machine, if there is one. */
  private String mixed(String total, String part) {
    if (tree.live().isEmpty()) {
      return total;
    }
    String live = machines.scores(tree.live().get());
    String difference = graph.add("Sub", total, live);
    return graph.add("Add", live, graph.add("Mul", part, difference));
  }

  /** The weight [N, 1] of the tree in the mixture, which depends on the leaf of a row. */
  private String parts(String node) {
    String leaf = graph.add("Sub", node, graph.longs(nodes.size()));
    double[] parts = nodes.stream().mapToDouble(ModelForm.Node::part).toArray();
    String part = graph.add("Gather", graph.doubles(parts), leaf);
    return graph.add("Unsqueeze", part, graph.longs(1));
  }

  /** The region [N] below the root to which each row goes. */
  private String firstRoute() {
    OnnxRows.Matrix centres = rows.matrix(root.children().size());
    writeCentres(root, centres, 0);
    long[] targets = root.children().stream().mapToLong(numbers::get).toArray();
    return graph.add("Gather", graph.longs(targets), nearest(graph, rows.times(centres)));
  }

  private void writeCentres(ModelForm.Node node, OnnxRows.Matrix into, int from) {
    for (int k = 0; k < node.children().size(); k++) {
      rows.write(node.centres().get(k), 1, into, from + k);
    }
  }

  /** The index [N] of the smallest squared distance; in case of a tie, the first. */
  private static String nearest(Graph graph, String product) {
    String squares = graph.add("Max", product, graph.number(0));
    String least = graph.add("ReduceMin", squares, Graph.attribute("axes", new long[] {1}));
    String most = graph.add("Mul", least, graph.number(1 + ModelForm.SAME_DISTANCE));
    String isNearest = graph.cast(graph.add("LessOrEqual", squares, most), Graph.INT64);
    return graph.add(
        "ArgMax", isNearest, Graph.attribute("axis", 1), Graph.attribute("keepdims", 0));
  }

  /** The loop over the regions below the root. */
  private final class Descent {
    private final long[] starts = new long[nodes.size()];
    private final long[] ends = new long[nodes.size()];
    private final Graph body = graph.inner();
    private final String number = body.innerInput(Graph.INT64, Graph.ONE);

    Descent() {
      for (int n = 0; n < starts.length; n++) {
        starts[n] = n == 0 ? 0 : ends[n - 1];
        ends[n] = starts[n] + ways(nodes.get(n)) + nodes.get(n).machine().size() + 1;
      }
    }

    private static int ways(ModelForm.Node node) {
      return Math.max(1, node.children().size());
    }

    private int places() {
      return Math.toIntExact(ends[ends.length - 1]);
    }

    /** The final numbers [N] of rows and their scores, given the initial scores. */
    List<String> run(String node, String total) {
      String at = body.innerInput(Graph.INT64, Graph.EACH);
      String sum = body.innerInput(Graph.DOUBLE, Graph.EACH, columns);
      String isHere = body.add("Equal", at, number);
      String places = body.add("Transpose", body.add("NonZero", isHere));
      String x = body.add("GatherND", rows.extended(), places);
      String start = own(graph.longs(starts));
      String end = own(graph.longs(ends));
      String points = part(rows.constant(points()), start, end, 1);
      String product = rows.times(body, x, points);
      String scores = scores(x, product, part(coefficients(), start, end, 0));
      String to = body.add("ScatterND", List.of(at, places, next(product, start)));
      String added =
          body.add("ScatterND", List.of(sum, places, scores), Graph.attribute("reduction", "add"));
      String now = lowest(body, to);
      String isBelow = body.add("Less", now, graph.longs(nodes.size()));
      String goesOn = body.add("Squeeze", isBelow, graph.longs(0));
      List<String> first = List.of(lowest(graph, node), node, total);
      return graph.addLoop(body, first, goesOn, List.of(now, to, added)).subList(1, 3);
    }

    /** The entry [1] of this region in a list of all regions. */
    private String own(String list) {
      return body.add("Gather", list, number);
    }

    private String part(String of, String start, String end, int axis) {
      return body.add("Slice", List.of(of, start, end, graph.longs(axis)));
    }

    private String lowest(Graph where, String node) {
      return where.add("ReduceMin", node, Graph.attribute("keepdims", 1));
    }

    private OnnxRows.Matrix points() {
      OnnxRows.Matrix all = rows.matrix(places());
      for (int n = 0; n < nodes.size(); n++) {
        ModelForm.Node node = nodes.get(n);
        writeCentres(node, all, (int) starts[n]);
        machines.write(node.machine(), all, (int) starts[n] + ways(node));
      }
      return all;
    }

    /** The coefficients of all entries; those of centres are 0. */
    private String coefficients() {
      double[] all = new double[places() * columns];
      for (int n = 0; n < nodes.size(); n++) {
        ModelForm.Node node = nodes.get(n);
        int from = ((int) starts[n] + ways(node)) * columns;
        machines.writeCoefficients(node.machine(), node.gate(), all, from);
      }
      return graph.doubles(all, places(), columns);
    }

    /** The next regions [n] of the rows of this region. */
    private String next(String product, String start) {
      long[] targets = new long[places()];
      for (int n = 0; n < nodes.size(); n++) {
        ModelForm.Node node = nodes.get(n);
        targets[(int) starts[n]] = nodes.size() + n;
        for (int k = 0; k < node.children().size(); k++) {
          targets[(int) starts[n] + k] = numbers.get(node.children().get(k));
        }
      }
      long[] ways = nodes.stream().mapToLong(Descent::ways).toArray();
      String squares = part(product, graph.longs(0), own(graph.longs(ways)), 1);
      String nearest = body.add("Add", nearest(body, squares), start);
      return body.add("Gather", graph.longs(targets), nearest);
    }

    /** The contribution of this region to the scores of its rows. */
    private String scores(String x, String scaled, String coefficients) {
      String sum = body.add("MatMul", values(scaled), coefficients);
      boolean hasFactors = nodes.stream().anyMatch(node -> node.machine().linear(0).length > 1);
      return hasFactors ? body.add("Add", sum, factors(x)) : sum;
    }

    /** The linear part of this region, one column for each score. */
    private String factors(String x) {
      OnnxRows.Matrix slopes = rows.matrix(nodes.size() * columns);
      for (int n = 0; n < nodes.size(); n++) {
        ModelForm.Node node = nodes.get(n);
        machines.writeFactors(node.machine(), node.gate(), slopes, n * columns);
      }
      String start = body.add("Mul", number, graph.longs(columns));
      String end = body.add("Add", start, graph.longs(columns));
      return rows.times(body, x, part(rows.constant(slopes), start, end, 1));
    }

    /**
     * The kernel values; if regions have different kernels, all are computed and one is selected.
     */
    private String values(String scaled) {
      List<String> words = List.copyOf(kernels.keySet());
      String values = new OnnxKernel(body, kernels.get(words.get(0))).values(scaled);
      for (int kind = 1; kind < words.size(); kind++) {
        long[] kinds =
            nodes.stream()
                .mapToLong(node -> words.indexOf(node.machine().kernel().word()))
                .toArray();
        String isOwn = body.add("Equal", own(graph.longs(kinds)), graph.longs(kind));
        String some = new OnnxKernel(body, kernels.get(words.get(kind))).values(scaled);
        values = body.add("Where", List.of(isOwn, some, values));
      }
      return values;
    }
  }
}
