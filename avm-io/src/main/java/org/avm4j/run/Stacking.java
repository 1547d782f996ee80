package org.avm4j.run;

import java.util.Arrays;
import java.util.List;
import org.avm4j.Model;
import org.avm4j.data.Instance;

/**
 * The weights of learners and boosted trees in a sum of both, fitted on rows that neither has
 * learned.
 *
 * <p>For regression, the weights are not negative, add up to 1, and minimise the squared error. For
 * classes, they are not negative and minimise the log loss. The sum is then a log-odds, although
 * the scores of learners are margins on another scale.
 *
 * @param learners the factor of the scores of learners
 * @param trees the factor of the scores of trees
 */
record Stacking(double learners, double trees) {
  /** The learners alone, with unchanged scores. */
  static final Stacking LEARNERS = new Stacking(1, 0);

  /** The trees alone, with unchanged scores. */
  static final Stacking TREES = new Stacking(0, 1);

  /** If the share of one of the two is below this, it is left out. */
  private static final double NEGLIGIBLE = 0.02;

  private static final int MOST_STEPS = 50;

  /** The search ends when damping or the relative decrease of the loss falls below this. */
  private static final double STILL = 1e-9;

  /** Ridge on the weights of scores, so that they stay finite if all rows are answered right. */
  private static final double RIDGE = 1e-3;

  /** Rows with the scores of learners and trees. */
  record Rows(Model model, List<Instance> rows, double[][] learners, double[][] trees) {
    static Rows of(List<Instance> rows, HeldScores learners, HeldScores trees) {
      return new Rows(learners.model(), rows, learners.scores(), trees.scores());
    }

    /** The weighted sums of both scores, with other weights for rows of even and odd index. */
    HeldScores sums(Stacking even, Stacking odd) {
      double[][] sums = new double[learners.length][];
      Arrays.setAll(sums, r -> (r % 2 == 0 ? even : odd).sum(learners[r], trees[r]));
      return new HeldScores(model, sums);
    }
  }

  /** The best weights on some rows; the learners alone if there are too few rows. */
  static Stacking by(Rows all, int[] some) {
    if (some.length < Estimate.FEWEST) {
      return LEARNERS;
    }
    Stacking found =
        all.model.task().isRegression() ? ofNumbers(all, some) : new Classes(all, some).found();
    double share = found.share(all, some);
    if (share < NEGLIGIBLE) {
      return LEARNERS;
    }
    boolean isTrees = share > 1 - NEGLIGIBLE;
    return isTrees ? treesAlone(all, some) : found;
  }

  /** Trees alone; for classes, with the best factor on some rows. */
  static Stacking treesAlone(Rows all, int[] some) {
    if (all.model.task().isRegression()) {
      return TREES;
    }
    double[][] none = new double[all.learners.length][all.learners[0].length];
    Stacking found = new Classes(new Rows(all.model, all.rows, none, all.trees), some).found();
    return new Stacking(0, found.trees);
  }

  /** The equal weights of {@code count} learners, followed by the weight of the trees. */
  double[] ofMembers(int count) {
    double[] weights = new double[count + 1];
    Arrays.fill(weights, learners / count);
    weights[count] = trees;
    return weights;
  }

  /** The share of the trees in the weighted deviation of the scores. */
  double share(Rows all, int[] some) {
    double ofLearners = learners * deviation(all.learners, some);
    double ofTrees = trees * deviation(all.trees, some);
    return ofTrees == 0 ? 0 : ofTrees / (ofLearners + ofTrees);
  }

  private static double deviation(double[][] scores, int[] some) {
    double squares = 0;
    for (int c = 0; c < scores[some[0]].length; c++) {
      int column = c;
      double mean = Arrays.stream(some).mapToDouble(r -> scores[r][column]).average().orElse(0);
      squares += Arrays.stream(some).mapToDouble(r -> square(scores[r][column] - mean)).sum();
    }
    return Math.sqrt(squares);
  }

  private static double square(double value) {
    return value * value;
  }

  private static Stacking ofNumbers(Rows all, int[] some) {
    double product = 0;
    double squares = 0;
    for (int r : some) {
      double more = all.trees[r][0] - all.learners[r][0];
      product += more * (all.rows.get(r).label() - all.learners[r][0]);
      squares += more * more;
    }
    double trees = squares == 0 ? 0 : Math.min(1, Math.max(0, product / squares));
    return new Stacking(1 - trees, trees);
  }

  /** The mean loss on some rows: the squared error, or the log loss. */
  double loss(Rows all, int[] some) {
    if (!all.model.task().isRegression()) {
      return new Classes(all, some).loss(this);
    }
    return Arrays.stream(some)
        .mapToDouble(r -> square(sum(all.learners[r], all.trees[r])[0] - all.rows.get(r).label()))
        .average()
        .orElse(0);
  }

  /** The weighted sum of the scores of both. */
  double[] sum(double[] ofLearners, double[] ofTrees) {
    double[] sum = new double[ofLearners.length];
    for (int c = 0; c < sum.length; c++) {
      sum[c] = learners * ofLearners[c] + trees * ofTrees[c];
    }
    return sum;
  }

  /** Fits the two weights for classes by Newton's method. */
  private static final class Classes {
    private final Rows all;
    private final int[] some;
    private final double[] classes;
    private double gradientL;
    private double gradientT;
    private double hessianL;
    private double hessianT;
    private double mixed;

    Classes(Rows all, int[] some) {
      this.all = all;
      this.some = some;
      classes = all.model.classes();
    }

    Stacking found() {
      Stacking at = new Stacking(1, 1);
      double loss = derive(at);
      double damping = 1;
      for (int step = 0; step < MOST_STEPS && damping > STILL; step++) {
        Stacking next = step(at, damping);
        double before = loss;
        double after = derive(next);
        if (after <= before) {
          at = next;
          loss = after;
          damping = Math.min(1, 2 * damping);
          if (before - after <= STILL * before) {
            break;
          }
        } else {
          damping /= 4;
          derive(at);
        }
      }
      return at;
    }

    /** A Newton step from the last {@link #derive}; a weight that would fall below 0 becomes 0. */
    private Stacking step(Stacking at, double damping) {
      double determinant = hessianL * hessianT - mixed * mixed;
      boolean isSingular = determinant <= STILL * hessianL * hessianT;
      double moveL =
          isSingular
              ? gradientL / hessianL
              : (hessianT * gradientL - mixed * gradientT) / determinant;
      double moveT =
          isSingular
              ? gradientT / hessianT
              : (hessianL * gradientT - mixed * gradientL) / determinant;
      double l = at.learners - damping * moveL;
      double t = at.trees - damping * moveT;
      if (l < 0) {
        return new Stacking(
            0, Math.max(0, at.trees - damping * shifted(gradientT, at.learners) / hessianT));
      }
      return t < 0
          ? new Stacking(
              Math.max(0, at.learners - damping * shifted(gradientL, at.trees) / hessianL), 0)
          : new Stacking(l, t);
    }

    /** A derivative after the other weight has moved from its present value to 0. */
    private double shifted(double gradient, double other) {
      return gradient - mixed * other;
    }

    /** Evaluates the objective and its derivatives. */
    private double derive(Stacking at) {
      gradientL = RIDGE * at.learners;
      gradientT = RIDGE * at.trees;
      hessianL = RIDGE;
      hessianT = RIDGE;
      mixed = 0;
      return RIDGE * (square(at.learners) + square(at.trees)) / 2 + loss(at);
    }

    /** The mean log loss; adds its derivatives to the fields. */
    double loss(Stacking at) {
      double loss = 0;
      for (int r : some) {
        loss += add(at, all.learners[r], all.trees[r], all.rows.get(r).label()) / some.length;
      }
      return loss;
    }

    /** Adds the derivatives of a row; returns its loss. */
    private double add(Stacking at, double[] ofLearners, double[] ofTrees, double label) {
      boolean isPair = ofLearners.length == 1;
      int own = Arrays.binarySearch(classes, label);
      if (own < 0) {
        return 0;
      }
      double[] l = isPair ? new double[] {0, ofLearners[0]} : ofLearners;
      double[] t = isPair ? new double[] {0, ofTrees[0]} : ofTrees;
      double[] p = at.sum(l, t);
      double largest = Arrays.stream(p).max().orElse(0);
      double ownScore = p[own];
      double sum = 0;
      for (int c = 0; c < p.length; c++) {
        p[c] = StrictMath.exp(p[c] - largest);
        sum += p[c];
      }
      double meanL = 0;
      double meanT = 0;
      double squaresL = 0;
      double squaresT = 0;
      double products = 0;
      for (int c = 0; c < p.length; c++) {
        double part = p[c] / sum;
        meanL += part * l[c];
        meanT += part * t[c];
        squaresL += part * l[c] * l[c];
        squaresT += part * t[c] * t[c];
        products += part * l[c] * t[c];
      }
      gradientL += (meanL - l[own]) / some.length;
      gradientT += (meanT - t[own]) / some.length;
      hessianL += (squaresL - meanL * meanL) / some.length;
      hessianT += (squaresT - meanT * meanT) / some.length;
      mixed += (products - meanL * meanT) / some.length;
      return largest + StrictMath.log(sum) - ownScore;
    }
  }
}
