package org.avm4j.data;

import org.avm4j.Features;

/**
 * One instance (x, y) to keep.
 *
 * @param features x, immutable
 * @param label y
 * @param weight how much its loss counts
 */
public record Instance(Features features, double label, double weight) {
  /** An instance of weight 1. */
  public Instance(Features features, double label) {
    this(features, label, 1);
  }
}
