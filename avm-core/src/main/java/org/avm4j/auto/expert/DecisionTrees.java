package org.avm4j.auto.expert;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.avm4j.auto.constants.Constants;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * Decision trees with the same columns, whose answers are averaged.
 *
 * <p>In a file: the number of columns (4) and the class of each (8), the number of trees (4) and
 * each tree.
 *
 * @param classes the label of each column, in ascending order; 0 where there is only one column
 */
record DecisionTrees(double[] classes, List<DecisionTree> trees) {
  static final DecisionTrees NONE = new DecisionTrees(new double[1], List.of());

  boolean isEmpty() {
    return trees.isEmpty();
  }

  int leaves() {
    return trees.stream().mapToInt(DecisionTree::leaves).sum();
  }

  /** The mean over the trees for each column. */
  double[] means(float[] row) {
    double[] means = new double[classes.length];
    for (DecisionTree tree : trees) {
      double[] values = tree.values(row);
      for (int c = 0; c < means.length; c++) {
        means[c] += values[c] / trees.size();
      }
    }
    return means;
  }

  void encode(Encoder out) {
    out.int32(classes.length);
    out.doubles(classes, classes.length);
    out.int32(trees.size());
    trees.forEach(tree -> tree.encode(out));
  }

  static DecisionTrees decode(Decoder in, int features) throws ModelFileException {
    int columns = in.int32("the classes of a forest", Constants.RECENT_ROWS);
    double[] classes = in.doubles(columns, columns);
    boolean isAscending =
        columns > 0 && IntStream.range(1, columns).allMatch(c -> classes[c] > classes[c - 1]);
    Decoder.check(isAscending, "the classes of a forest must ascend", columns);
    int count = in.int32("the trees of a forest", Constants.FOREST_TREES);
    List<DecisionTree> trees = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      trees.add(DecisionTree.decode(in, features, columns));
    }
    return new DecisionTrees(classes, trees);
  }
}
