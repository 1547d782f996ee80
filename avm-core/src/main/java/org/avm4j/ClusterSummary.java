package org.avm4j;

import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The clusters of a stream at one moment.
 *
 * @param clusters all of them, the largest first
 * @param noise the weight of the instances that belong to no cluster
 * @param events the number of events so far
 * @param lastEvents the last of them, 1,000 at most, in order of time
 */
public record ClusterSummary(
    List<Cluster> clusters, double noise, long events, List<ClusterEvent> lastEvents) {
  public ClusterSummary {
    clusters = List.copyOf(clusters);
    lastEvents = List.copyOf(lastEvents);
  }

  /** A copy with the centres in other units. */
  public ClusterSummary in(UnaryOperator<Features> units) {
    List<Cluster> moved =
        clusters.stream()
            .map(one -> new Cluster(one.number(), one.size(), units.apply(one.centre())))
            .toList();
    return new ClusterSummary(moved, noise, events, lastEvents);
  }

  /**
   * A cluster of a stream.
   *
   * @param number its number: the first cluster is 1, and numbers are never reused
   * @param size the weight of the instances in it
   * @param centre their mean, in the units of the data
   */
  public record Cluster(int number, double size, Features centre) {
    /** The answer for an instance that belongs to no cluster. */
    public static final int NOISE = -1;
  }

  /**
   * A change of the clusters of a stream.
   *
   * @param kind what happened
   * @param instance the number of instances that had been learned
   * @param number the cluster that it happened to
   * @param other the cluster that it was split from or merged into; {@link Cluster#NOISE} if none
   */
  public record ClusterEvent(Kind kind, long instance, int number, int other) {
    /** What can happen to a cluster. */
    public enum Kind {
      /** It appeared where there was none. */
      BORN,
      /** It came out of another one, which goes on. */
      SPLIT,
      /** It became part of another one. */
      MERGED,
      /** Its instances were forgotten, or turned out to be noise. */
      DIED
    }

    /** The event in words, such as {@code cluster 4 merged into 2}. */
    public String text() {
      return "cluster "
          + number
          + switch (kind) {
            case BORN -> " born";
            case SPLIT -> " split from " + other;
            case MERGED -> " merged into " + other;
            case DIED -> " died";
          };
    }
  }
}
