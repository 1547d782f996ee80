package org.avm4j.export;

import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.avm4j.Features;
import org.avm4j.form.KernelExpansion;

/**
 * Rows [N, d] and their squared distances to constant points. A row is (x, ‖x‖², 1) and a point a
 * column (-2c, 1, ‖c‖²) of a matrix, so that one product gives ‖x - c‖² for all points.
 *
 * <p>Far from the origin such a product loses digits: if the points are much closer to each other
 * than to the origin, rows and points are shifted to the origin first. If most features of the
 * points are 0, small batches are multiplied only by the features that they have.
 */
final class OnnxRows {
  /** Rows and points are shifted if the points are farther from 0 than this, in variances. */
  private static final double FAR_FROM_ORIGIN = 100;

  /** Maximum number of rows in a batch that is multiplied only by the features that it has. */
  private static final int FEW = 8;

  /** With fewer features than this, leaving some out takes longer than it saves. */
  private static final int SHORT = 64;

  /** Points are sparse if at most this fraction of their features is not 0. */
  private static final double SPARSE = 0.25;

  private final Graph graph;
  private final int width;
  private final double[] origin;
  private final String extended;
  private final String used;

  private OnnxRows(Graph graph, String row, double[] origin, boolean isSparse) {
    this.graph = graph;
    this.origin = origin;
    width = origin.length;
    String all = extended(row);
    String[] both = isSparse ? used(all) : new String[] {null, all};
    used = both[0];
    extended = both[1];
  }

  /** Rows that are compared with the points of a machine. */
  static OnnxRows of(Graph graph, String row, int width, KernelExpansion machine) {
    List<Features> points = vectors(machine).toList();
    double[] mean = new double[width];
    points.forEach(point -> add(point, 1.0 / points.size(), mean));
    double variance = points.stream().mapToDouble(point -> square(point, mean)).sum();
    double away = points.size() * square(Features.dense(), mean);
    boolean isFar = away > FAR_FROM_ORIGIN * variance;
    double count = points.stream().mapToDouble(Features::count).sum();
    boolean isSparse = width >= SHORT && count <= SPARSE * width * points.size();
    return new OnnxRows(graph, row, isFar ? mean : new double[width], isSparse && !isFar);
  }

  private static Stream<Features> vectors(KernelExpansion machine) {
    return Stream.iterate(0, j -> j < machine.size(), j -> j + 1).map(machine::vector);
  }

  private static void add(Features point, double factor, double[] into) {
    for (int i = 0; i < point.count(); i++) {
      into[point.index(i)] += factor * point.value(i);
    }
  }

  private static double square(Features point, double[] from) {
    double[] difference = from.clone();
    add(point, -1, difference);
    return Arrays.stream(difference).map(value -> value * value).sum();
  }

  private String extended(String row) {
    boolean isMoved = Arrays.stream(origin).anyMatch(value -> value != 0);
    String x = isMoved ? graph.add("Sub", row, graph.doubles(origin, 1, width)) : row;
    String square = graph.add("ReduceSumSquare", x, Graph.attribute("axes", new long[] {1}));
    String one = graph.scalar(1);
    String both = graph.add("Pad", List.of(square, graph.longs(0, 0, 0, 1), one));
    return graph.add("Concat", x, both, Graph.attribute("axis", 1));
  }

  /** The features [k] that some row has, and the rows [N, k] with only these. */
  private String[] used(String all) {
    String isFew =
        graph.add("Less", graph.add("Size", all), graph.longScalar((FEW + 1L) * height()));
    Graph few = graph.branch();
    String sums =
        few.add(
            "ReduceSumSquare",
            all,
            Graph.attribute("axes", new long[] {0}),
            Graph.attribute("keepdims", 0));
    String isUsed = few.add("Greater", sums, graph.number(0));
    String some = few.add("Squeeze", few.add("NonZero", isUsed), graph.longs(0));
    String shorter = few.add("Gather", all, some, Graph.attribute("axis", 1));
    Graph many = graph.branch();
    String every = many.add("Identity", graph.longs(LongStream.range(0, height()).toArray()));
    String same = many.add("Identity", all);
    return graph.addIf(isFew, few, List.of(some, shorter), many, List.of(every, same));
  }

  /** The rows in the form (x, ‖x‖², 1). */
  String extended() {
    return extended;
  }

  /** The number of rows of a matrix of points. */
  int height() {
    return width + 2;
  }

  /** The row of a matrix that is multiplied by 1. */
  private int last() {
    return width + 1;
  }

  /** Writes a point, times a factor, as a column of a matrix. */
  void write(Features point, double factor, Matrix into, int column) {
    double[] moved = origin.clone();
    add(point, -1, moved);
    double square = 0;
    for (int i = 0; i < width; i++) {
      into.set(i, column, 2 * factor * moved[i]);
      square += moved[i] * moved[i];
    }
    into.set(width, column, factor);
    into.set(last(), column, factor * square);
  }

  /** Writes a linear function of a row as a column of a matrix. */
  void writeLinear(double[] linear, double gate, Matrix into, int column) {
    double constant = 0;
    for (int i = 1; i < linear.length; i++) {
      into.set(i - 1, column, gate * linear[i]);
      constant += gate * linear[i] * origin[i - 1];
    }
    into.set(last(), column, constant);
  }

  /** The product [N, columns] of the rows with a matrix. */
  String times(Matrix matrix) {
    return times(graph, extended, constant(matrix));
  }

  /** The product of some rows of {@link #extended} with some columns of a matrix. */
  String times(Graph inner, String x, String points) {
    return inner.add("MatMul", x, used == null ? points : inner.add("Gather", points, used));
  }

  String constant(Matrix matrix) {
    return graph.doubles(matrix.values, height(), matrix.columns);
  }

  Matrix matrix(int columns) {
    return new Matrix(columns, new double[Math.multiplyExact(height(), columns)]);
  }

  /**
   * A matrix in row-major order.
   *
   * @param columns the number of columns
   * @param values the entries
   */
  record Matrix(int columns, double[] values) {
    void set(int row, int column, double value) {
      values[row * columns + column] = value;
    }
  }
}
