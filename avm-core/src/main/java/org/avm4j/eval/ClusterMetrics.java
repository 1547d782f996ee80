package org.avm4j.eval;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleFunction;
import org.avm4j.ClusterSummary.Cluster;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * How many instances were noise and, if labels are known, how well clusters agree with them:
 *
 * <ul>
 *   <li>the adjusted Rand index: of pairs of instances, those on which both agree, 1 if on all and
 *       0 if as by chance (Hubert and Arabie 1985);
 *   <li>the normalised mutual information: 2 I(C; L) / (H(C) + H(L));
 *   <li>the purity: the part of the instances whose label is the most frequent one of their
 *       cluster.
 * </ul>
 *
 * Noise counts as a cluster of its own, as a label for noise does.
 */
public final class ClusterMetrics implements Metrics {
  /** Number of pairs of cluster and label beyond which agreement is not measured. */
  private static final int MOST_PAIRS = 100_000;

  private final Map<Double, Map<Double, Long>> counts = new TreeMap<>();
  private int pairs;
  private long n;
  private long noise;

  /** Metrics without answers. */
  public ClusterMetrics() {}

  /** Adds an answer; a label of NaN means that it is unknown. */
  @Override
  public void add(double label, double answer, double[] scores) {
    n++;
    noise += answer == Cluster.NOISE ? 1 : 0;
    if (!Double.isNaN(label) && pairs <= MOST_PAIRS) {
      Map<Double, Long> labels = counts.computeIfAbsent(answer, any -> new TreeMap<>());
      pairs += labels.merge(label, 1L, Long::sum) == 1 ? 1 : 0;
    }
  }

  @Override
  public long instances() {
    return n;
  }

  @Override
  public String name() {
    return "ari";
  }

  /** The adjusted Rand index; NaN if unknown. */
  @Override
  public double value() {
    return isMeasured() ? adjustedRand() : Double.NaN;
  }

  private boolean isMeasured() {
    return pairs > 0 && pairs <= MOST_PAIRS;
  }

  @Override
  public Map<String, Object> all(DoubleFunction<String> names) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("noiseRate", n == 0 ? 0.0 : 100.0 * noise / n);
    if (isMeasured()) {
      all.put("ari", adjustedRand());
      all.put("nmi", mutualInformation());
      all.put("purity", purity());
    }
    return all;
  }

  private double adjustedRand() {
    double both = 0;
    double within = 0;
    for (Map<Double, Long> labels : counts.values()) {
      within += choose(sum(labels));
      for (long count : labels.values()) {
        both += choose(count);
      }
    }
    Map<Double, Long> all = labelCounts();
    double among = all.values().stream().mapToDouble(ClusterMetrics::choose).sum();
    double expected = within * among / Math.max(1, choose(sum(all)));
    double most = (within + among) / 2;
    return most == expected ? 1 : (both - expected) / (most - expected);
  }

  private double mutualInformation() {
    Map<Double, Long> all = labelCounts();
    double total = sum(all);
    double information = 0;
    double clusterEntropy = 0;
    for (Map<Double, Long> labels : counts.values()) {
      double part = sum(labels) / total;
      clusterEntropy -= part * StrictMath.log(part);
      for (Map.Entry<Double, Long> entry : labels.entrySet()) {
        double joint = entry.getValue() / total;
        double chance = part * (all.get(entry.getKey()) / total);
        information += joint * StrictMath.log(joint / chance);
      }
    }
    double labelEntropy = 0;
    for (long count : all.values()) {
      labelEntropy -= count / total * StrictMath.log(count / total);
    }
    double entropies = clusterEntropy + labelEntropy;
    return entropies == 0 ? 1 : Math.max(0, Math.min(1, 2 * information / entropies));
  }

  private double purity() {
    double most = 0;
    for (Map<Double, Long> labels : counts.values()) {
      most += labels.values().stream().mapToLong(count -> count).max().orElse(0);
    }
    return most / sum(labelCounts());
  }

  private Map<Double, Long> labelCounts() {
    Map<Double, Long> all = new TreeMap<>();
    counts.values().forEach(labels -> labels.forEach((y, count) -> all.merge(y, count, Long::sum)));
    return all;
  }

  private static long sum(Map<Double, Long> of) {
    return of.values().stream().mapToLong(count -> count).sum();
  }

  /** n over 2, the number of pairs among n. */
  private static double choose(long n) {
    return n * (n - 1.0) / 2;
  }

  @Override
  public Metrics fresh() {
    return new ClusterMetrics();
  }

  @Override
  public void encode(Encoder out) {
    out.int32(3);
    out.int64(n);
    out.int64(noise);
    out.int32(pairs);
    counts.forEach(
        (cluster, labels) ->
            labels.forEach(
                (label, count) -> {
                  out.float64(cluster);
                  out.float64(label);
                  out.int64(count);
                }));
  }

  static ClusterMetrics decodeContent(Decoder in) throws ModelFileException {
    ClusterMetrics metrics = new ClusterMetrics();
    metrics.n = in.count("the answers");
    metrics.noise = in.count("the instances of noise");
    int pairs = in.int32("the pairs of cluster and label", MOST_PAIRS + 1);
    for (int i = 0; i < pairs; i++) {
      double cluster = in.finite("a cluster");
      double label = in.finite("a label");
      long count = in.count("the instances of a pair");
      Decoder.check(count > 0, "a pair must have an instance", count);
      Map<Double, Long> labels = metrics.counts.computeIfAbsent(cluster, any -> new TreeMap<>());
      Decoder.check(labels.put(label, count) == null, "a pair must come once", label);
      metrics.pairs++;
    }
    return metrics;
  }
}
