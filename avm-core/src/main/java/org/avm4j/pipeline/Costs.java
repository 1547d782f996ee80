package org.avm4j.pipeline;

import org.avm4j.internal.Rules;

/**
 * What the mistakes of a model of two classes cost. Only their ratio matters for what is answered.
 *
 * @param missed the cost of a row of the rarer class that is answered as the other, a false
 *     negative
 * @param alarm the cost of a row of the other class that is answered as the rarer one, a false
 *     positive
 */
public record Costs(double missed, double alarm) {
  static final double MOST = 1e12;

  public Costs {
    check("missed", missed);
    check("alarm", alarm);
  }

  private static void check(String name, double cost) {
    Rules.require(cost > 0 && cost <= MOST, name + " must be above 0 and at most 1e12", cost);
  }
}
