package org.avm4j.lab.paper;

/**
 * A point of a curve.
 *
 * @param instances the number of instances so far
 * @param metric the mistake rate or RMSE of all of them
 * @param seconds the processor time so far
 * @param size the size of the model
 */
public record Point(long instances, double metric, double seconds, int size) {}
