package org.avm4j.eval;

/**
 * What is known at one point of a stream.
 *
 * @param instances how many instances have been answered and learned
 * @param metric the mistake rate or RMSE over all of them
 * @param recent the same since the inspection before
 * @param size the number of vectors
 * @param seconds the time spent so far
 * @param memory how many instances the model stands for
 * @param drifts how many changes of the stream were found so far
 */
public record Inspection(
    long instances,
    double metric,
    double recent,
    int size,
    double seconds,
    double memory,
    long drifts) {}
