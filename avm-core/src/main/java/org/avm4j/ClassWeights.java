package org.avm4j;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * How much the loss of an instance counts, by its class: ℓ becomes c_y ℓ, so α_t and the curvature
 * are multiplied by c_y. A class without a weight has weight 1.
 *
 * @param given c_y by label
 * @param balanced c_y = N/(K N_y) from running counts instead: N instances, of K classes seen so
 *     far, N_y of this class, this instance among them. What is forgotten does not count
 */
public record ClassWeights(Map<Double, Double> given, boolean balanced) {
  public ClassWeights {
    given = Collections.unmodifiableMap(new TreeMap<>(given));
    given.values().forEach(weight -> Rules.positive("a class weight", weight));
    if (balanced && !given.isEmpty()) {
      throw new IllegalArgumentException(
          "class weights must be given or balanced, not both: " + given);
    }
  }

  /** Every instance counts alike. */
  public static ClassWeights none() {
    return new ClassWeights(Map.of(), false);
  }

  /** The classes weigh alike, however rare. */
  public static ClassWeights ofBalance() {
    return new ClassWeights(Map.of(), true);
  }

  /** The given weights, by label; 1 for all other classes. */
  public static ClassWeights of(Map<Double, Double> given) {
    return new ClassWeights(given, false);
  }

  /** Whether every instance counts alike. */
  public boolean areEven() {
    return given.isEmpty() && !balanced;
  }
}
