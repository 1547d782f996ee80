package org.avm4j.lab.paper;

/**
 * A point of a curve.
 *
 * @param instances seen so far
 * @param metric mistake rate or RMSE of all of them
 * @param seconds of processor time so far
 * @param size of the model
 */
public record Point(long instances, double metric, double seconds, int size) {}
