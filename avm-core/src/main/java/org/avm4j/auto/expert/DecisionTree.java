package org.avm4j.auto.expert;

import java.util.Arrays;
import org.avm4j.auto.constants.Constants;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * A binary tree of thresholds: a row goes right where its value of a node's feature is at least the
 * node's threshold. Each leaf holds a value for each column. Immutable once it is grown.
 */
final class DecisionTree {
  private static final int LEAF = -1;

  private static final int MOST_NODES = 2 * Constants.RECENT_ROWS;

  private final int columns;
  private int[] features = {};
  private float[] thresholds = {};
  private int[] lefts = {};
  private double[][] values = {};
  private int size;

  /** A tree of one leaf, whose values are still to be set. */
  DecisionTree(int columns) {
    this(columns, 1);
  }

  private DecisionTree(int columns, int size) {
    this.columns = columns;
    this.size = size;
    reserve(size);
  }

  private void reserve(int capacity) {
    features = Arrays.copyOf(features, capacity);
    thresholds = Arrays.copyOf(thresholds, capacity);
    lefts = Arrays.copyOf(lefts, capacity);
    values = Arrays.copyOf(values, capacity);
  }

  /** Gives a leaf its values. */
  void setLeaf(int node, double[] leafValues) {
    features[node] = LEAF;
    values[node] = leafValues;
  }

  /** Splits a leaf in two; returns the index of the left one. The right one has the next index. */
  int split(int node, int feature, float threshold) {
    int left = size;
    size += 2;
    if (size > features.length) {
      reserve(2 * size);
    }
    features[node] = feature;
    thresholds[node] = threshold;
    lefts[node] = left;
    return left;
  }

  /** The number of leaves. */
  int leaves() {
    return (size + 1) / 2;
  }

  /** The values of the leaf that a row belongs to; the caller must not change them. */
  double[] values(float[] row) {
    int node = 0;
    while (features[node] != LEAF) {
      node = lefts[node] + (row[features[node]] >= thresholds[node] ? 1 : 0);
    }
    return values[node];
  }

  void encode(Encoder out) {
    out.int32(size);
    for (int node = 0; node < size; node++) {
      out.int32(features[node]);
      if (features[node] == LEAF) {
        out.doubles(values[node], columns);
      } else {
        out.float64(thresholds[node]);
        out.int32(lefts[node]);
      }
    }
  }

  static DecisionTree decode(Decoder in, int features, int columns) throws ModelFileException {
    int size = in.int32("the nodes of a tree", MOST_NODES);
    Decoder.check(size > 0, "a tree must have a node", size);
    DecisionTree tree = new DecisionTree(columns, size);
    for (int node = 0; node < size; node++) {
      tree.decodeNode(in, node, features);
    }
    return tree;
  }

  /** Reads a node. Children come after their parent, so that every path ends. */
  private void decodeNode(Decoder in, int node, int most) throws ModelFileException {
    int feature = in.int32();
    Decoder.check(feature >= LEAF && feature < most, "a node must have a known feature", feature);
    if (feature == LEAF) {
      setLeaf(node, in.doubles(columns, columns));
      return;
    }
    features[node] = feature;
    thresholds[node] = (float) in.finite("a threshold");
    lefts[node] = in.int32("the left of a node", size - 2);
    Decoder.check(lefts[node] > node, "a child must come after its parent", lefts[node]);
  }
}
