package org.avm4j.newton;

import java.util.Arrays;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.math.Vectors;

/**
 * The complete history of a young learner, as long as every instance that it learned is one of its
 * vectors: for each vector the sum of w κ and, for each column, the sum of w κ z of the instances
 * there.
 *
 * <p>From these sums a new vector gets exactly the entries of A and b that it would have if it had
 * been there from the start. Without them its past kernel values would count as 0.
 */
final class ExactHistory {
  private final int most;
  private final double[][] kernels;
  private double[] mass;
  private final double[][] goals;
  private int n;

  /** The history of a learner with a limited number of vectors. */
  ExactHistory(int most) {
    this.most = most;
    kernels = new double[most][];
    mass = new double[most];
    goals = new double[most][0];
  }

  /** Whether one more vector can be remembered. */
  boolean hasRoom() {
    return n < most;
  }

  /** Adds a vector; k holds its kernel values with the vectors before it. */
  void add(double[] k) {
    kernels[n] = Arrays.copyOf(k, n + 1);
    kernels[n][n] = 1;
    n++;
  }

  /**
   * Adds an instance at vector j to the sums: w κ, and for each column w κ z. A new class starts
   * with a copy of the last column.
   */
  void record(int j, double weight, double[] targets, int columns) {
    int known = goals[j].length;
    if (known < columns) {
      goals[j] = Arrays.copyOf(goals[j], columns);
      Arrays.fill(goals[j], known, columns, known == 0 ? 0 : goals[j][known - 1]);
    }
    mass[j] += weight;
    for (int c = 0; c < columns; c++) {
      goals[j][c] += targets[c];
    }
  }

  /**
   * Writes a_i = Σ_j m_j k_j K_ij, where k_j is the kernel value of the last vector with vector j;
   * returns Σ_j m_j k_j².
   */
  double border(double[] a) {
    int last = n - 1;
    double[] k = kernels[last];
    double[] pull = new double[last];
    double square = 0;
    Arrays.fill(a, 0, n, 0);
    for (int j = 0; j < last; j++) {
      pull[j] = mass[j] * k[j];
      square += pull[j] * k[j];
      Vectors.add(pull[j], kernels[j], a, j + 1);
    }
    for (int i = 0; i < last; i++) {
      a[i] += Vectors.dot(pull, kernels[i], i);
    }
    return square;
  }

  /**
   * Σ_j k_j g_jc: the entry of b for the last vector; a class that came later has that of the last
   * column.
   */
  double goal(int c) {
    int last = n - 1;
    double sum = 0;
    for (int j = 0; j < last; j++) {
      double[] goal = goals[j];
      if (goal.length > 0) {
        sum += kernels[last][j] * goal[Math.min(c, goal.length - 1)];
      }
    }
    return sum;
  }

  void encode(Encoder out) {
    out.int32(most);
    out.int32(n);
    out.doubles(mass, n);
    for (int j = 0; j < n; j++) {
      out.doubles(kernels[j], j + 1);
      out.counted(goals[j]);
    }
  }

  /** Reads the history of a learner of a given size, limit and number of columns. */
  static ExactHistory decode(Decoder in, int most, int vectors, int columns)
      throws ModelFileException {
    int room = in.int32();
    Decoder.check(room == most, "a history must have room for " + most + " vectors", room);
    int n = in.int32("the vectors remembered", most);
    Decoder.check(n == vectors, "all " + vectors + " vectors must be remembered", n);
    ExactHistory history = new ExactHistory(most);
    history.n = n;
    history.mass = in.doubles(n, most);
    for (int j = 0; j < n; j++) {
      history.kernels[j] = in.doubles(j + 1, 0);
      history.goals[j] = in.counted("the columns of a history", columns);
    }
    return history;
  }
}
