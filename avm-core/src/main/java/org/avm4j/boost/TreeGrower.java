package org.avm4j.boost;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Grows trees over the same bins, one after the other. Only the smaller child of a node is summed
 * by bin; the sums of the larger one are those of the node minus those of the smaller child.
 */
final class TreeGrower {
  private final BinnedRows bins;
  private final BoostOptions options;
  private final Histograms histograms;
  private final CutSearch search;
  private final Deque<double[]> pool = new ArrayDeque<>();
  private final float[] nodeFirst;
  private final float[] nodeSecond;
  private final double[] gains;

  private BoostedTree tree;
  private NodeRows grown;
  private NodeRows others;
  private int[] columns;
  private boolean[] used;
  private float[] first;
  private float[] second;
  private double[] scores;

  TreeGrower(BinnedRows bins, BoostOptions options) {
    this.bins = bins;
    this.options = options;
    histograms = new Histograms(bins);
    search = new CutSearch(bins, histograms, options);
    nodeFirst = new float[bins.rows()];
    nodeSecond = new float[bins.rows()];
    gains = new double[bins.columns().size()];
  }

  /** The total gain of the cuts of each column over all trees so far. */
  double[] gains() {
    return gains;
  }

  /** The rows of a node in both partitions. */
  private record Node(int place, int depth, int from, int to, int otherFrom, int otherTo) {
    int rows() {
      return to - from;
    }
  }

  /**
   * Grows a tree, and adds its values to the scores of all rows.
   *
   * @param sample the rows that it is grown from
   * @param rest all other rows
   * @param asked the columns that it may use
   */
  BoostedTree grow(
      NodeRows sample,
      NodeRows rest,
      int[] asked,
      float[] rowFirst,
      float[] rowSecond,
      double[] rowScores) {
    tree = new BoostedTree();
    grown = sample;
    others = rest;
    columns = asked;
    first = rowFirst;
    second = rowSecond;
    scores = rowScores;
    used = new boolean[bins.stores()];
    for (int column : asked) {
      used[bins.columns().get(column).store()] = true;
    }
    Node root = new Node(0, 0, 0, sample.size(), 0, rest.size());
    double g = 0;
    double h = 0;
    for (int i = 0; i < sample.size(); i++) {
      g += first[sample.places()[i]];
      h += second[sample.places()[i]];
    }
    double[] sums = taken();
    fill(root, sums);
    grow(root, sums, g, h);
    return tree;
  }

  private double[] taken() {
    return pool.isEmpty() ? histograms.fresh() : pool.pop();
  }

  private void fill(Node node, double[] sums) {
    int[] places = grown.places();
    for (int i = node.from; i < node.to; i++) {
      nodeFirst[i - node.from] = first[places[i]];
      nodeSecond[i - node.from] = second[places[i]];
    }
    histograms.fill(places, node.from, node.to, nodeFirst, nodeSecond, used, sums);
  }

  /** Grows a node; the array of sums is returned to the pool. */
  private void grow(Node node, double[] sums, double g, double h) {
    Cut cut = search.mayCut(node.rows(), h) ? search.best(columns, sums, g, h) : Cut.NONE;
    if (cut.column() < 0) {
      pool.push(sums);
      setLeaf(node, g, h);
      return;
    }
    gains[cut.column()] += cut.gain();
    BinnedRows.Column column = bins.columns().get(cut.column());
    byte[] store = bins.store(column.store());
    int middle = grown.split(node.from, node.to, store, column, cut);
    int otherMiddle = others.split(node.otherFrom, node.otherTo, store, column, cut);
    int place =
        tree.split(node.place, cut.column(), column.bins().cut(cut.bin()), cut.zeroGoesLeft());
    int depth = node.depth + 1;
    Node left = new Node(place, depth, node.from, middle, node.otherFrom, otherMiddle);
    Node right = new Node(place + 1, depth, middle, node.to, otherMiddle, node.otherTo);
    double restFirst = g - cut.first();
    double restSecond = h - cut.second();
    boolean mayGoOn =
        search.mayCut(left.rows(), cut.second()) || search.mayCut(right.rows(), restSecond);
    if (depth == options.depth() || !mayGoOn) {
      pool.push(sums);
      setLeaf(left, cut.first(), cut.second());
      setLeaf(right, restFirst, restSecond);
      return;
    }
    boolean isLeftSmaller = left.rows() < right.rows();
    double[] smaller = taken();
    fill(isLeftSmaller ? left : right, smaller);
    histograms.subtract(sums, smaller, used);
    grow(left, isLeftSmaller ? smaller : sums, cut.first(), cut.second());
    grow(right, isLeftSmaller ? sums : smaller, restFirst, restSecond);
  }

  private void setLeaf(Node node, double g, double h) {
    double value = -options.shrinkage() * g / (h + options.regularization());
    tree.setLeaf(node.place, value);
    add(value, grown.places(), node.from, node.to);
    add(value, others.places(), node.otherFrom, node.otherTo);
  }

  private void add(double value, int[] places, int from, int to) {
    for (int i = from; i < to; i++) {
      scores[places[i]] += value;
    }
  }
}
