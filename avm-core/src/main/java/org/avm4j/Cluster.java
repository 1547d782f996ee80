package org.avm4j;

/**
 * A cluster of a stream.
 *
 * @param number its number: the first cluster is 1, and no number is given twice
 * @param size the weight of the instances in it
 * @param centre their mean, in the units of the data
 */
public record Cluster(int number, double size, Features centre) {
  /** The answer for an instance that belongs to no cluster. */
  public static final int NOISE = -1;
}
