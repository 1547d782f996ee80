package org.avm4j.eval;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleFunction;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.math.Histogram;

/**
 * How many instances were reported as anomalies; if labels are known, also the area under the ROC
 * curve of the scores ({@link Roc}), and precision and recall of the reports. Of two numeric labels
 * the higher one means an anomaly; of names, or of more labels, all but the most frequent one do.
 */
public final class AnomalyMetrics implements Metrics {
  private static final int MOST_LABELS = 100;

  private final boolean hasNames;
  private final Map<Double, Group> groups = new TreeMap<>();
  private long n;
  private long called;

  /** The scores of the instances with one label. */
  private static final class Group {
    private Histogram scores = new Histogram(Roc.BITS);
    private long n;
    private long called;
  }

  /** Metrics without answers; labels are names or numbers. */
  public AnomalyMetrics(boolean hasNames) {
    this.hasNames = hasNames;
  }

  /** Adds an answer, +1 for an anomaly; a label of NaN means that it is unknown. */
  @Override
  public void add(double label, double answer, double[] scores) {
    boolean isCalled = answer > 0;
    n++;
    called += isCalled ? 1 : 0;
    boolean isCounted = groups.containsKey(label) || groups.size() <= MOST_LABELS;
    if (!Double.isNaN(label) && isCounted) {
      Group group = groups.computeIfAbsent(label, any -> new Group());
      group.scores.add(scores[0]);
      group.n++;
      group.called += isCalled ? 1 : 0;
    }
  }

  @Override
  public long instances() {
    return n;
  }

  @Override
  public String name() {
    return "auc";
  }

  /** The area under the ROC curve; NaN if unknown. */
  @Override
  public double value() {
    Roc roc = roc();
    return roc.isDefined() ? roc.area() : Double.NaN;
  }

  @Override
  public Map<String, Object> all(DoubleFunction<String> names) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("alertRate", n == 0 ? 0.0 : 100.0 * called / n);
    Roc roc = roc();
    if (roc.isDefined()) {
      all.put("auc", roc.area());
      all.put("aucError", roc.error());
      addCalls(all);
    }
    return all;
  }

  private void addCalls(Map<String, Object> all) {
    long anomalies = 0;
    long found = 0;
    long calls = 0;
    for (Map.Entry<Double, Group> entry : groups.entrySet()) {
      Group group = entry.getValue();
      anomalies += isAnomaly(entry.getKey()) ? group.n : 0;
      found += isAnomaly(entry.getKey()) ? group.called : 0;
      calls += group.called;
    }
    all.put("precision", calls == 0 ? 0.0 : 100.0 * found / calls);
    all.put("recall", 100.0 * found / anomalies);
  }

  private Roc roc() {
    Roc roc = new Roc();
    if (groups.size() <= MOST_LABELS) {
      groups.forEach((label, group) -> roc.addAll(isAnomaly(label), group.scores));
    }
    return roc;
  }

  private boolean isAnomaly(double label) {
    if (groups.size() == 2 && !hasNames) {
      return groups.keySet().stream().allMatch(other -> other <= label);
    }
    double commonest = label;
    for (Map.Entry<Double, Group> entry : groups.entrySet()) {
      commonest = entry.getValue().n > groups.get(commonest).n ? entry.getKey() : commonest;
    }
    return label != commonest;
  }

  @Override
  public Metrics fresh() {
    return new AnomalyMetrics(hasNames);
  }

  @Override
  public void encode(Encoder out) {
    out.int32(2);
    out.bool(hasNames);
    out.int64(n);
    out.int64(called);
    out.int32(groups.size());
    groups.forEach(
        (label, group) -> {
          out.float64(label);
          out.int64(group.n);
          out.int64(group.called);
          group.scores.encode(out);
        });
  }

  static AnomalyMetrics decodeContent(Decoder in) throws ModelFileException {
    AnomalyMetrics metrics = new AnomalyMetrics(in.bool());
    metrics.n = in.count("the answers");
    metrics.called = in.count("the anomalies called");
    int labels = in.int32("the labels", MOST_LABELS + 1);
    for (int i = 0; i < labels; i++) {
      Group group = new Group();
      metrics.groups.put(in.finite("a label"), group);
      group.n = in.count("the instances of a label");
      group.called = in.count("the anomalies called of a label");
      group.scores = Histogram.decode(in, Roc.BITS);
    }
    return metrics;
  }
}
