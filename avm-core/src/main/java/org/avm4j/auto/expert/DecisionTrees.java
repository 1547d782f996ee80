package org.avm4j.auto.expert;

import java.util.List;
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
    out.counted(classes);
    out.list(trees, DecisionTree::encode);
  }

  static DecisionTrees decode(Decoder in, int features) throws ModelFileException {
    double[] classes = in.counted("the classes of a forest", Constants.RECENT_ROWS);
    Decoder.check(classes.length > 0, "a forest must have a column", classes.length);
    Decoder.checkAscending("the classes of a forest", classes);
    return new DecisionTrees(
        classes,
        in.list(
            "the trees of a forest",
            Constants.FOREST_TREES,
            tree -> DecisionTree.decode(tree, features, classes.length)));
  }
}
