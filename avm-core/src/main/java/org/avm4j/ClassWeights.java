package org.avm4j;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.avm4j.internal.Rules;

/**
 * How much the loss of an instance counts, by its class: ℓ becomes c_y ℓ, so α_t and the curvature
 * are multiplied by c_y. A class without a weight has weight 1.
 *
 * @param given c_y by label
 * @param isBalanced whether c_y = N/(K N_y) instead, from running counts: N instances and K classes
 *     so far, N_y instances of this class including the present one. Forgotten instances do not
 *     count
 */
public record ClassWeights(Map<Double, Double> given, boolean isBalanced) {
  public ClassWeights {
    given = Collections.unmodifiableMap(new TreeMap<>(given));
    given.values().forEach(weight -> Rules.weight("a class weight", weight));
    boolean isOne = !isBalanced || given.isEmpty();
    Rules.require(isOne, "class weights must be given or balanced, not both", given);
  }

  /** Weight 1 for every instance. */
  public static ClassWeights none() {
    return new ClassWeights(Map.of(), false);
  }

  /** Every class has the same total weight, however rare it is. */
  public static ClassWeights balanced() {
    return new ClassWeights(Map.of(), true);
  }

  /** The given weights, by label; 1 for all other classes. */
  public static ClassWeights of(Map<Double, Double> given) {
    return new ClassWeights(given, false);
  }

  /** Whether every instance has weight 1. */
  public boolean isUniform() {
    return given.isEmpty() && !isBalanced;
  }
}
