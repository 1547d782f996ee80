package org.avm4j;

import org.avm4j.internal.Rules;

/** The ways to forget behind the factories of {@link Forgetting}, one record each. */
final class Forgettings {
  private Forgettings() {}

  /** {@link Forgetting#none}. */
  record None() implements Forgetting {
    @Override
    public boolean forgets() {
      return false;
    }
  }

  /** {@link Forgetting#horizon}. */
  record Horizon(long instances) implements Forgetting {
    public Horizon {
      Rules.check(instances >= 2, "the horizon must be at least 2 instances", instances);
    }

    @Override
    public Object word() {
      return instances;
    }

    @Override
    public double horizon() {
      return instances;
    }
  }

  /** {@link Forgetting#auto}. */
  record Auto() implements Forgetting {
    @Override
    public boolean watchesErrors() {
      return true;
    }
  }
}
