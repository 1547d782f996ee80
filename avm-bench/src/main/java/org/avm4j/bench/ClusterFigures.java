package org.avm4j.bench;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.avm4j.eval.ClusterMetrics;

/** How well clusters agree with labels: in windows along the stream, and at its end. */
final class ClusterFigures {
  private final Rows rows;
  private final Learner learner;
  private double nmi;
  private double purity;
  private int windows;
  private int mixed;

  ClusterFigures(Rows rows, Learner learner) {
    this.rows = rows;
    this.learner = learner;
  }

  /**
   * Judges the clusters that the learner now finds in a window of rows. Where all rows have one
   * label, there is no mutual information: it would be 1 for one cluster and 0 for any others.
   */
  void judge(int from, int to) {
    Map<String, Object> found = agreement(from, to);
    if (IntStream.range(from, to).anyMatch(t -> rows.label(t) != rows.label(from))) {
      nmi += (Double) found.get("nmi");
      mixed++;
    }
    purity += (Double) found.get("purity");
    windows++;
  }

  private Map<String, Object> agreement(int from, int to) {
    ClusterMetrics metrics = new ClusterMetrics();
    for (int t = from; t < to; t++) {
      metrics.add(rows.label(t), learner.predict(t), new double[0]);
    }
    return metrics.all(String::valueOf);
  }

  /** Means over windows, the number of those with several labels, and ARI at the end; in %. */
  Map<String, Double> all() {
    Map<String, Double> all = new HashMap<>();
    all.put("nmi", 100 * nmi / Math.max(1, mixed));
    all.put("mixed", (double) mixed);
    all.put("purity", 100 * purity / windows);
    all.put("ari", 100 * (Double) agreement(0, rows.size()).get("ari"));
    return all;
  }
}
