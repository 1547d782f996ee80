package org.avm4j.auto;

import java.util.Arrays;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.Status.Standing;
import org.avm4j.auto.constants.Constants;
import org.avm4j.data.Scaler;
import org.avm4j.internal.Cholesky;
import org.avm4j.internal.Gram;
import org.avm4j.math.Vectors;
import org.avm4j.points.CoreSet;
import org.avm4j.points.Gradients;
import org.avm4j.points.KernelRow;

/**
 * Judges a candidate on some rows by cross-validation. Instead of a machine, a ridge regression on
 * the kernel values at a few of the rows learns all folds but one and answers that one. The
 * regression is solved in closed form, which takes a small part of the time that a machine would
 * need.
 *
 * <p>The work is done in steps, so that it can be spread over the rows of a stream.
 */
final class RidgeTrial {
  private final Candidate candidate;
  private final TrialRows rows;
  private final Scaler scaler;
  private final boolean isForward;
  private final Kernel kernel;
  private final CoreSet points = new CoreSet();
  private final KernelRow kernels;
  private final double[] linear;
  private final double[][] inputs;
  private final Gram[] grams = new Gram[Constants.FOLDS];
  private final double[][][] sums;
  private int added;
  private int judged;
  private double loss;
  private double answered;

  /**
   * A trial of a candidate.
   *
   * @param scaler its scaling and metric
   * @param isForward whether a fold is answered only by what was learned from the folds before it.
   *     One machine needs settings that hold for later rows; a tree with experts beside it does not
   */
  RidgeTrial(Candidate candidate, Scaler scaler, Kernel kernel, TrialRows rows, boolean isForward) {
    this.isForward = isForward;
    this.candidate = candidate;
    this.scaler = scaler;
    this.kernel = kernel;
    this.rows = rows;
    kernels = new KernelRow(points, kernel);
    int most =
        candidate.maxSize() > 0
            ? Math.min(Constants.POINTS, candidate.maxSize())
            : Constants.POINTS;
    int count = Math.min(most, rows.size());
    for (int j = 0; j < count; j++) {
      kernels.measure(scaled((int) ((long) j * rows.size() / count)));
      points.add(kernels, false);
    }
    linear = new double[candidate.linear() + 1];
    int size = linear.length + count;
    inputs = new double[rows.size()][];
    Arrays.setAll(grams, fold -> Gram.onOneCore(size));
    sums = new double[Constants.FOLDS][rows.columns()][size];
  }

  /** The features of a row as the candidate sees them. */
  private Features scaled(int row) {
    return scaler.apply(rows.get(row).features());
  }

  Candidate candidate() {
    return candidate;
  }

  boolean isOver() {
    return judged == Constants.FOLDS;
  }

  /** The mean loss over the answered rows, times the handicap of the candidate. */
  double loss() {
    return answered > 0 ? candidate.handicap() * loss / answered : 0;
  }

  /** The result of the candidate. */
  Standing standing(boolean isBest) {
    return new Standing(
        rows.size(),
        candidate.scaling().word(),
        kernel,
        candidate.width(),
        candidate.prior(),
        candidate.maxSize(),
        loss(),
        isBest);
  }

  /** Adds a row or judges a fold; returns the work done, in multiplications. */
  long step() {
    long size = grams[0].size();
    if (added < rows.size()) {
      int features = add(added++);
      return size * (size / 2 + rows.columns() + features);
    }
    judge(judged++);
    return size * (size * size / 6 + (long) rows.size() * rows.columns() / Constants.FOLDS);
  }

  /** Adds a row; returns the number of its features. */
  private int add(int row) {
    Features x = scaled(row);
    double[] near = kernels.measure(x);
    if (linear.length > 0) {
      kernels.readFeatures(linear);
    }
    double[] k = Arrays.copyOf(linear, grams[0].size());
    System.arraycopy(near, 0, k, linear.length, kernels.measured());
    inputs[row] = k;
    double weight = rows.get(row).weight();
    int fold = fold(row);
    grams[fold].add(weight, k);
    for (int c = 0; c < rows.columns(); c++) {
      Vectors.add(weight * rows.target(row, c), k, sums[fold][c], k.length);
    }
    return x.count();
  }

  private void judge(int fold) {
    if (isForward && 2 * fold < Constants.FOLDS) {
      return;
    }
    double[][] weights = weights(fold);
    double[] scores = new double[rows.columns()];
    for (int row = 0; row < rows.size(); row++) {
      if (fold(row) == fold) {
        double[] k = inputs[row];
        for (int c = 0; c < scores.length; c++) {
          scores[c] = Vectors.dot(weights[c], k, k.length);
        }
        loss += rows.loss(row, scores);
        answered += rows.get(row).weight();
      }
    }
  }

  /** The fold of a row: round robin, or contiguous blocks of rows in a forward trial. */
  private int fold(int row) {
    return isForward ? (int) ((long) row * Constants.FOLDS / rows.size()) : row % Constants.FOLDS;
  }

  /**
   * The coefficients that answer fold {@code asked}; for {@link Constants#FOLDS}, those learned
   * from all folds.
   */
  private double[][] weights(int asked) {
    int size = grams[0].size();
    Gram gram = Gram.onOneCore(size);
    double[][] weights = new double[rows.columns()][size];
    for (int fold = 0; fold < Constants.FOLDS; fold++) {
      if (isForward ? fold < asked : fold != asked) {
        gram.add(grams[fold]);
        for (int c = 0; c < weights.length; c++) {
          Vectors.add(1, sums[fold][c], weights[c], size);
        }
      }
    }
    double[] ridge = new double[size];
    Arrays.fill(ridge, candidate.prior());
    double[][] factor = gram.factor(ridge);
    for (double[] column : weights) {
      Cholesky.solve(factor, column, size);
    }
    return weights;
  }

  /**
   * The average gradient outer product, E[Σ_c ∇f_c ∇f_cᵀ], of recursive feature machines
   * (Radhakrishnan, Beaglehole, Pandit, Belkin, 2024) over some rows, one row after the other.
   */
  final class GradientProducts {
    private final Gradients gradients;
    private final double[][] gradient;
    private final double[][] products;
    private final int every = Math.max(1, rows.size() / Constants.GRADIENTS);
    private int next;

    private GradientProducts(Gradients gradients, int features) {
      this.gradients = gradients;
      gradient = new double[rows.columns()][features];
      products = new double[features][features];
    }

    boolean isOver() {
      return next >= rows.size();
    }

    /** Adds the next row; returns the work done, in multiplications. */
    long step() {
      for (double[] column : gradient) {
        Arrays.fill(column, 0);
      }
      gradients.add(scaled(next), 1, 1, gradient);
      for (double[] column : gradient) {
        for (int i = 0; i < products.length; i++) {
          Vectors.add(column[i], column, products[i], products.length);
        }
      }
      next += every;
      return (long) gradient.length * products.length * (points.size() + products.length);
    }

    /** The sum over the rows so far. */
    double[][] products() {
      return products;
    }
  }

  /** Gradient products of the scores, still to be summed in steps; call this after the trial. */
  GradientProducts gradientProducts(int features) {
    double[][] weights = weights(Constants.FOLDS);
    double[][] beta = new double[weights.length][];
    double[][] lead = new double[weights.length][];
    for (int c = 0; c < weights.length; c++) {
      lead[c] = Arrays.copyOf(weights[c], linear.length);
      beta[c] = Arrays.copyOfRange(weights[c], linear.length, weights[c].length);
    }
    return new GradientProducts(new Gradients(points, kernel, beta, lead), features);
  }
}
