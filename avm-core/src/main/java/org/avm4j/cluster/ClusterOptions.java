package org.avm4j.cluster;

import java.util.LinkedHashMap;
import java.util.Map;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Rules;

/**
 * The options of a {@link ClusterLearner}; {@link #DEFAULT} suits most streams.
 *
 * @param maxSize the largest number of cells; fewer are used if there are many features
 * @param horizon the number of instances after which an instance counts 1/e; 0 if nothing is
 *     forgotten
 */
public record ClusterOptions(int maxSize, long horizon) {
  /**
   * Suits most streams. On eight published shapes 1,000 cells lose thin gaps (adjusted Rand index
   * 0.76 on cluto-t4-8k), and 2,000 are no better than 1,500 (0.91).
   */
  public static final ClusterOptions DEFAULT = new ClusterOptions(1500, 0);

  /** Smallest size cap; fewer cells do not show a shape. */
  private static final int FEWEST = 16;

  /** Largest size cap; beyond it the search for neighbours of all cells would take seconds. */
  private static final int MOST = 10_000;

  public ClusterOptions {
    Rules.require(
        maxSize >= FEWEST && maxSize <= MOST,
        "a size cap for clusters must be from " + FEWEST + " to " + MOST,
        maxSize);
    boolean isHorizon = horizon == 0 || horizon > 1;
    Rules.require(isHorizon, "the horizon must be at least 2 instances", horizon);
  }

  /** All options, by their names on the command line. */
  Map<String, Object> settings() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("task", "cluster");
    all.put("forget", horizon == 0 ? "none" : horizon);
    all.put("max-size", maxSize);
    return all;
  }

  void encode(Encoder out) {
    out.int32(maxSize);
    out.int64(horizon);
  }

  static ClusterOptions decode(Decoder in) throws ModelFileException {
    return in.valid(from -> new ClusterOptions(from.int32(), from.int64()));
  }
}
