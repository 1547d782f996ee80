package org.avm4j;

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
