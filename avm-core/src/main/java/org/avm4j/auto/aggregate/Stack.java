package org.avm4j.auto.aggregate;

import java.util.Arrays;
import org.avm4j.Task;
import org.avm4j.auto.constants.Constants;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * The weighted sum of the members' scores that has fitted the labels best lately.
 *
 * <p>With φ the scores of all members for one class and a 1 for the bias, the weights w minimise
 *
 * <pre>ρ‖w - w₀‖² + Σ_t μ^(n-t) (wᵀφ_t - z_t)²</pre>
 *
 * <p>where w₀ is 1 for the first member and 0 for all others. The sum is over the scores that were
 * still inside the margin when they came. With several classes, every class counts: z is 1 for the
 * true class and -1 for the others, and all classes share the weights. This is the least-squares
 * stacking of Breiman (1996) with the squared hinge loss and a forgetting factor μ.
 *
 * <p>If only the true class and the best of the others counted, the class with the largest score
 * would be pushed down wherever its probability is below one half, until the scores of several
 * classes are nearly tied: on labels that are pure noise, 12,000 rows, the answers were wrong in
 * 66.3 % of the rows instead of 59.5 %.
 */
final class Stack {
  /** Draws the weights towards the first member as much as one row of deviation 1 would. */
  private static final double RIDGE = 1;

  private final Task.Kind task;
  private final int size;
  private double[][] sums;
  private double[] goals;
  private double[] weights;
  private final double[][] factor;
  private final double[] row;
  private double squares;

  /** A stack whose weight is all on the first member. */
  Stack(Task.Kind task, int members) {
    this.task = task;
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

  /** Writes the weighted sums of scores, which are given by member and column. */
  static void combine(double[] weights, double[][] scores, double[] into) {
    for (int c = 0; c < into.length; c++) {
      double sum = weights[weights.length - 1];
      for (int m = 0; m < weights.length - 1; m++) {
        sum += weights[m] * clip(scores[m][c]);
      }
      into[c] = sum;
    }
  }

  void combine(double[][] scores, double[] into) {
    combine(weights, scores, into);
  }

  private static double clip(double score) {
    return Math.max(-Constants.OUTLIER, Math.min(Constants.OUTLIER, score));
  }

  /**
   * Learns a row, and solves for the weights again.
   *
   * @param scores by member and column
   * @param stacked what {@link #combine} made of them
   * @param classes the labels of the columns in ascending order; empty where there is one column
   * @param weight the weight of the instance
   */
  void learn(double[][] scores, double[] stacked, double y, double[] classes, double weight) {
    boolean isRegression = task == Task.Kind.REGRESSION;
    int own = task == Task.Kind.MULTICLASS ? Arrays.binarySearch(classes, y) : 0;
    boolean isChanged = false;
    for (int c = 0; c < stacked.length; c++) {
      double goal = task != Task.Kind.MULTICLASS ? y : c == own ? 1 : -1;
      if (isRegression || stacked[c] * goal < 1) {
        learn(scores, c, goal, weight);
        isChanged = true;
      }
    }
    if (isChanged) {
      settle();
    }
  }

  /**
   * Learns the score that one column should have had.
   *
   * @param goal the number, or ±1
   * @param weight the weight of the instance
   */
  void learn(double[][] scores, int column, double goal, double weight) {
    for (int m = 0; m < size - 1; m++) {
      row[m] = clip(scores[m][column]);
    }
    row[size - 1] = 1;
    double share = Math.min(weight, Constants.WINDOW);
    double clipped = clip(goal);
    squares += share * clipped * clipped;
    for (int i = 0; i < size; i++) {
      goals[i] += share * row[i] * clipped;
      for (int j = 0; j <= i; j++) {
        sums[i][j] += share * row[i] * row[j];
      }
    }
  }

  /** Decays the sums after an instance, and solves for the weights again. */
  void settle() {
    double keep = 1 - 1 / Constants.WINDOW;
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

  /** The minimum of the objective; valid right after {@link #solve}. */
  double distance() {
    double rest = squares + RIDGE;
    for (int i = 0; i < size; i++) {
      rest -= weights[i] * (goals[i] + (i == 0 ? RIDGE : 0));
    }
    return Math.max(0, rest);
  }

  /**
   * The increase of {@link #distance} if a member were removed; valid right after {@link #solve}.
   */
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

  /** Forgets a member, whose place becomes empty or is taken by another one. */
  void forget(int member) {
    goals[member] = 0;
    weights[member] = 0;
    for (int i = 0; i < size; i++) {
      sums[Math.max(i, member)][Math.min(i, member)] = 0;
    }
  }

  /** Takes over what another stack knows about its first members and the bias. */
  void takeOver(Stack other, int members) {
    squares = other.squares;
    for (int i = 0; i <= members; i++) {
      int to = i < members ? i : size - 1;
      int from = i < members ? i : other.size - 1;
      goals[to] = other.goals[from];
      weights[to] = other.weights[from];
      for (int j = 0; j < i; j++) {
        sums[to][j] = other.sums[from][j];
      }
      sums[to][to] = other.sums[from][from];
    }
  }

  void encode(Encoder out) {
    out.float64(squares);
    out.doubles(goals, size);
    out.doubles(weights, size);
    out.rows(sums);
  }

  /** Reads what {@link #encode} wrote for this many members. */
  static Stack decode(Decoder in, Task.Kind task, int members) throws ModelFileException {
    Stack stack = new Stack(task, members);
    int size = stack.size;
    stack.squares = in.finite("the squared labels");
    stack.goals = in.doubles(size, size);
    stack.weights = in.doubles(size, size);
    stack.sums = in.rows(size, size);
    return stack;
  }
}
