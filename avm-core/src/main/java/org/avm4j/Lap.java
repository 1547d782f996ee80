package org.avm4j;

/**
 * How a candidate of automatic mode stood at some instance.
 *
 * @param instances how many were learned by then
 * @param scaling how its features are scaled, by the name of the command line
 * @param kernel its kernel
 * @param width γ times the mean distance of two rows, or its square where the kernel is of that
 * @param prior the strength of its prior
 * @param maxSize the most vectors it may hold
 * @param loss the mean loss of its answers
 * @param answers whether it was the one that answered
 */
public record Lap(
    long instances,
    String scaling,
    Kernel kernel,
    double width,
    double prior,
    int maxSize,
    double loss,
    boolean answers) {}
