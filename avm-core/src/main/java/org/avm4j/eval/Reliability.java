package org.avm4j.eval;

/**
 * A point of the calibration curve: how often an event of a given probability happened. The event
 * is the higher class of two or, with several classes, that the likeliest one was right.
 *
 * @param instances how many answers said so
 * @param said the mean probability that they gave
 * @param happened the part of them for which it happened
 */
public record Reliability(long instances, double said, double happened) {}
