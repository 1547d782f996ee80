package org.avm4j;

import java.util.Map;
import org.avm4j.internal.Rules;

/** The outputs behind the factories of {@link Output}, one record each. */
final class Outputs {
  private Outputs() {}

  /** {@link Output#last}. */
  record Last() implements Output {
    @Override
    public double part() {
      return 0;
    }
  }

  /** {@link Output#average}. */
  record Average() implements Output {
    @Override
    public double part() {
      return 1;
    }
  }

  /** {@link Output#suffix}. */
  record Suffix(double alpha) implements Output {
    public Suffix {
      Rules.check(alpha > 0 && alpha < 1, "the suffix must be > 0 and < 1", alpha);
    }

    @Override
    public Map<String, Object> parameters() {
      return Map.of("suffix", alpha);
    }

    @Override
    public double part() {
      return alpha;
    }
  }
}
