package org.avm4j.data;

import org.avm4j.Features;

/**
 * An immutable instance (x, y).
 *
 * @param features x, immutable
 * @param label y
 * @param weight the factor on its loss
 */
public record Instance(Features features, double label, double weight) {
  /** An instance of weight 1. */
  public Instance(Features features, double label) {
    this(features, label, 1);
  }
}
