package org.avm4j.tree;

import org.avm4j.Features;

/**
 * The regions that an instance passes on its way from the root to a leaf, and the scores along it.
 * With g_d the gate of the region at depth d and f_d its own scores, the scores so far are s_d =
 * s_{d-1} + g_d f_d.
 */
final class TreePath {
  /** The largest depth of a tree. */
  static final int DEEPEST = 40;

  private final Region[] regions = new Region[DEEPEST + 1];
  private final double[][] own = new double[DEEPEST + 1][0];
  private final double[][] total = new double[DEEPEST + 1][0];
  private final double[][] whole = new double[DEEPEST + 1][0];
  private int length;

  void walk(Region root, Features x, int width, AgeGates ages) {
    length = 0;
    for (Region region = root; region != null; region = next(region, x)) {
      int d = length++;
      reserve(d, width);
      regions[d] = region;
      region.score(x, own[d]);
      double g = ages.gate(region);
      for (int c = 0; c < width; c++) {
        double above = d == 0 ? 0 : total[d - 1][c];
        total[d][c] = above + g * own[d][c];
        whole[d][c] = above + own[d][c];
      }
    }
  }

  private static Region next(Region region, Features x) {
    return region.isLeaf() ? null : region.child(x);
  }

  private void reserve(int d, int width) {
    if (own[d].length < width) {
      own[d] = new double[2 * width];
      total[d] = new double[2 * width];
      whole[d] = new double[2 * width];
    }
  }

  int depth() {
    return length - 1;
  }

  Region leaf() {
    return regions[length - 1];
  }

  Region region(int d) {
    return regions[d];
  }

  /** s_d: the gated scores of all regions down to depth d. */
  double[] scores(int d) {
    return total[d];
  }

  /** s_{d-1} + f_d: as {@link #scores(int)}, but with the gate of the last region open. */
  double[] ungated(int d) {
    return whole[d];
  }

  /** The gated scores of the whole path. */
  double[] scores() {
    return total[length - 1];
  }
}
