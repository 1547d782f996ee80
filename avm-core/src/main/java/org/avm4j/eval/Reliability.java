package org.avm4j.eval;

/**
 * A point of the calibration curve: how often an event of a given probability happened. The event
 * is the higher class of two or, with several classes, that the likeliest one was right.
 *
 * @param instances the number of answers with about this probability
 * @param said their mean probability
 * @param happened the fraction of them for which the event happened
 */
public record Reliability(long instances, double said, double happened) {}
