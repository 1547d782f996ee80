package org.avm4j.lab.baseline;

import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.math.SplitMix;

/** The strategy for adding an instance to f, and for making room if the budget is exhausted. */
sealed interface Budget permits Budget.Simple, Forgetron, Merging, Projecting {
  /** B, the maximum number of vectors. */
  int most();

  /** Adds the instance that f has measured last. */
  void admit(Expansion f, LabelStep labelStep);

  /** Called for an instance for which the rule demands no step. */
  default void pass(Expansion f, LabelStep labelStep) {}

  /** Writes the state of the strategy for an f of this size. */
  default void encode(Encoder out, int size) {}

  /** Reads the state of the strategy. */
  default void decode(Decoder in, int size) throws ModelFileException {}

  /** The strategies that are implemented here. */
  sealed interface Simple extends Budget {}

  /** No budget: every instance is kept. */
  record Unbounded() implements Simple {
    @Override
    public int most() {
      return Integer.MAX_VALUE;
    }

    @Override
    public void admit(Expansion f, LabelStep labelStep) {
      f.add(labelStep);
    }
  }

  /** Replaces the oldest vector. */
  record Oldest(int most) implements Simple {
    @Override
    public void admit(Expansion f, LabelStep labelStep) {
      if (f.size() < most) {
        f.add(labelStep);
      } else {
        f.replace(f.oldest(), labelStep);
      }
    }
  }

  /**
   * Replaces the vector whose removal changes f least, which has the smallest ‖α_j‖² K(x_j, x_j).
   * With the step 1/(λt) all of these are equal, so that in effect the oldest vector is replaced.
   */
  record Smallest(int most) implements Simple {
    @Override
    public void admit(Expansion f, LabelStep labelStep) {
      if (f.size() < most) {
        f.add(labelStep);
      } else {
        f.replace(f.smallest(), labelStep);
      }
    }
  }

  /**
   * Replaces a random vector (Cavallanti, Cesa-Bianchi, Gentile 2007). In BOGD the others then grow
   * by B/(B-1), so that f is unchanged in expectation, and f shrinks until no coefficient exceeds a
   * bound (Zhao et al. 2012, uniform sampling).
   */
  final class Randomly implements Simple {
    private final int most;
    private final double growth;
    private final double bound;
    private SplitMix random;

    private Randomly(int most, double growth, double bound, long seed) {
      this.most = most;
      this.growth = growth;
      this.bound = bound;
      random = new SplitMix(seed);
    }

    @Override
    public int most() {
      return most;
    }

    static Randomly plain(int most, long seed) {
      return new Randomly(most, 1, Double.POSITIVE_INFINITY, seed);
    }

    static Randomly unbiased(int most, double bound, long seed) {
      return new Randomly(most, most / (most - 1.0), bound, seed);
    }

    @Override
    public void admit(Expansion f, LabelStep labelStep) {
      if (f.size() < most) {
        f.add(labelStep);
      } else {
        f.shrink(growth);
        f.replace(random.nextInt(most), labelStep);
        f.shrink(Math.min(1, bound / f.largest(0)));
      }
    }

    @Override
    public void encode(Encoder out, int size) {
      out.int64(random.state());
    }

    @Override
    public void decode(Decoder in, int size) throws ModelFileException {
      random = new SplitMix(in.int64());
    }
  }

  /**
   * BPA-S (Wang, Vucetic 2010): x_t takes the place of the vector r, with the coefficient β, where
   * both minimise ½‖f_{t+1} - f_t‖² + C max(0, 1 - y f_{t+1}(x_t)) over f_{t+1} = f_t - α_r Φ(x_r)
   * + β Φ(x_t). For each r the best is β = α_r K(x_r, x_t) + y τ with the τ of {@link
   * StepRule.PassiveAggressive}, and what then depends on r is ½ α_r² (1 - K(x_r, x_t)²).
   */
  record Replacing(int most) implements Simple {
    @Override
    public void admit(Expansion f, LabelStep labelStep) {
      if (f.size() < most) {
        f.add(labelStep);
        return;
      }
      int r = cheapest(f);
      double beta = f.coefficient(0, r) * f.kernels()[r] + labelStep.step();
      f.replace(r, labelStep);
      f.coefficient(0, r, beta);
    }

    /** The vector r of lowest cost; in case of a tie, the oldest. */
    private static int cheapest(Expansion f) {
      int cheapest = 0;
      double least = cost(f, 0);
      for (int r = 1; r < f.size(); r++) {
        double cost = cost(f, r);
        if (cost < least || (cost == least && f.isOlder(r, cheapest))) {
          cheapest = r;
          least = cost;
        }
      }
      return cheapest;
    }

    private static double cost(Expansion f, int r) {
      double alpha = f.coefficient(0, r);
      double k = f.kernels()[r];
      return alpha * alpha * (1 - k * k);
    }
  }
}
