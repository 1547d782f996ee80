package org.avm4j.bench;

import java.util.HashMap;
import java.util.Map;
import org.avm4j.eval.ClusterMetrics;

/** How well clusters agree with labels: in windows along the stream, and at its end. */
final class ClusterFigures {
  private final Rows rows;
  private final Learner learner;
  private double nmi;
  private double purity;
  private int windows;

  ClusterFigures(Rows rows, Learner learner) {
    this.rows = rows;
    this.learner = learner;
  }

  /** Judges the clusters that the learner now finds in a window of rows. */
  void judge(int from, int to) {
    Map<String, Object> found = agreement(from, to);
    nmi += (Double) found.get("nmi");
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

  /** Means over the windows, and the adjusted Rand index of all rows at the end, in per cent. */
  Map<String, Double> all() {
    Map<String, Double> all = new HashMap<>();
    all.put("nmi", 100 * nmi / windows);
    all.put("purity", 100 * purity / windows);
    all.put("ari", 100 * (Double) agreement(0, rows.size()).get("ari"));
    return all;
  }
}
