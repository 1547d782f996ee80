package org.avm4j.auto;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.OnlineLearner;
import org.avm4j.data.Instance;
import org.avm4j.points.Differentiable;

/**
 * How much features matter to a learner and to what it has not learned yet.
 *
 * <p>The first is the average gradient outer product, E[Σ_c ∇f_c ∇f_cᵀ], or its diagonal, of
 * recursive feature machines (Radhakrishnan, Beaglehole, Pandit, Belkin, 2024). It is blind to a
 * feature that the learner could not use so far. So a feature gets in addition the variance of the
 * residuals, as they were before each instance was learned, that it explains: alone, by the means
 * in bins of its values, or together with another feature, by their product; as far as that is more
 * than chance. Where a matrix has mixed the features that says nothing, and gradients alone count.
 */
final class Relevance {
  /** Gradients are taken at this many instances at most. */
  private static final int GRADIENTS = 512;

  /** The bins of the values of a feature. */
  private static final int BINS = 16;

  /** Products are looked at where their number, times that of the scores, is below this. */
  private static final long MOST_PRODUCTS = 1 << 14;

  /** A standardised value counts as this at most. */
  private static final double MOST = 3;

  /** A deviation below this part of the mean is nothing but rounding. */
  private static final double ROUNDING = 1e-9;

  /** The part of the instances that are learned before residuals count. */
  private static final int WARM_UP = 4;

  /** The matrix is collected up to this many features. */
  private static final int MOST_TOGETHER = 64;

  private final OnlineLearner learner;
  private final List<Instance> rows;
  private final int features;
  private final List<double[]> residuals = new ArrayList<>();
  private final List<Features> judged = new ArrayList<>();
  private final double[] weights;
  private final double[][] matrix;
  private boolean isWeighed;
  private Model model;
  private double[][] gradient = {};
  private int next;

  /** Whether a matrix has mixed the features, so that none of them stands alone. */
  private final boolean isMixed;

  /** What matters to a runner that is to learn some rows, each of which is observed before. */
  Relevance(Runner runner, List<Instance> rows, int features) {
    learner = runner.learner();
    isMixed = runner.candidate().metric().isMatrix();
    this.rows = rows;
    this.features = features;
    weights = new double[features];
    int together = features <= MOST_TOGETHER ? features : 0;
    matrix = new double[together][together];
  }

  /** Sees row t before it is learned. */
  void observe(int t, Instance row) {
    if (!isMixed && WARM_UP * t >= rows.size()) {
      judged.add(row.features());
      residuals.add(residuals(learner, row));
    }
  }

  /** The relevance of each feature, M_ii. */
  double[] weights() {
    weigh();
    return weights;
  }

  /** The relevance of features together, M; empty where there are too many. */
  double[][] matrix() {
    weigh();
    return matrix;
  }

  private void weigh() {
    while (!isWhole()) {
      addGradient();
    }
    if (!isMixed && !isWeighed) {
      addResiduals(learner.columns());
    }
    isWeighed = true;
  }

  /** Whether all gradients are taken. */
  boolean isWhole() {
    return next >= rows.size();
  }

  /** What is left of the targets, -1 and 1 for classes, where a margin that is reached counts 0. */
  private static double[] residuals(OnlineLearner learner, Instance row) {
    double[] scores = learner.score(row.features());
    double[] classes = learner.classes();
    double[] left = new double[scores.length];
    for (int c = 0; c < scores.length; c++) {
      left[c] =
          switch (learner.task().kind()) {
            case REGRESSION -> row.label() - scores[c];
            case BINARY -> hinge(row.label(), scores[c]);
            default -> hinge(classes[c] == row.label() ? 1 : -1, scores[c]);
          };
    }
    return left;
  }

  private static double hinge(double sign, double score) {
    return sign * Math.max(0, 1 - sign * score);
  }

  /** Takes one of the gradients, once all rows are learned. */
  void addGradient() {
    if (next == 0) {
      model = learner.snapshot();
      gradient = new double[model.columns()][features];
    }
    if (!(model instanceof Differentiable differentiable)) {
      throw new IllegalArgumentException("a model without a gradient: " + model.kind());
    }
    int every = Math.max(1, rows.size() / GRADIENTS);
    int count = 1 + (rows.size() - 1) / every;
    differentiable.addGradient(rows.get(next).features(), gradient);
    for (double[] column : gradient) {
      addOuterProduct(column, count);
      Arrays.fill(column, 0);
    }
    next += every;
  }

  private void addOuterProduct(double[] gradient, int count) {
    for (int i = 0; i < features; i++) {
      weights[i] += gradient[i] * gradient[i] / count;
    }
    for (int i = 0; i < matrix.length; i++) {
      for (int j = 0; j < matrix.length; j++) {
        matrix[i][j] += gradient[i] * gradient[j] / count;
      }
    }
  }

  private void addResiduals(int columns) {
    double[][] values = values();
    double[] variances = Arrays.stream(values).mapToDouble(Relevance::standardise).toArray();
    int[][] bins = Arrays.stream(values).map(Relevance::bins).toArray(int[][]::new);
    boolean hasPairs = (long) features * features * columns <= MOST_PRODUCTS;
    for (double[] column : values) {
      Arrays.setAll(column, t -> Math.max(-MOST, Math.min(MOST, column[t])));
    }
    for (int c = 0; c < columns; c++) {
      double[] r = residuals(c);
      double variance = standardise(r);
      for (int i = 0; variance > 0 && i < features; i++) {
        double explained = byBins(r, bins[i]) + (hasPairs ? byPairs(r, values, i) : 0);
        add(i, variances[i] > 0 ? 2 * variance * explained / variances[i] : 0);
      }
    }
  }

  private void add(int feature, double more) {
    weights[feature] += more;
    if (matrix.length > 0) {
      matrix[feature][feature] += more;
    }
  }

  private double[][] values() {
    double[][] values = new double[features][judged.size()];
    for (int t = 0; t < judged.size(); t++) {
      Features x = judged.get(t);
      for (int e = 0; e < x.count() && x.index(e) < features; e++) {
        values[x.index(e)][t] = x.value(e);
      }
    }
    return values;
  }

  private double[] residuals(int c) {
    return residuals.stream().mapToDouble(left -> c < left.length ? left[c] : 0).toArray();
  }

  /** Brings values to mean 0 and variance 1, if they have any; returns the variance they had. */
  private static double standardise(double[] values) {
    double mean = Arrays.stream(values).average().orElse(0);
    double variance = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).average().orElse(0);
    double deviation = Math.sqrt(variance);
    boolean isConstant = deviation <= ROUNDING * Math.abs(mean);
    for (int t = 0; t < values.length; t++) {
      values[t] = isConstant ? 0 : (values[t] - mean) / deviation;
    }
    return isConstant ? 0 : variance;
  }

  /** The bin of each value: bins hold equal numbers of values, equal values share a bin. */
  private static int[] bins(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    double[] edges =
        IntStream.range(1, BINS).mapToDouble(b -> sorted[b * sorted.length / BINS]).toArray();
    return Arrays.stream(values)
        .mapToInt(v -> (int) Arrays.stream(edges).filter(edge -> edge <= v).count())
        .toArray();
  }

  /** The part of the variance that the means of bins explain, less what chance would. */
  private static double byBins(double[] r, int[] bins) {
    double[] sums = new double[BINS];
    int[] counts = new int[BINS];
    for (int t = 0; t < r.length; t++) {
      sums[bins[t]] += r[t];
      counts[bins[t]]++;
    }
    double explained = 0;
    int free = -1;
    for (int b = 0; b < BINS; b++) {
      explained += counts[b] == 0 ? 0 : sums[b] * sums[b] / counts[b];
      free += counts[b] == 0 ? 0 : 1;
    }
    double chance = free + 3 * Math.sqrt(2.0 * free);
    return Math.max(0, explained - chance) / r.length;
  }

  /** The part of the variance that products with other features explain beyond chance. */
  private double byPairs(double[] r, double[][] values, int i) {
    double chance = 2 * StrictMath.log(features * features / 2.0 + 1) + 4;
    double explained = 0;
    for (int j = 0; j < features; j++) {
      double square = j == i ? 0 : byProduct(r, values[i], values[j]);
      explained += square > chance ? square / r.length : 0;
    }
    return explained;
  }

  /** n times the squared correlation with a product: about χ² of one degree by chance. */
  private static double byProduct(double[] r, double[] a, double[] b) {
    double with = 0;
    double sum = 0;
    double squares = 0;
    for (int t = 0; t < r.length; t++) {
      double product = a[t] * b[t];
      with += r[t] * product;
      sum += product;
      squares += product * product;
    }
    double spread = squares - sum * sum / r.length;
    return spread > 0 ? with * with / spread : 0;
  }
}
