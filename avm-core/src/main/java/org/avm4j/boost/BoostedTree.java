package org.avm4j.boost;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.form.ModelForm;

/**
 * A binary tree of thresholds. A row goes left if its value is below the threshold of a node; a
 * value of 0, which also means a missing one, goes the way that the node says. Immutable once it is
 * grown.
 *
 * <p>In a file: the number of nodes (4), and of each its slot (4), -1 for a leaf; a leaf has its
 * value (8), any other node its threshold (8), whether 0 goes left (1) and its left child (4),
 * which the right child follows.
 */
final class BoostedTree {
  private static final int LEAF = -1;

  /** The number of nodes of the deepest tree. */
  private static final int MOST_NODES = 2 << BoostOptions.DEEPEST;

  private int[] slots;
  private double[] values;
  private boolean[] zerosGoLeft;
  private int[] lefts;
  private int size;

  /** A tree of one leaf with value 0. */
  BoostedTree() {
    this(1);
  }

  private BoostedTree(int size) {
    this.size = size;
    slots = new int[size];
    values = new double[size];
    zerosGoLeft = new boolean[size];
    lefts = new int[size];
    Arrays.fill(slots, LEAF);
  }

  /** Gives a leaf its value. */
  void setLeaf(int node, double value) {
    values[node] = value;
  }

  /** Splits a leaf in two; returns the index of the left one. The right one has the next index. */
  int split(int node, int slot, double threshold, boolean zeroGoesLeft) {
    int left = size;
    reserve(size + 2);
    slots[node] = slot;
    values[node] = threshold;
    zerosGoLeft[node] = zeroGoesLeft;
    lefts[node] = left;
    slots[left] = LEAF;
    slots[left + 1] = LEAF;
    size += 2;
    return left;
  }

  private void reserve(int needed) {
    if (needed > slots.length) {
      int capacity = 2 * needed;
      slots = Arrays.copyOf(slots, capacity);
      values = Arrays.copyOf(values, capacity);
      zerosGoLeft = Arrays.copyOf(zerosGoLeft, capacity);
      lefts = Arrays.copyOf(lefts, capacity);
    }
  }

  /** The number of nodes. */
  int size() {
    return size;
  }

  /** The number of leaves. */
  int leaves() {
    return (size + 1) / 2;
  }

  boolean isLeaf(int node) {
    return slots[node] == LEAF;
  }

  /** The slot of a node's feature. */
  int slot(int node) {
    return slots[node];
  }

  /** The value of the leaf that a row belongs to, by its values in slots. */
  double value(double[] row) {
    int node = 0;
    int slot = slots[0];
    while (slot != LEAF) {
      double value = row[slot];
      boolean goesLeft = value == 0 ? zerosGoLeft[node] : value < values[node];
      node = lefts[node] + (goesLeft ? 0 : 1);
      slot = slots[node];
    }
    return values[node];
  }

  /** A copy with other slots and multiplied values of leaves, without spare capacity. */
  BoostedTree in(int[] others, double factor) {
    BoostedTree same = new BoostedTree(size);
    for (int node = 0; node < size; node++) {
      same.slots[node] = isLeaf(node) ? LEAF : others[slots[node]];
      same.values[node] = isLeaf(node) ? factor * values[node] : values[node];
      same.zerosGoLeft[node] = zerosGoLeft[node];
      same.lefts[node] = lefts[node];
    }
    return same;
  }

  /** The form of the tree, given the features of its slots. */
  ModelForm.Thresholds form(int[] features) {
    return new ModelForm.Thresholds(
        IntStream.range(0, size)
            .mapToObj(
                node ->
                    new ModelForm.Threshold(
                        isLeaf(node) ? LEAF : features[slots[node]],
                        values[node],
                        zerosGoLeft[node],
                        lefts[node]))
            .toList());
  }

  void encode(Encoder out) {
    out.int32(size);
    for (int node = 0; node < size; node++) {
      out.int32(slots[node]);
      out.float64(values[node]);
      if (!isLeaf(node)) {
        out.bool(zerosGoLeft[node]);
        out.int32(lefts[node]);
      }
    }
  }

  static BoostedTree decode(Decoder in, int slots) throws ModelFileException {
    int size = in.int32("the nodes of a tree", MOST_NODES);
    Decoder.check(size % 2 == 1, "a tree must have an odd number of nodes", size);
    BoostedTree tree = new BoostedTree(size);
    for (int node = 0; node < size; node++) {
      tree.decodeNode(in, node, slots);
    }
    return tree;
  }

  /** Reads a node. Children come after their parent, so that every path ends. */
  private void decodeNode(Decoder in, int node, int most) throws ModelFileException {
    int slot = in.int32();
    Decoder.check(slot >= LEAF && slot < most, "a node must ask for a known feature", slot);
    slots[node] = slot;
    values[node] = in.finite("a threshold or the value of a leaf");
    if (slot != LEAF) {
      zerosGoLeft[node] = in.bool();
      lefts[node] = in.int32("the left of a node", size - 2);
      Decoder.check(lefts[node] > node, "a child must come after its parent", lefts[node]);
    }
  }
}
