package org.avm4j.points;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.avm4j.CorePoint;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.Neighbour;
import org.avm4j.Update;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.form.KernelExpansion;
import org.avm4j.internal.Columns;
import org.avm4j.math.Vectors;

/**
 * A machine that no longer learns. It has a score for each column, including the one for classes
 * still to come. Immutable and thread-safe.
 */
public final class FrozenMachine {
  private final CoreSet core;
  private final Kernel kernel;
  private final double[][] beta;
  private final double[][] linear;
  private final AtomicReference<KernelRow> spare = new AtomicReference<>();

  /** A machine with these coefficients; each array has one row per column. */
  public FrozenMachine(CoreSet core, Kernel kernel, double[][] beta, double[][] linear) {
    this.core = core;
    this.kernel = kernel;
    this.beta = beta;
    this.linear = linear;
  }

  /** The number of vectors. */
  public int size() {
    return core.size();
  }

  /** The vectors. */
  public CoreSet core() {
    return core;
  }

  /** The kernel expansion of the scores, with classes in ascending order. */
  public KernelExpansion expansion(Columns columns) {
    return new ByClass(this, columns);
  }

  /** The machine with its columns in the order of the classes. */
  private record ByClass(FrozenMachine machine, Columns order) implements KernelExpansion {
    @Override
    public Kernel kernel() {
      return machine.kernel;
    }

    @Override
    public int columns() {
      return order.count();
    }

    @Override
    public int size() {
      return machine.size();
    }

    @Override
    public int dimension() {
      return machine.core.dimension();
    }

    @Override
    public Features vector(int j) {
      return machine.core.vector(j);
    }

    @Override
    public double coefficient(int column, int j) {
      return machine.beta[order.at(column)][j];
    }

    @Override
    public double[] linear(int column) {
      return machine.linear[order.at(column)].clone();
    }
  }

  /** The nearest core points, with the coefficients of the classes in ascending order. */
  public List<Neighbour> nearest(Features x, int most, Columns columns) {
    KernelRow row = new KernelRow(core, kernel);
    row.measure(x);
    return CorePoints.nearest(row, most, expansion(columns)::corePoint);
  }

  /** Adds all core points with the coefficients of the first columns. */
  public void addPoints(int columns, List<CorePoint> points) {
    for (int j = 0; j < size(); j++) {
      List<Double> ofPoint = new ArrayList<>();
      for (int c = 0; c < columns; c++) {
        ofPoint.add(beta[c][j]);
      }
      points.add(new CorePoint(core.vector(j), ofPoint));
    }
  }

  /** Writes the score of each column. */
  public void score(Features x, double[] into) {
    KernelRow row = spare.getAndSet(null);
    row = row == null ? new KernelRow(core, kernel) : row;
    double[] k = row.measure(x);
    for (int c = 0; c < beta.length; c++) {
      into[c] = Vectors.dot(beta[c], k, core.size()) + row.linear(linear[c]);
    }
    spare.set(row);
  }

  /** A copy with one more column, for a new class; it equals the last one. */
  public FrozenMachine withColumn() {
    double[][] more = Arrays.copyOf(beta, beta.length + 1);
    double[][] moreLinear = Arrays.copyOf(linear, linear.length + 1);
    more[beta.length] = beta[beta.length - 1];
    moreLinear[beta.length] = linear[beta.length - 1];
    return new FrozenMachine(core, kernel, more, moreLinear);
  }

  /** A copy whose column c is column {@code source[c]} of this one. */
  public FrozenMachine reordered(int[] source) {
    double[][] moved = Arrays.stream(source).mapToObj(c -> beta[c]).toArray(double[][]::new);
    double[][] movedLinear =
        Arrays.stream(source).mapToObj(c -> linear[c]).toArray(double[][]::new);
    return new FrozenMachine(core, kernel, moved, movedLinear);
  }

  /** Appends kernel, vectors and coefficients. */
  public void encode(Encoder out) {
    kernel.encode(out);
    core.encode(out);
    for (int c = 0; c < beta.length; c++) {
      out.doubles(beta[c], core.size());
      out.counted(linear[c]);
    }
  }

  /** Reads what {@link #encode} wrote. */
  public static FrozenMachine decode(Decoder in, int columns) throws ModelFileException {
    Kernel kernel = Kernel.decode(in);
    CoreSet core = CoreSet.decode(in);
    double[][] beta = new double[columns][];
    double[][] linear = new double[columns][];
    for (int c = 0; c < columns; c++) {
      beta[c] = in.doubles(core.size(), 0);
      linear[c] = in.counted("the linear part", Update.MOST_LINEAR + 1);
    }
    return new FrozenMachine(core, kernel, beta, linear);
  }
}
