package org.avm4j;

import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The clusters of a stream at one moment.
 *
 * @param clusters all of them, the largest first
 * @param noise the weight of the instances that belong to none
 * @param events the number of events so far
 * @param lastEvents the last of them, {@value #MOST_EVENTS} at most, in order of time
 */
public record ClusterSummary(
    List<Cluster> clusters, double noise, long events, List<ClusterEvent> lastEvents) {
  /** Number of events that are kept. */
  public static final int MOST_EVENTS = 1000;

  public ClusterSummary {
    clusters = List.copyOf(clusters);
    lastEvents = List.copyOf(lastEvents);
  }

  /** The same with the centres in other units. */
  public ClusterSummary in(UnaryOperator<Features> units) {
    List<Cluster> moved =
        clusters.stream()
            .map(one -> new Cluster(one.number(), one.size(), units.apply(one.centre())))
            .toList();
    return new ClusterSummary(moved, noise, events, lastEvents);
  }
}
