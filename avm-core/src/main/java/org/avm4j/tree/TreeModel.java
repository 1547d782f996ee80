package org.avm4j.tree;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.avm4j.CorePoint;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.Neighbour;
import org.avm4j.Prediction;
import org.avm4j.Status;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.form.ModelForm;
import org.avm4j.form.OpenModel;
import org.avm4j.internal.Columns;
import org.avm4j.points.CorePoints;
import org.avm4j.points.FrozenMachine;

/**
 * A frozen {@link AvmTree}.
 *
 * <p>In a file, kind {@code avm-tree-model}: «options», classes, instances (8), has a live machine
 * (1), if so «live» (frozen machine), the number of nodes (4), each «node» (gate (8), part in the
 * mixture (8), «machine» (frozen machine), ways (4), if not 0 «router» (core set)), a node before
 * its children.
 */
final class TreeModel implements Model, OpenModel {
  record Node(double gate, double part, FrozenMachine machine, Router router, Node[] children) {
    static Node of(Region region, AgeGates ages, AgeGates mixes) {
      FrozenMachine machine =
          region.learner == null ? region.frozen : region.learner.parts().frozen();
      Node[] children =
          region.isLeaf()
              ? new Node[0]
              : Arrays.stream(region.children)
                  .map(child -> of(child, ages, mixes))
                  .toArray(Node[]::new);
      double part = mixes.value(region, region.mix);
      return new Node(ages.gate(region), part, machine, region.router, children);
    }

    /** The form of this region and all regions below it. */
    ModelForm.Node form(Columns columns) {
      return new ModelForm.Node(
          gate,
          part,
          machine.expansion(columns),
          children.length == 0 ? List.of() : router.centres(),
          Arrays.stream(children).map(child -> child.form(columns)).toList());
    }

    /** The child that an instance belongs to; null for a leaf. */
    Node next(Features x) {
      return children.length == 0 ? null : children[router.route(x)];
    }

    private void list(List<Node> all) {
      all.add(this);
      for (Node child : children) {
        child.list(all);
      }
    }
  }

  private final TreeOptions options;
  private final Columns columns;
  private final double[] labels;
  private final FrozenMachine live;
  private final Node root;
  private final long instances;

  TreeModel(TreeOptions options, Columns columns, FrozenMachine live, Node root, long instances) {
    this.options = options;
    this.columns = columns.copy();
    this.live = live;
    this.root = root;
    this.instances = instances;
    labels = columns.labels();
  }

  @Override
  public Task task() {
    return options.machine().task();
  }

  @Override
  public boolean hasLogits() {
    return options.machine().loss().hasLogits();
  }

  /** {@inheritDoc} Those of a region correct the scores of the machines above it. */
  @Override
  public List<CorePoint> corePoints(int most) {
    List<CorePoint> points = new ArrayList<>();
    if (live != null) {
      live.addPoints(columns.count(), points);
    }
    nodes().forEach(node -> node.machine.addPoints(columns.count(), points));
    return CorePoints.largest(points, most);
  }

  @Override
  public int columns() {
    return columns.count();
  }

  @Override
  public double[] classes() {
    return labels.clone();
  }

  @Override
  public ModelForm form() {
    return new ModelForm.Tree(
        Optional.ofNullable(live).map(machine -> machine.expansion(columns)),
        Optional.ofNullable(root).map(node -> node.form(columns)));
  }

  @Override
  public void score(Features x, double[] scores) {
    double[] byColumn = new double[columns.count() + columns.spare()];
    double[] own = new double[byColumn.length];
    double part = root == null ? 0 : descend(x, byColumn, own);
    if (live != null) {
      live.score(x, own);
      for (int c = 0; c < own.length; c++) {
        byColumn[c] = part == 0 ? own[c] : own[c] + part * (byColumn[c] - own[c]);
      }
    }
    for (int place = 0; place < columns.count(); place++) {
      scores[place] = byColumn[columns.at(place)];
    }
  }

  /** Sums the gated scores along the path of x; returns the weight of the tree in the mixture. */
  private double descend(Features x, double[] total, double[] own) {
    Node node = root;
    while (true) {
      node.machine.score(x, own);
      for (int c = 0; c < own.length; c++) {
        total[c] += node.gate * own[c];
      }
      if (node.children.length == 0) {
        return live == null ? 1 : node.part;
      }
      node = node.children[node.router.route(x)];
    }
  }

  private Node leaf(Features x) {
    Node node = root;
    while (node.next(x) != null) {
      node = node.next(x);
    }
    return node;
  }

  /** {@inheritDoc} They belong to the machines on the path of x and to the live one. */
  @Override
  public List<Neighbour> nearest(Features x, int most) {
    List<Neighbour> all = new ArrayList<>();
    if (live != null) {
      all.addAll(live.nearest(x, most, columns));
    }
    for (Node node = root; node != null; node = node.next(x)) {
      all.addAll(node.machine.nearest(x, most, columns));
    }
    return CorePoints.nearest(all, most);
  }

  /** {@inheritDoc} It is the index of the leaf of x among all nodes. */
  @Override
  public int regionOf(Features x) {
    return root == null ? 0 : nodes().indexOf(leaf(x));
  }

  @Override
  public double predict(Features x) {
    return task().predict(score(x), labels);
  }

  @Override
  public Prediction answer(Features x) {
    double[] scores = score(x);
    return new Prediction(task().predict(scores, labels), labels, scores);
  }

  private List<Node> nodes() {
    List<Node> all = new ArrayList<>();
    if (root != null) {
      root.list(all);
    }
    return all;
  }

  @Override
  public Status status() {
    int size = live == null ? 0 : live.size();
    size += nodes().stream().mapToInt(node -> node.machine.size()).sum();
    return Status.of(instances, size, options.settings());
  }

  @Override
  public String kind() {
    return AvmTree.MODEL_KIND;
  }

  @Override
  public void encode(Encoder out) {
    out.section("options", options::encode);
    columns.encode(out);
    out.int64(instances);
    out.bool(live != null);
    out.optional("live", live, FrozenMachine::encode);
    out.int32(nodes().size());
    nodes().forEach(node -> out.section("node", section -> encode(node, section)));
  }

  private static void encode(Node node, Encoder out) {
    out.float64(node.gate);
    out.float64(node.part);
    out.section("machine", node.machine::encode);
    out.int32(node.children.length);
    if (node.children.length > 0) {
      out.section("router", node.router::encode);
    }
  }

  static TreeModel decode(Decoder in) throws ModelFileException {
    TreeOptions options = in.section("options", TreeOptions::decode);
    Columns columns = options.machine().task().columns();
    columns.decode(in);
    int width = columns.count() + columns.spare();
    long instances = in.count("the instances");
    FrozenMachine live = in.bool() ? in.section("live", s -> FrozenMachine.decode(s, width)) : null;
    int count = in.int32("the nodes", options.maxRegions());
    int[] left = {count};
    Node root = count == 0 ? null : decodeNode(in, width, left, 0);
    Decoder.check(left[0] == 0, "all nodes must belong to one tree", left[0]);
    Decoder.check(root != null || live != null, "a machine or a tree must be there", count);
    return new TreeModel(options, columns, live, root, instances);
  }

  private static Node decodeNode(Decoder in, int width, int[] left, int depth)
      throws ModelFileException {
    Decoder.check(left[0]-- > 0, "the number of nodes must be the one announced", left[0]);
    Decoder.check(depth <= TreePath.DEEPEST, "a tree must not be so deep", depth);
    Node leaf = in.section("node", s -> decodeAlone(s, width));
    for (int i = 0; i < leaf.children.length; i++) {
      leaf.children[i] = decodeNode(in, width, left, depth + 1);
    }
    return leaf;
  }

  private static double decodePart(Decoder in) throws ModelFileException {
    double part = in.float64();
    Decoder.check(part >= 0 && part <= 1, "a gate must be from 0 to 1", part);
    return part;
  }

  private static Node decodeAlone(Decoder in, int width) throws ModelFileException {
    double gate = decodePart(in);
    double part = decodePart(in);
    FrozenMachine machine = in.section("machine", s -> FrozenMachine.decode(s, width));
    int ways = in.int32("the ways", 64);
    Router router = ways == 0 ? null : in.section("router", Router::decode);
    Decoder.check(ways == 0 || router.ways() == ways, "a router must have all ways", ways);
    return new Node(gate, part, machine, router, new Node[ways]);
  }

  /** What it is and how large, in one line. */
  @Override
  public String toString() {
    return status().summary();
  }
}
