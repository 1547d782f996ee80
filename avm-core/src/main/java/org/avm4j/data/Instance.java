package org.avm4j.data;

import org.avm4j.Features;

/**
 * One instance (x, y) to keep.
 *
 * @param features x, immutable
 * @param label y
 */
public record Instance(Features features, double label) {}
