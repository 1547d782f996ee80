package org.avm4j.cluster;

import org.avm4j.ClusterSummary.Cluster;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * The bytes of {@link Cells}: radius (8), cells (4), features (4), for each feature n× mean (8), n×
 * weight (8), n× sum of squares (8), n× squared reach (8), n× number of the cluster (4).
 */
final class CellsCodec {
  /** A little above {@link Cells#FARTHEST}, for the rounding of means. */
  private static final double FARTHEST = 1.001 * Cells.FARTHEST;

  /** Bound on sums of squares, which means within ±1e6 and weights up to 1e15 never reach. */
  private static final double LARGEST = 1e50;

  private CellsCodec() {}

  static void encode(Cells cells, Encoder out) {
    out.float64(cells.radius());
    out.int32(cells.size());
    out.int32(cells.dimension());
    for (double[] column : cells.columns) {
      out.doubles(column, cells.size());
    }
    out.doubles(cells.weights, cells.size());
    out.doubles(cells.squares, cells.size());
    out.doubles(cells.reaches, cells.size());
    for (int j = 0; j < cells.size(); j++) {
      out.int32(cells.numbers[j]);
    }
  }

  static Cells decode(Decoder in, int mostCells, int dimension) throws ModelFileException {
    double radius = in.finite("the radius");
    Decoder.check(radius >= 0, "the radius must not be negative", radius);
    int size = in.int32("the cells", mostCells);
    double[][] columns = new double[in.int32("the features of a cell", dimension)][];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = near(in.doubles(size, 0));
    }
    double[] weights = positive(in.doubles(size, 0));
    double[] squares = notNegative(in.doubles(size, 0));
    double[] reaches = notNegative(in.doubles(size, 0));
    int[] numbers = new int[size];
    for (int j = 0; j < size; j++) {
      numbers[j] = in.int32();
      boolean isNumber = numbers[j] == Cluster.NOISE || numbers[j] > 0;
      Decoder.check(isNumber, "a cluster must have a number above 0", numbers[j]);
    }
    Cells cells = new Cells(radius, columns, weights, squares, reaches, numbers);
    Decoder.check(Double.isFinite(cells.total()), "the weights must be finite", cells.total());
    return cells;
  }

  private static double[] positive(double[] weights) throws ModelFileException {
    for (double weight : weights) {
      Decoder.check(weight > 0, "a cell must have a weight", weight);
    }
    return weights;
  }

  private static double[] near(double[] column) throws ModelFileException {
    for (double value : column) {
      Decoder.check(Math.abs(value) <= FARTHEST, "a mean must be within ±" + FARTHEST, value);
    }
    return column;
  }

  private static double[] notNegative(double[] squares) throws ModelFileException {
    for (double square : squares) {
      boolean isSquare = square >= 0 && square <= LARGEST;
      Decoder.check(isSquare, "a square must be from 0 to " + LARGEST, square);
    }
    return squares;
  }

  /** Throws an exception if a cell has a cluster number that was never assigned. */
  static void checkNumbers(Cells cells, int given) throws ModelFileException {
    for (int number : cells.numbers) {
      Decoder.check(number <= given, "a cluster must have a number up to " + given, number);
    }
  }
}
