package org.avm4j.points;

import java.util.Arrays;
import org.avm4j.Coverage;
import org.avm4j.FeatureException;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.form.ModelForm;
import org.avm4j.internal.CellDistances;
import org.avm4j.internal.Distances;

/**
 * The distances and kernel values of one instance to all vectors of a core set. One pass serves
 * both the search for a cell and the scores. The latest instance is not measured again, so that
 * score-then-learn costs one pass.
 *
 * <p>A row with few entries is measured by ‖x‖² + ‖c‖² - 2⟨x, c⟩, which touches only the columns of
 * its entries. Where that suffers from cancellation, the distance is computed again feature by
 * feature.
 */
public final class KernelRow implements CellDistances {
  /** Values beyond this could make a squared distance overflow a float. */
  static final double LARGEST = Features.LARGEST;

  /** A squared distance below this fraction of ‖x‖² + ‖c‖² is computed feature by feature. */
  private static final float CANCELLED = 1f / 64;

  /**
   * If more than 1/{@code FEW} of the distances suffer from cancellation, all are computed feature
   * by feature.
   */
  private static final int FEW = 16;

  private final CoreSet core;
  private final Kernel kernel;

  private int[] index = {};
  private float[] value = {};
  private int count;
  private int rowDimension;
  private double norm;

  private float[] distances = {};
  private float[] values = {};
  private double[] kernels = {};
  private int measured = -1;
  private int version = -1;
  private int measuredDimension;
  private int nearest;

  private float[] picked = {};
  private float[][] pickedColumns = {};

  /** A row to be measured against these vectors. */
  public KernelRow(CoreSet core, Kernel kernel) {
    this.core = core;
    this.kernel = kernel;
  }

  /** k(‖x - c_j‖²) for all vectors j; the next call overwrites the array. */
  public double[] measure(Features x) {
    if (measured < 0
        || version != core.version()
        || measuredDimension != Math.max(core.dimension(), x.dimension())
        || !holds(x)) {
      measured = -1;
      load(x);
      makeRoom(core.size());
      boolean isSparse = 2 * count < dimension();
      if (!isSparse || !measureSparse()) {
        measureDense();
      }
      kernel.of(distances, values, core.size());
      measured = core.size();
      version = core.version();
      measuredDimension = dimension();
      finish();
    }
    return kernels;
  }

  /** The same values as floats, which is their precision, in a new array. */
  public float[] values(Features x) {
    measure(x);
    return Arrays.copyOf(values, measured);
  }

  /** The kernel values of the last pass. */
  public double[] kernels() {
    return kernels;
  }

  /** The number of vectors that the last pass saw. */
  public int measured() {
    return measured;
  }

  /**
   * Updates the row after vector j was removed from the core set and the last one took its place.
   */
  public void remove(int j) {
    measured--;
    distances[j] = distances[measured];
    values[j] = values[measured];
    version = core.version();
    finish();
  }

  /** bias + Σ_i b_i x_i, where the coefficients are the bias and then those of the features. */
  public double linear(double[] coefficients) {
    double sum = coefficients.length == 0 ? 0 : coefficients[0];
    for (int i = 0; i < count && index[i] < coefficients.length - 1; i++) {
      sum += coefficients[1 + index[i]] * value[i];
    }
    return sum;
  }

  /** Writes 1 and then the first features of the row, until the array is full. */
  public void readFeatures(double[] into) {
    Arrays.fill(into, 0);
    into[0] = 1;
    for (int i = 0; i < count && index[i] < into.length - 1; i++) {
      into[1 + index[i]] = value[i];
    }
  }

  /** The number of entries of x that are not 0. */
  public int count() {
    return count;
  }

  /** The feature of entry i. */
  public int index(int i) {
    return index[i];
  }

  /** The value of entry i. */
  public float value(int i) {
    return value[i];
  }

  /** The number of features that x has. */
  public int rowDimension() {
    return rowDimension;
  }

  /** ‖x‖². */
  public double norm() {
    return norm;
  }

  /** The nearest vector, or {@link Coverage#NONE} if there is none. */
  public int nearest() {
    return nearest;
  }

  /**
   * The first of the nearest vectors. Vectors count as equally near if their squared distances
   * exceed the smallest one by at most {@link ModelForm#SAME_DISTANCE} of it, so that rounding does
   * not decide.
   */
  public int firstNearest() {
    double least = distances[nearest] + rounding(nearest);
    int candidates = 0;
    for (int j = 0; j < measured; j++) {
      candidates += distances[j] - rounding(j) <= least ? 1 : 0;
    }
    return candidates == 1 ? nearest : firstOfEquals(least);
  }

  /** A bound on the rounding error of a squared distance in floats. */
  private double rounding(int j) {
    return (count + core.present() + 8) * Math.ulp(1f) * (norm + core.norms()[j]);
  }

  private int firstOfEquals(double most) {
    double[] exact = new double[measured];
    double least = Double.POSITIVE_INFINITY;
    for (int j = 0; j < measured; j++) {
      boolean isCandidate = distances[j] - rounding(j) <= most;
      exact[j] = isCandidate ? exactDistance(j) : Double.POSITIVE_INFINITY;
      least = Math.min(least, exact[j]);
    }
    int first = 0;
    while (exact[first] > least * (1 + ModelForm.SAME_DISTANCE)) {
      first++;
    }
    return first;
  }

  /** Converts the kernel values to doubles and finds the nearest vector. */
  private void finish() {
    float least = Float.POSITIVE_INFINITY;
    int found = Coverage.NONE;
    for (int j = 0; j < measured; j++) {
      kernels[j] = values[j];
      if (distances[j] < least) {
        least = distances[j];
        found = j;
      }
    }
    nearest = found;
  }

  @Override
  public int nearestCell(double squaredDistance) {
    if (nearest == Coverage.NONE || distances[nearest] >= squaredDistance || core.isCell(nearest)) {
      return nearest != Coverage.NONE && distances[nearest] < squaredDistance
          ? nearest
          : Coverage.NONE;
    }
    return nearestAmongCells(squaredDistance);
  }

  private int nearestAmongCells(double squaredDistance) {
    double least = squaredDistance;
    int found = Coverage.NONE;
    for (int j = 0; j < measured; j++) {
      if (distances[j] < least && core.isCell(j)) {
        least = distances[j];
        found = j;
      }
    }
    return found;
  }

  /** The places of the nearest vectors up to a limit, the nearest first. */
  public int[] nearest(int most) {
    int[] near = new int[Math.min(most, measured)];
    int found = 0;
    for (int j = 0; j < measured; j++) {
      int at = Math.min(found, near.length - 1);
      if (found < near.length || distances[j] < distances[near[at]]) {
        for (; at > 0 && distances[j] < distances[near[at - 1]]; at--) {
          near[at] = near[at - 1];
        }
        near[at] = j;
        found = Math.min(found + 1, near.length);
      }
    }
    return near;
  }

  @Override
  public int size() {
    return measured;
  }

  @Override
  public boolean isCell(int j) {
    return core.isCell(j);
  }

  @Override
  public double squaredDistance(int j) {
    return distances[j];
  }

  @Override
  public double maxDistance(int j) {
    double max = 0;
    for (int at = 0, p = 0; at < count || p < core.present(); ) {
      int i = next(at, p);
      float entry = hasEntry(at, i) ? value[at++] : 0;
      float other = hasColumn(p, i) ? core.column(core.index(p++))[j] : 0;
      max = Math.max(max, Math.abs((double) entry - other));
    }
    return max;
  }

  /** The smaller of the feature of entry {@code at} and that of column p, as far as these exist. */
  private int next(int at, int p) {
    int entry = at < count ? index[at] : Integer.MAX_VALUE;
    return p < core.present() ? Math.min(entry, core.index(p)) : entry;
  }

  private boolean hasEntry(int at, int i) {
    return at < count && index[at] == i;
  }

  private boolean hasColumn(int p, int i) {
    return p < core.present() && core.index(p) == i;
  }

  @Override
  public int dimension() {
    return Math.max(core.dimension(), rowDimension);
  }

  private boolean holds(Features x) {
    boolean same = x.count() == count && x.dimension() == rowDimension;
    for (int i = 0; same && i < count; i++) {
      same = x.index(i) == index[i] && (float) x.value(i) == value[i];
    }
    return same;
  }

  /** Throws an exception if squared distances of these features could overflow a float. */
  public static void check(Features x) {
    FeatureException.checkWithin(x, LARGEST, "must be within ±1e15, scale it first");
  }

  private void load(Features x) {
    check(x);
    if (x.count() > index.length) {
      index = new int[2 * x.count()];
      value = new float[2 * x.count()];
    }
    norm = 0;
    for (int i = 0; i < x.count(); i++) {
      index[i] = x.index(i);
      value[i] = (float) x.value(i);
      norm += (double) value[i] * value[i];
    }
    count = x.count();
    rowDimension = x.dimension();
  }

  private void makeRoom(int n) {
    if (n > kernels.length) {
      int capacity = n + n / 16;
      distances = new float[capacity];
      values = new float[capacity];
      kernels = new double[capacity];
    }
    int most = Math.max(count, core.present());
    if (most > picked.length) {
      picked = new float[most];
      pickedColumns = new float[most][];
    }
  }

  private void measureDense() {
    if (!core.isFull(dimension())) {
      measureWithGaps();
      return;
    }
    Arrays.fill(picked, 0, dimension(), 0);
    for (int i = 0; i < count; i++) {
      picked[index[i]] = value[i];
    }
    Distances.dense(picked, core.columns(), dimension(), core.size(), 0, distances);
  }

  /**
   * Measures a row with features that have no column; they add the same amount to all distances.
   */
  private void measureWithGaps() {
    double base = 0;
    int at = 0;
    for (int p = 0; p < core.present(); p++) {
      int i = core.index(p);
      for (; at < count && index[at] < i; at++) {
        base += (double) value[at] * value[at];
      }
      picked[p] = hasEntry(at, i) ? value[at++] : 0;
      pickedColumns[p] = core.column(i);
    }
    for (; at < count; at++) {
      base += (double) value[at] * value[at];
    }
    Distances.dense(picked, pickedColumns, core.present(), core.size(), base, distances);
  }

  /** Returns whether the distances are usable: not if too many suffer from cancellation. */
  private boolean measureSparse() {
    int features = 0;
    for (int i = 0; i < count; i++) {
      float[] column = core.column(index[i]);
      if (column != null) {
        picked[features] = value[i];
        pickedColumns[features++] = column;
      }
    }
    Distances.products(picked, pickedColumns, features, core.size(), distances);
    Distances.fromProducts((float) norm, core.norms(), core.size(), distances);
    return mend((float) norm, core.norms());
  }

  /** Recomputes the distances that suffer from cancellation. */
  private boolean mend(float own, float[] norms) {
    int left = 4 + core.size() / FEW;
    for (int j = 0; j < core.size() && left > 0; j++) {
      if (distances[j] < CANCELLED * (own + norms[j])) {
        distances[j] = (float) exactDistance(j);
        left--;
      }
    }
    return left > 0;
  }

  private double exactDistance(int j) {
    double sum = 0;
    for (int at = 0, p = 0; at < count || p < core.present(); ) {
      int i = next(at, p);
      float entry = hasEntry(at, i) ? value[at++] : 0;
      float other = hasColumn(p, i) ? core.column(core.index(p++))[j] : 0;
      double difference = (double) entry - other;
      sum += difference * difference;
    }
    return sum;
  }
}
