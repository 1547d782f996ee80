package org.avm4j.auto;

import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * The weighted sum of the scores of several members that has come nearest to the labels lately.
 *
 * <p>With φ the scores of all members for one class and a 1 for the bias, clipped to a bound, the
 * weights w minimise
 *
 * <pre>ρ‖w - w₀‖² + Σ_t μ^(n-t) (wᵀφ_t - z_t)²</pre>
 *
 * <p>where w₀ is 1 for the first member and 0 for all others. The sum is over the instances that
 * were not yet beyond their margin when they came, of several classes the own one (z = 1) and the
 * best of the others (z = -1); the weights are the same for all classes. So it is the least squares
 * stacking of Breiman (1996) with the squared hinge loss and a window that fades.
 */
final class Stack {
  private static final double RIDGE = 3;
  private static final double WINDOW = 1000;

  /** The largest score that counts, for classes and for numbers of deviation 1. */
  static final double BOUND = 2;

  static final double BOUND_OF_NUMBERS = 10;

  private final int size;
  private final double bound;
  private final double[][] sums;
  private final double[] goals;
  private final double[] weights;
  private final double[][] factor;
  private final double[] row;
  private double squares;

  /** All weight is on the first member. */
  Stack(int members, double bound) {
    this.bound = bound;
    size = members + 1;
    sums = new double[size][size];
    goals = new double[size];
    weights = new double[size];
    factor = new double[size][size];
    row = new double[size];
    weights[0] = 1;
  }

  /** The weights of the members, and that of the bias. */
  double[] weights() {
    return weights.clone();
  }

  /** Writes the weighted sums of the scores by member and column. */
  static void combine(
      double[] weights, double bound, double[][] scores, int columns, double[] into) {
    for (int c = 0; c < columns; c++) {
      double sum = weights[weights.length - 1];
      for (int m = 0; m < weights.length - 1; m++) {
        sum += weights[m] * clip(scores[m][c], bound);
      }
      into[c] = sum;
    }
  }

  void combine(double[][] scores, int columns, double[] into) {
    combine(weights, bound, scores, columns, into);
  }

  private static double clip(double score, double bound) {
    return Double.isNaN(score) ? 0 : Math.max(-bound, Math.min(bound, score));
  }

  /**
   * Learns the score that one column should have had.
   *
   * @param goal the number, or ±1
   * @param weight of the instance
   */
  void learn(double[][] scores, int column, double goal, double weight) {
    for (int m = 0; m < size - 1; m++) {
      row[m] = clip(scores[m][column], bound);
    }
    row[size - 1] = 1;
    double share = Math.min(weight, WINDOW);
    double clipped = clip(goal, bound);
    squares += share * clipped * clipped;
    for (int i = 0; i < size; i++) {
      goals[i] += share * row[i] * clipped;
      for (int j = 0; j <= i; j++) {
        sums[i][j] += share * row[i] * row[j];
      }
    }
  }

  /** An instance was learned: those before it fade, and the weights follow. */
  void settle() {
    double keep = 1 - 1 / WINDOW;
    squares *= keep;
    for (int i = 0; i < size; i++) {
      goals[i] *= keep;
      for (int j = 0; j <= i; j++) {
        sums[i][j] *= keep;
      }
    }
    solve();
  }

  /** Finds the weights by Cholesky's factor of the sums and the ridge. */
  void solve() {
    factorize();
    for (int i = 0; i < size; i++) {
      double rest = goals[i] + (i == 0 ? RIDGE : 0);
      for (int k = 0; k < i; k++) {
        rest -= factor[i][k] * row[k];
      }
      row[i] = rest / factor[i][i];
    }
    for (int i = size - 1; i >= 0; i--) {
      double rest = row[i];
      for (int k = i + 1; k < size; k++) {
        rest -= factor[k][i] * weights[k];
      }
      weights[i] = rest / factor[i][i];
    }
  }

  private void factorize() {
    for (int i = 0; i < size; i++) {
      for (int j = 0; j <= i; j++) {
        double rest = sums[i][j] + (i == j ? RIDGE : 0);
        for (int k = 0; k < j; k++) {
          rest -= factor[i][k] * factor[j][k];
        }
        factor[i][j] = i == j ? Math.sqrt(Math.max(rest, 1e-6)) : rest / factor[j][j];
      }
    }
  }

  /** What the weights minimise, at its minimum; right after {@link #solve}. */
  double distance() {
    double rest = squares + RIDGE;
    for (int i = 0; i < size; i++) {
      rest -= weights[i] * (goals[i] + (i == 0 ? RIDGE : 0));
    }
    return Math.max(0, rest);
  }

  /** By how much {@link #distance} would grow without a member; right after {@link #solve}. */
  double worth(int member) {
    double diagonal = 0;
    for (int i = member; i < size; i++) {
      double rest = i == member ? 1 : 0;
      for (int k = member; k < i; k++) {
        rest -= factor[i][k] * row[k];
      }
      row[i] = rest / factor[i][i];
      diagonal += row[i] * row[i];
    }
    return weights[member] * weights[member] / diagonal;
  }

  /** Another one takes the place of a member: nothing is known of it. */
  void replace(int member) {
    goals[member] = 0;
    weights[member] = 0;
    for (int i = 0; i < size; i++) {
      sums[Math.max(i, member)][Math.min(i, member)] = 0;
    }
  }

  void encode(Encoder out) {
    out.int32(size);
    out.float64(squares);
    out.doubles(goals, size);
    out.doubles(weights, size);
    for (double[] some : sums) {
      out.doubles(some, size);
    }
  }

  /** Reads what {@link #encode} wrote; a member that is absent from the file has no weight. */
  static Stack decode(Decoder in, int members, int absent, double bound) throws ModelFileException {
    int size = in.int32("the weights of a stack", members + 1);
    boolean isWhole = size == (absent <= members ? members : members + 1);
    Decoder.check(isWhole, "each member must have a weight", size);
    Stack stack = new Stack(members, bound);
    stack.squares = in.finite("the squared labels");
    spread(in.doubles(size, size), absent, stack.goals);
    spread(in.doubles(size, size), absent, stack.weights);
    for (int i = 0; i < size; i++) {
      spread(in.doubles(size, size), absent, stack.sums[i < absent ? i : i + 1]);
    }
    return stack;
  }

  /** Leaves out the place of the one that is absent. */
  static void spread(double[] from, int absent, double[] into) {
    for (int i = 0; i < from.length; i++) {
      into[i < absent ? i : i + 1] = from[i];
    }
  }
}
