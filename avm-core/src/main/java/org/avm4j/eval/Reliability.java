package org.avm4j.eval;

/**
 * How often something happened that was said to have a certain probability: the higher class of
 * two, or of several classes that the likeliest was right.
 *
 * @param instances how many answers said so
 * @param said the mean probability that they gave
 * @param happened the part of them for which it happened
 */
public record Reliability(long instances, double said, double happened) {}
