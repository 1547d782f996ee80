package org.avm4j.tree;

import org.avm4j.Features;
import org.avm4j.internal.Rules;

/**
 * A learning step of an {@link AvmTree}. The regions on the path of an instance are judged, then
 * its leaf and the live machine learn it. From time to time the tree is compared with the live
 * machine, and one of them may be replaced or dropped.
 */
final class TreeStep {
  /** The tree is planted after this multiple of the live machine's size, in instances. */
  private static final int PLANTED_AFTER = 4;

  /**
   * With forgetting, the interval between two judgements of the tree, as a multiple of the live
   * machine's size.
   */
  private static final int JUDGED_AFTER = 16;

  /**
   * Fraction of the live machine's loss that the tree must save before the live machine is dropped.
   */
  private static final double SAVED = 0.02;

  /**
   * Standard errors of the mean loss that the savings must exceed before the live machine is
   * dropped.
   */
  private static final double DEVIATIONS = 3;

  /** Weight in the mixture that the tree must have before the live machine is dropped. */
  private static final double ALONE = 0.85;

  /** Weight in the mixture below which a leaf, or a whole tree, does not grow. */
  private static final double ENOUGH = 0.25;

  /** Smallest gate of a leaf that may be split. */
  private static final double TRUSTED = 0.6;

  private final TreeState state;
  private final TreeOptions options;
  private final Correction correction;

  TreeStep(TreeState state) {
    this.state = state;
    options = state.options;
    correction = new Correction(options.machine().loss(), state.columns);
  }

  /**
   * Learns an instance of a known class.
   *
   * @param path its path, if the tree is planted
   * @param scores its scores by the live machine, if there is one
   */
  void learn(TreePath path, double[] scores, Features x, double y, double weight) {
    state.t++;
    double weightInTree = weightInTree(y, weight);
    if (state.growth.isPlanted()) {
      learnInTree(path, scores, x, y, weightInTree);
    }
    if (state.live != null) {
      state.recent.add(x, y, weightInTree);
      learnLive(x, y, weight);
      tend();
    }
  }

  private void learnLive(Features x, double y, double weight) {
    int classNumber = state.columns.classNumber(y);
    int times = options.forgets() ? 1 : state.subsampling.next(classNumber);
    if (times > 0) {
      state.live.learn(x, y, Math.min(Rules.LARGEST_WEIGHT, times * weight));
    }
  }

  /**
   * The weight of an instance times that of its class, which is counted over the whole stream and
   * not per region.
   */
  private double weightInTree(double y, double weight) {
    int number = state.columns.classNumber(y);
    state.counts.count(number, weight);
    double product = weight * state.counts.weight(number, y);
    return Math.max(Double.MIN_NORMAL, Math.min(Rules.LARGEST_WEIGHT, product));
  }

  private void learnInTree(TreePath path, double[] scores, Features x, double y, double weight) {
    int own = state.columns.find(y);
    for (int d = 0; d <= path.depth(); d++) {
      Region region = path.region(d);
      region.seen++;
      if (d > 0) {
        measure(path.scores(d - 1), path.ungated(d), own, y, weight);
        region.judge(correction, region.keep());
        state.ages.add(region, correction);
      }
    }
    Region leaf = path.leaf();
    if (state.live != null) {
      measure(scores, path.scores(), own, y, weight);
      judgeMixture(leaf);
    }
    state.growth.learn(path, x, y, weight, own);
    if (state.growth.isReady(leaf) && isTrusted(leaf)) {
      state.growth.grow(leaf, state.t);
    }
  }

  private void measure(double[] from, double[] to, int own, double y, double weight) {
    correction.measure(from, to, state.width(), own, y);
    correction.times(weight);
  }

  /** Judges the correction from the scores of the live machine to those of the tree. */
  private void judgeMixture(Region leaf) {
    state.liveLoss += correction.before;
    state.treeLoss += correction.after;
    leaf.mix.add(correction.num, correction.den, leaf.keep());
    state.mixes.add(leaf, correction);
  }

  private boolean isTrusted(Region leaf) {
    return state.ages.gate(leaf) >= TRUSTED && state.weight(leaf) >= ENOUGH;
  }

  /** Plants or replants the tree, or drops the live machine, if it is time. */
  private void tend() {
    boolean isPlanted = state.growth.isPlanted();
    if (isPlanted ? isTimeToJudge() : isRipe()) {
      if (!isPlanted || state.treeLoss >= state.liveLoss && state.mixes.pooled() < ENOUGH) {
        state.plant();
      } else if (isBetterAlone()) {
        state.dropLive();
      }
      state.plantedAt = state.t;
      state.treeLoss = 0;
      state.liveLoss = 0;
    }
  }

  private boolean isRipe() {
    int size = options.machine().maxSize();
    boolean isFull = state.t >= (long) PLANTED_AFTER * size && state.live.size() >= size;
    return isFull && options.hasRoomForATree();
  }

  private boolean isBetterAlone() {
    double saved = Math.max(SAVED, DEVIATIONS / Math.sqrt(state.t - state.plantedAt));
    boolean isBetter =
        state.treeLoss < (1 - saved) * state.liveLoss && state.mixes.pooled() >= ALONE;
    return isBetter && !options.forgets();
  }

  /**
   * Whether the stream has doubled since the tree was planted or last judged or, with forgetting, a
   * fixed number of instances has passed.
   */
  private boolean isTimeToJudge() {
    return options.forgets()
        ? state.t - state.plantedAt >= (long) JUDGED_AFTER * options.machine().maxSize()
        : state.t >= 2 * state.plantedAt;
  }
}
