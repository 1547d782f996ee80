package org.avm4j.export;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.form.KernelExpansion;
import org.avm4j.form.ModelForm;

/**
 * A tree of machines as operators of ONNX. The machines of all regions but the root stand one
 * behind the other in common arrays. On each level a row knows its region by number, gathers the
 * vectors of that region, adds its scores, and finds the next region by the nearest centre. A row
 * that has come to a leaf goes on to an empty region, which adds nothing and leads to itself.
 *
 * <p>A level takes memory for each row: as much as the largest region that a row of the batch is
 * in. Batches of some hundred rows serve best.
 */
final class OnnxTree {
  private static final double FAR = 1e300;
  private static final int EMPTY_CENTRE = 0;

  private final Graph graph;
  private final OnnxMachines machines;
  private final ModelForm.Tree tree;
  private final ModelForm.Node root;
  private final List<ModelForm.Node> nodes = new ArrayList<>();
  private final Map<String, Kernel> kernels = new LinkedHashMap<>();
  private final int width;
  private final int columns;
  private int depth;

  private String starts;
  private String counts;
  private String last;
  private String points;
  private String coefficients;
  private String gammas;
  private String kinds;
  private String parts;
  private String biases;
  private String factors;
  private String routeStarts;
  private String routeCounts;
  private String lastRoute;
  private String centres;
  private String targets;

  OnnxTree(Graph graph, OnnxMachines machines, ModelForm.Tree tree) {
    this.graph = graph;
    this.machines = machines;
    this.tree = tree;
    root = tree.root().orElseThrow();
    width = machines.width();
    columns = machines.columns();
    list(root, 0);
  }

  private void list(ModelForm.Node node, int level) {
    depth = Math.max(depth, level);
    for (ModelForm.Node child : node.children()) {
      nodes.add(child);
      kernels.putIfAbsent(child.machine().kernel().word(), child.machine().kernel());
      list(child, level + 1);
    }
  }

  /** The scores [N, columns]. */
  String scores(String row) {
    String total = times(machines.scores(row, root.machine()), root.gate());
    if (nodes.isEmpty()) {
      return mixed(row, total, List.of(graph.number(root.part())));
    }
    stack();
    if (depth > 1) {
      stackRoutes();
    }
    List<String> ended = new ArrayList<>();
    String node = firstRoute(row);
    for (int level = 1; level <= depth; level++) {
      total = graph.add("Add", total, score(row, node));
      if (parts != null) {
        ended.add(column(graph.add("Gather", parts, node)));
      }
      node = level == depth ? node : route(row, node);
    }
    return mixed(row, total, ended);
  }

  /** The scores of the tree and the live machine; the part is the sum over the levels. */
  private String mixed(String row, String total, List<String> partByLevel) {
    if (tree.live().isEmpty()) {
      return total;
    }
    String part = partByLevel.get(0);
    for (String more : partByLevel.subList(1, partByLevel.size())) {
      part = graph.add("Add", part, more);
    }
    String live = machines.scores(row, tree.live().get());
    String difference = graph.add("Sub", total, live);
    return graph.add("Add", live, graph.add("Mul", part, difference));
  }

  private String times(String scores, double gate) {
    return gate == 1 ? scores : graph.add("Mul", scores, graph.number(gate));
  }

  /** Writes all machines one behind the other; the coefficients have their gates in them. */
  private void stack() {
    int size = nodes.stream().mapToInt(node -> node.machine().size()).sum();
    long[] start = new long[nodes.size() + 1];
    long[] count = new long[nodes.size() + 1];
    long[] kind = new long[nodes.size() + 1];
    double[] gamma = new double[nodes.size() + 1];
    double[] part = new double[nodes.size() + 1];
    float[] vectors = new float[Math.multiplyExact(Math.max(1, size), width)];
    double[] betas = new double[Math.max(1, size) * columns];
    int at = 0;
    for (int n = 0; n < nodes.size(); n++) {
      ModelForm.Node node = nodes.get(n);
      start[n] = at;
      count[n] = node.machine().size();
      kind[n] = List.copyOf(kernels.keySet()).indexOf(node.machine().kernel().word());
      gamma[n] = node.machine().kernel().gamma();
      part[n] = node.children().isEmpty() ? node.part() : 0;
      at = write(node, at, vectors, betas);
    }
    gamma[nodes.size()] = 1;
    starts = graph.longs(start);
    counts = graph.longs(count);
    last = graph.longs(Math.max(0, size - 1));
    gammas = graph.doubles(gamma);
    kinds = kernels.size() == 1 ? null : graph.longs(kind);
    parts = tree.live().isPresent() ? graph.doubles(part) : null;
    points = graph.floats(vectors, Math.max(1, size), width);
    coefficients = graph.doubles(betas, Math.max(1, size), columns);
    stackLinear();
  }

  private int write(ModelForm.Node node, int from, float[] vectors, double[] betas) {
    KernelExpansion machine = node.machine();
    for (int j = 0; j < machine.size(); j++) {
      Features vector = machine.vector(j);
      for (int i = 0; i < vector.count(); i++) {
        vectors[(from + j) * width + vector.index(i)] = (float) vector.value(i);
      }
      for (int c = 0; c < columns; c++) {
        betas[(from + j) * columns + c] = node.gate() * machine.coefficient(c, j);
      }
    }
    return from + machine.size();
  }

  private void stackLinear() {
    double[] bias = new double[(nodes.size() + 1) * columns];
    double[] slopes = new double[Math.multiplyExact(bias.length, width)];
    boolean hasSlopes = false;
    for (int n = 0; n < nodes.size(); n++) {
      for (int c = 0; c < columns; c++) {
        double gate = nodes.get(n).gate();
        double[] linear = nodes.get(n).machine().linear(c);
        bias[n * columns + c] = gate * Remainder.bias(nodes.get(n).machine(), c);
        for (int i = 1; i < linear.length; i++) {
          slopes[(n * width + i - 1) * columns + c] = gate * linear[i];
          hasSlopes = true;
        }
      }
    }
    biases = graph.doubles(bias, nodes.size() + 1, columns);
    factors = hasSlopes ? graph.doubles(slopes, nodes.size() + 1, width, columns) : null;
  }

  private void stackRoutes() {
    int ways = nodes.stream().mapToInt(node -> node.children().size()).sum();
    long[] start = new long[nodes.size() + 1];
    long[] count = new long[nodes.size() + 1];
    long[] target = new long[ways + 1];
    double[] rows = new double[Math.multiplyExact(ways + 1, width)];
    Arrays.fill(count, 1);
    target[EMPTY_CENTRE] = nodes.size();
    int at = 1;
    for (int n = 0; n < nodes.size(); n++) {
      ModelForm.Node node = nodes.get(n);
      start[n] = node.children().isEmpty() ? EMPTY_CENTRE : at;
      count[n] = Math.max(1, node.children().size());
      for (int k = 0; k < node.children().size(); k++, at++) {
        target[at] = number(node.children().get(k));
        copy(node.centres().get(k), rows, at);
      }
    }
    routeStarts = graph.longs(start);
    routeCounts = graph.longs(count);
    lastRoute = graph.longs(ways);
    targets = graph.longs(target);
    centres = graph.doubles(rows, ways + 1, width);
  }

  private void copy(Features row, double[] into, int at) {
    for (int i = 0; i < row.count(); i++) {
      into[at * width + row.index(i)] = row.value(i);
    }
  }

  private int number(ModelForm.Node node) {
    for (int n = 0; n < nodes.size(); n++) {
      if (nodes.get(n) == node) {
        return n;
      }
    }
    throw new IllegalStateException("a child must be one of the nodes");
  }

  /** The region [N] below the root. */
  private String firstRoute(String row) {
    int ways = root.children().size();
    double[] rows = new double[ways * width];
    long[] numbers = new long[ways];
    for (int k = 0; k < ways; k++) {
      copy(root.centres().get(k), rows, k);
      numbers[k] = number(root.children().get(k));
    }
    String difference = graph.add("Sub", unsqueezed(row, 1), graph.doubles(rows, 1, ways, width));
    String nearest = nearest(squares(difference));
    String flat = graph.add("Squeeze", nearest, graph.longs(1));
    return graph.add("Gather", graph.longs(numbers), flat);
  }

  /** The place [N, 1] of the least square, of equals the first. */
  private String nearest(String squares) {
    String least = graph.add("ReduceMin", squares, Graph.attribute("axes", new long[] {1}));
    String most = graph.add("Mul", least, graph.number(1 + ModelForm.SAME_DISTANCE));
    String isNearest = graph.cast(graph.add("LessOrEqual", squares, most), Graph.INT64);
    return graph.add(
        "ArgMax", isNearest, Graph.attribute("axis", 1), Graph.attribute("keepdims", 1));
  }

  private String squares(String difference) {
    return graph.add(
        "ReduceSumSquare",
        difference,
        Graph.attribute("axes", new long[] {2}),
        Graph.attribute("keepdims", 0));
  }

  /** The scores that the regions [N] add. */
  private String score(String row, String node) {
    Gathered own = gather(starts, counts, last, node);
    String near = graph.add("Gather", points, own.index);
    String single = graph.cast(row, Graph.FLOAT);
    String difference = graph.add("Sub", unsqueezed(single, 1), near);
    String square = squares(graph.cast(difference, Graph.DOUBLE));
    String values = kernelValues(square, node);
    values = graph.add("Where", List.of(own.isThere, values, graph.number(0)));
    String weights = graph.add("Gather", coefficients, own.index);
    String sum = graph.add("Add", product(values, weights), graph.add("Gather", biases, node));
    return factors == null
        ? sum
        : graph.add("Add", sum, product(row, graph.add("Gather", factors, node)));
  }

  /** The kernel of each region; where there are several, all are computed and one is taken. */
  private String kernelValues(String square, String node) {
    String gamma = column(graph.add("Gather", gammas, node));
    String own = kernels.size() == 1 ? null : column(graph.add("Gather", kinds, node));
    String values = null;
    int kind = 0;
    for (Kernel kernel : kernels.values()) {
      String some = machines.kernel(kernel, square, gamma);
      if (values == null) {
        values = some;
      } else {
        String isOwn = graph.add("Equal", own, graph.longs(kind));
        values = graph.add("Where", List.of(isOwn, some, values));
      }
      kind++;
    }
    return values;
  }

  /** [N, m] times [N, m, columns], row by row. */
  private String product(String left, String right) {
    String product = graph.add("MatMul", unsqueezed(left, 1), right);
    return graph.add("Squeeze", product, graph.longs(1));
  }

  /** The regions [N] that follow on these. */
  private String route(String row, String node) {
    Gathered ways = gather(routeStarts, routeCounts, lastRoute, node);
    String near = graph.add("Gather", centres, ways.index);
    String square = squares(graph.add("Sub", unsqueezed(row, 1), near));
    square = graph.add("Where", List.of(ways.isThere, square, graph.number(FAR)));
    String next = graph.add("Gather", targets, ways.index);
    String chosen = graph.add("GatherElements", next, nearest(square), Graph.attribute("axis", 1));
    return graph.add("Squeeze", chosen, graph.longs(1));
  }

  /** Places in a common array [N, m], and which of them belong to the region of the row. */
  private record Gathered(String index, String isThere) {}

  private Gathered gather(String starts, String counts, String last, String node) {
    String count = graph.add("Gather", counts, node);
    String most = graph.add("ReduceMax", count, Graph.attribute("keepdims", 0));
    most = graph.add("Max", most, scalar(1));
    String range = graph.add("Range", List.of(scalar(0), most, scalar(1)));
    String isThere = graph.add("Less", unsqueezed(range, 0), column(count));
    String start = column(graph.add("Gather", starts, node));
    String index = graph.add("Min", graph.add("Add", start, unsqueezed(range, 0)), last);
    return new Gathered(index, isThere);
  }

  private String scalar(long value) {
    return graph.longs(new long[] {value}, new long[0]);
  }

  private String column(String vector) {
    return unsqueezed(vector, 1);
  }

  private String unsqueezed(String value, long axis) {
    return graph.add("Unsqueeze", value, graph.longs(axis));
  }
}
