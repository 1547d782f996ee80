package org.avm4j;

import java.util.LinkedHashMap;
import java.util.Map;
import org.avm4j.internal.Rules;

/** The updates behind the factories of {@link Update}, one record each. */
final class Updates {
  private Updates() {}

  /** {@link Update#sgd}. */
  record Sgd() implements Update {
    @Override
    public double prior() {
      return 0;
    }
  }

  /** {@link Update#newton}. */
  record Newton(double prior, int linear) implements Update {
    public Newton {
      Rules.positive("the prior", prior);
      Rules.check(
          linear >= NO_LINEAR_PART && linear <= MOST_LINEAR,
          "the features of the linear part must be from -1 to " + MOST_LINEAR,
          linear);
    }

    @Override
    public Map<String, Object> parameters() {
      Map<String, Object> all = new LinkedHashMap<>();
      all.put("prior", prior);
      if (linear > NO_LINEAR_PART) {
        all.put("linear", linear);
      }
      return all;
    }
  }
}
