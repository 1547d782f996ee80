package org.avm4j.data;

import java.util.Arrays;
import java.util.Optional;
import org.avm4j.Features;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Rules;
import org.avm4j.math.SymmetricEigen;
import org.avm4j.math.Vectors;

/**
 * A metric for the distance of two rows, learned from the data. Immutable.
 *
 * <p>Either each feature has a weight, ‖x - x'‖² = Σ_i w_i² (x_i - x'_i)². Or rows are first
 * multiplied by a symmetric matrix A, and their distance is ‖A (x - x')‖. A direction in which A is
 * large counts more than others.
 */
public final class Metric {
  /** The metric in which all features have the same weight. */
  public static final Metric NONE = new Metric(new double[0]);

  private static final String WEIGHTS = "metric";
  private static final String MATRIX = "matrix";

  /** The most features of a matrix. */
  private static final int MOST_TOGETHER = 512;

  /** Smallest eigenvalue of a matrix, as a fraction of the largest. */
  private static final double LEAST = 1e-3;

  /** 1, with a tolerance for rounding. */
  private static final double MOST = 1 + 1e-9;

  private final double[] weights;
  private final double[][] matrix;
  private final double[][] inverse;

  private Metric(double[] weights) {
    this.weights = weights;
    matrix = new double[0][];
    inverse = matrix;
  }

  private Metric(double[][] matrix, SymmetricEigen eigen) {
    double[] norms = Arrays.stream(matrix).mapToDouble(Metric::norm).toArray();
    double most = Arrays.stream(norms).max().orElse(1);
    weights = Arrays.stream(norms).map(norm -> norm / most).toArray();
    this.matrix = matrix;
    inverse = eigen.map(value -> 1 / value);
  }

  private static double norm(double[] row) {
    return Math.sqrt(Vectors.dot(row, row, row.length));
  }

  /**
   * A metric of these weights, divided by the largest of them; {@link #NONE} if none is above 0.
   */
  public static Metric of(double... weights) {
    double most = Arrays.stream(weights).max().orElse(0);
    return most > 0 ? new Metric(Arrays.stream(weights).map(w -> w / most).toArray()) : NONE;
  }

  /**
   * The metric of the rows that a linear map B gives: A = (BᵀB)^½ over its largest eigenvalue, with
   * no eigenvalue below a thousandth. Distances are those of the mapped rows up to a constant
   * factor. {@link #NONE} if B is 0.
   *
   * @param map a square matrix of finite numbers, of at most 512 features
   */
  public static Metric of(double[][] map) {
    double largest = checkedMap(map);
    if (largest == 0) {
      return NONE;
    }
    double[][] scaled = new double[map.length][];
    Arrays.setAll(scaled, i -> Arrays.stream(map[i]).map(value -> value / largest).toArray());
    SymmetricEigen squares = SymmetricEigen.of(squares(scaled));
    double most = Math.sqrt(squares.value(0));
    double[][] root = squares.map(v -> Math.max(LEAST, Math.sqrt(Math.max(0, v)) / most));
    return new Metric(root, SymmetricEigen.of(root));
  }

  /** The largest absolute value of an entry. */
  private static double checkedMap(double[][] map) {
    boolean isSquare = Arrays.stream(map).allMatch(row -> row.length == map.length);
    Rules.require(
        isSquare && map.length <= MOST_TOGETHER,
        "a map must be square, of at most " + MOST_TOGETHER + " features",
        map.length);
    double largest =
        Arrays.stream(map).flatMapToDouble(Arrays::stream).map(Math::abs).max().orElse(0);
    Rules.require(Double.isFinite(largest), "a map must be of finite numbers", largest);
    return largest;
  }

  /** BᵀB. */
  private static double[][] squares(double[][] map) {
    int n = map.length;
    double[][] columns = new double[n][n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        columns[j][i] = map[i][j];
      }
    }
    double[][] squares = new double[n][n];
    for (int i = 0; i < n; i++) {
      double[] column = columns[i];
      Arrays.setAll(squares[i], j -> Vectors.dot(column, columns[j], n));
    }
    return squares;
  }

  /** This metric followed by a factor for each feature. */
  public Metric weighted(double... factors) {
    if (!isMatrix()) {
      double[] both = new double[factors.length];
      Arrays.setAll(both, i -> factors[i] * weight(i));
      return of(both);
    }
    double[][] both = new double[matrix.length][];
    Arrays.setAll(both, i -> Arrays.stream(matrix[i]).map(v -> factors[i] * v).toArray());
    return of(both);
  }

  /** This metric followed by a linear map. */
  public Metric mapped(double[][] map) {
    int n = map.length;
    double[][] both = new double[n][n];
    for (int i = 0; i < n; i++) {
      double[] row = map[i];
      Arrays.setAll(both[i], j -> isMatrix() ? Vectors.dot(row, matrix[j], n) : row[j] * weight(j));
    }
    return of(both);
  }

  /** Whether this is {@link #NONE}. */
  public boolean isNone() {
    return weights.length == 0;
  }

  /** Whether the metric has a matrix. */
  public boolean isMatrix() {
    return matrix.length > 0;
  }

  /** The number of features with a weight; others are left out, unless this is {@link #NONE}. */
  public int dimension() {
    return weights.length;
  }

  /**
   * The weight of feature i; the largest is 1. For a matrix, the length of column i divided by that
   * of the longest.
   */
  public double weight(int i) {
    return isNone() ? 1 : i < weights.length ? weights[i] : 0;
  }

  /** Row i of the matrix, which equals column i; only if there is a matrix. */
  public double[] row(int i) {
    return matrix[i].clone();
  }

  /** Maps a row by the matrix, if there is one. */
  void apply(Features.Buffer row) {
    if (isMatrix()) {
      put(product(matrix, row.features()), row);
    }
  }

  /** The row that is mapped to this one. */
  Features inverse(Features mapped) {
    Features.Buffer row = new Features.Buffer();
    put(product(inverse, mapped), row);
    return row.features();
  }

  private static double[] product(double[][] matrix, Features x) {
    double[] product = new double[matrix.length];
    for (int e = 0; e < x.count() && x.index(e) < matrix.length; e++) {
      double[] column = matrix[x.index(e)];
      double value = x.value(e);
      for (int i = 0; i < product.length; i++) {
        product[i] += column[i] * value;
      }
    }
    return product;
  }

  private static void put(double[] values, Features.Buffer row) {
    row.clear();
    for (int i = 0; i < values.length; i++) {
      row.add(i, values[i]);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Metric metric
        && Arrays.equals(weights, metric.weights)
        && Arrays.deepEquals(matrix, metric.matrix);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(weights) + Arrays.deepHashCode(matrix);
  }

  @Override
  public String toString() {
    return isMatrix() ? Arrays.deepToString(matrix) : Arrays.toString(weights);
  }

  /**
   * Appends nothing for {@link #NONE}, else «metric»: d (4), d× weight (8), or «matrix»: d (4), d×
   * d× entry (8).
   */
  public void encode(Encoder out) {
    if (isMatrix()) {
      out.section(MATRIX, this::encodeMatrix);
    } else if (!isNone()) {
      out.section(WEIGHTS, section -> section.counted(weights));
    }
  }

  private void encodeMatrix(Encoder out) {
    out.int32(matrix.length);
    out.rows(matrix);
  }

  /** The metric that was appended. */
  public static Metric decode(Decoder in) throws ModelFileException {
    Optional<Metric> matrix = in.optional(MATRIX, Metric::decodeMatrix);
    return matrix.isPresent()
        ? matrix.get()
        : in.optional(WEIGHTS, Metric::decodeWeights).orElse(NONE);
  }

  private static Metric decodeWeights(Decoder in) throws ModelFileException {
    double[] weights = in.counted("the weights", Features.MAX_DIMENSION);
    for (double weight : weights) {
      Decoder.check(weight >= 0 && weight <= 1, "a weight must be from 0 to 1", weight);
    }
    return new Metric(weights);
  }

  private static Metric decodeMatrix(Decoder in) throws ModelFileException {
    int n = in.int32("the features", MOST_TOGETHER);
    Decoder.check(n > 0, "a matrix must have a feature", n);
    double[][] matrix = new double[n][];
    for (int i = 0; i < n; i++) {
      matrix[i] = in.doubles(n, 0);
      checkRow(matrix, i);
    }
    SymmetricEigen eigen = SymmetricEigen.of(matrix);
    checkEigenvalue(eigen.value(0));
    checkEigenvalue(eigen.value(n - 1));
    return new Metric(matrix, eigen);
  }

  private static void checkRow(double[][] matrix, int i) throws ModelFileException {
    for (int j = 0; j <= i; j++) {
      double value = matrix[i][j];
      Decoder.check(matrix[j][i] == value, "a matrix must be symmetric", value);
      Decoder.check(Math.abs(value) <= MOST, "an entry of a matrix must be from -1 to 1", value);
    }
  }

  private static void checkEigenvalue(double value) throws ModelFileException {
    boolean fits = value >= LEAST / 2 && value <= MOST;
    Decoder.check(fits, "the eigenvalues of a matrix must be from 0.001 to 1", value);
  }
}
