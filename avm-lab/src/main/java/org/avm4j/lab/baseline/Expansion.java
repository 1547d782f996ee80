package org.avm4j.lab.baseline;

import java.util.Arrays;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.math.Vectors;
import org.avm4j.points.CoreSet;
import org.avm4j.points.KernelRow;

/**
 * The kernel expansion f_c(x) = s Σ_j a_cj K(x_j, x): vectors, a column of coefficients for each
 * class, and a common scale s, so that shrinking f takes constant time. Records the age of vectors.
 */
final class Expansion {
  /** Below this scale it is multiplied into the coefficients, before they overflow. */
  private static final double SMALLEST = 1e-100;

  private final Kernel kernel;
  private CoreSet core;
  private KernelRow row;
  private KernelRow inner;
  private double[][] a;
  private long[] born = {};
  private long clock;
  private double scale = 1;

  Expansion(Kernel kernel, int columns) {
    this.kernel = kernel;
    a = new double[columns][0];
    over(new CoreSet());
  }

  private void over(CoreSet vectors) {
    core = vectors;
    row = new KernelRow(core, kernel);
    inner = new KernelRow(core, kernel);
  }

  int size() {
    return core.size();
  }

  void addColumn() {
    a = Arrays.copyOf(a, a.length + 1);
    a[a.length - 1] = new double[born.length];
  }

  /** Sets the instance x that the other methods refer to. */
  void measure(Features x) {
    row.measure(x);
  }

  /** K(x_j, x) for all j. */
  double[] kernels() {
    return row.kernels();
  }

  /** f_c(x). */
  double value(int column) {
    return scale * Vectors.dot(a[column], row.kernels(), row.measured());
  }

  double coefficient(int column, int j) {
    return scale * a[column][j];
  }

  double[] coefficients(int column) {
    double[] all = new double[size()];
    Arrays.setAll(all, j -> coefficient(column, j));
    return all;
  }

  /** Adds x with the coefficient of the step. */
  void add(LabelStep labelStep) {
    reserve(size() + 1);
    place(core.add(row, false), labelStep);
  }

  /** Replaces vector j by x, with the coefficient of the step. */
  void replace(int j, LabelStep labelStep) {
    core.replace(j, row);
    place(j, labelStep);
  }

  /** Changes vector j; its coefficients and age stay. */
  void move(int j, Features to) {
    inner.measure(to);
    core.replace(j, inner);
  }

  /** Removes vector j; the last one takes its place. */
  void remove(int j) {
    core.remove(j);
    for (double[] column : a) {
      column[j] = column[size()];
    }
    born[j] = born[size()];
  }

  void coefficient(int column, int j, double value) {
    a[column][j] = value / scale;
  }

  /** f_c ← f_c + factor Σ_j d_j K(x_j, ·). */
  void addAll(int column, double factor, double[] d) {
    for (int j = 0; j < size(); j++) {
      a[column][j] += factor / scale * d[j];
    }
  }

  /** f ← factor f. */
  void shrink(double factor) {
    scale *= factor;
    if (scale < SMALLEST) {
      fold();
    }
  }

  /** Sets the scale s; the stored coefficients stay. */
  void scale(double value) {
    scale = value;
  }

  boolean isOlder(int i, int j) {
    return born[i] < born[j];
  }

  int oldest() {
    int oldest = 0;
    for (int j = 1; j < size(); j++) {
      oldest = isOlder(j, oldest) ? j : oldest;
    }
    return oldest;
  }

  /** The vector with the smallest Σ_c α_cj²; in case of a tie, the oldest. */
  int smallest() {
    int least = 0;
    double leastNorm = product(0, 0);
    for (int j = 1; j < size(); j++) {
      double norm = product(j, j);
      if (norm < leastNorm || (norm == leastNorm && isOlder(j, least))) {
        least = j;
        leastNorm = norm;
      }
    }
    return least;
  }

  /** Σ_c a_ci a_cj, in units of s². */
  double product(int i, int j) {
    double sum = 0;
    for (double[] column : a) {
      sum += column[i] * column[j];
    }
    return sum;
  }

  /** max_j |α_j| of a column. */
  double largest(int column) {
    double largest = 0;
    for (int j = 0; j < size(); j++) {
      largest = Math.max(largest, Math.abs(a[column][j]));
    }
    return scale * largest;
  }

  Features vector(int j) {
    return core.vector(j);
  }

  /** K(x_i, x_j) for all i. */
  double[] kernelsOf(int j) {
    return inner.measure(core.vector(j));
  }

  /** f_c(x_j). */
  double valueAt(int column, int j) {
    return scale * Vectors.dot(a[column], kernelsOf(j), size());
  }

  /** The matrix of all K(x_i, x_j). */
  double[][] matrix() {
    double[][] k = new double[size()][];
    Arrays.setAll(k, j -> Arrays.copyOf(kernelsOf(j), size()));
    return k;
  }

  CoreSet copyOfVectors() {
    return core.copy();
  }

  int columns() {
    return a.length;
  }

  void encode(Encoder out) {
    core.encode(out);
    out.float64(scale);
    out.int64(clock);
    for (int j = 0; j < size(); j++) {
      out.int64(born[j]);
    }
    for (double[] column : a) {
      out.doubles(column, size());
    }
  }

  void decode(Decoder in, int most) throws ModelFileException {
    over(CoreSet.decode(in));
    Decoder.check(size() <= most, "vectors must be at most " + most, size());
    scale = in.finite("the scale");
    clock = in.count("the clock");
    born = new long[size()];
    for (int j = 0; j < size(); j++) {
      born[j] = in.count("a time");
    }
    a = in.rows(a.length, size());
  }

  private void place(int j, LabelStep labelStep) {
    for (double[] column : a) {
      column[j] = 0;
    }
    a[labelStep.own()][j] = labelStep.step() / scale;
    if (labelStep.rival() >= 0) {
      a[labelStep.rival()][j] = -labelStep.step() / scale;
    }
    born[j] = clock++;
  }

  private void fold() {
    for (double[] column : a) {
      for (int j = 0; j < size(); j++) {
        column[j] *= scale;
      }
    }
    scale = 1;
  }

  private void reserve(int wanted) {
    if (wanted > born.length) {
      int capacity = Math.max(16, wanted + wanted / 2);
      born = Arrays.copyOf(born, capacity);
      Arrays.setAll(a, c -> Arrays.copyOf(a[c], capacity));
    }
  }
}
