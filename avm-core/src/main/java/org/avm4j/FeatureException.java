package org.avm4j;

import java.util.function.IntFunction;

/** Thrown if a feature has a value that no learner accepts. The message counts features from 1. */
public final class FeatureException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final int feature;
  private final String rule;

  FeatureException(int feature, String rule, double value) {
    this(feature, rule + ": " + value);
  }

  private FeatureException(int feature, String rule) {
    super("feature " + (feature + 1) + " " + rule);
    this.feature = feature;
    this.rule = rule;
  }

  /** Throws an exception if a row has a value beyond ±1e15. */
  public static void check(Features x) {
    checkWithin(x, Features.LARGEST, "must be within ±1e15");
  }

  /** Throws an exception if a row has a value beyond a limit. */
  public static void checkWithin(Features x, double limit, String rule) {
    for (int i = 0; i < x.count(); i++) {
      if (Math.abs(x.value(i)) > limit) {
        throw new FeatureException(x.index(i), rule, x.value(i));
      }
    }
  }

  /** The message with the name of the feature instead of its number. */
  public String message(IntFunction<String> names) {
    return names.apply(feature) + " " + rule;
  }
}
