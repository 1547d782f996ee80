package org.avm4j.boost;

import org.avm4j.internal.Rules;

/**
 * The settings of boosted trees.
 *
 * @param rounds the most rounds; each grows a tree for every score
 * @param depth the largest depth of a leaf
 * @param shrinkage η, the factor on the values of all leaves
 * @param regularization λ, the weight of the squared values of leaves
 * @param leastHessian the least sum of second derivatives of the rows of a leaf
 * @param rowPart the fraction of the rows that a tree is grown from
 * @param columnPart the fraction of the columns that a tree may use
 * @param seed the seed of the samples of rows and columns
 */
public record BoostOptions(
    int rounds,
    int depth,
    double shrinkage,
    double regularization,
    double leastHessian,
    double rowPart,
    double columnPart,
    long seed) {
  /** The most rounds allowed. */
  public static final int MOST_ROUNDS = 100_000;

  /** The largest depth allowed: 2¹² leaves are more than most tables have rows for. */
  public static final int DEEPEST = 12;

  /** The usual settings of XGBoost, with depth 7 and η = 0.1. */
  public static final BoostOptions DEFAULT = new BoostOptions(400, 7, 0.1, 1, 1, 1, 1, 1);

  public BoostOptions {
    Rules.check(
        rounds >= 1 && rounds <= MOST_ROUNDS, "rounds must be from 1 to " + MOST_ROUNDS, rounds);
    Rules.check(depth >= 1 && depth <= DEEPEST, "depth must be from 1 to " + DEEPEST, depth);
    Rules.check(shrinkage > 0 && shrinkage <= 1, "shrinkage must be > 0 and at most 1", shrinkage);
    Rules.check(isWeight(regularization), "regularization must not be negative", regularization);
    Rules.check(isWeight(leastHessian), "the least Hessian must not be negative", leastHessian);
    Rules.check(isPart(rowPart), "the part of rows must be > 0 and at most 1", rowPart);
    Rules.check(isPart(columnPart), "the part of columns must be > 0 and at most 1", columnPart);
  }

  private static boolean isWeight(double value) {
    return value >= 0 && Double.isFinite(value);
  }

  private static boolean isPart(double value) {
    return value > 0 && value <= 1;
  }

  /** The same with another number of rounds. */
  public BoostOptions withRounds(int other) {
    return new BoostOptions(
        other, depth, shrinkage, regularization, leastHessian, rowPart, columnPart, seed);
  }

  /** The same with trees of another depth and shrinkage. */
  public BoostOptions withTrees(int otherDepth, double otherShrinkage) {
    return new BoostOptions(
        rounds,
        otherDepth,
        otherShrinkage,
        regularization,
        leastHessian,
        rowPart,
        columnPart,
        seed);
  }

  /** The same with samples of rows and columns. */
  public BoostOptions withSamples(double rows, double columns, long otherSeed) {
    return new BoostOptions(
        rounds, depth, shrinkage, regularization, leastHessian, rows, columns, otherSeed);
  }
}
