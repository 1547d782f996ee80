package org.avm4j.lab;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleFunction;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * Mistakes, accuracy, balanced accuracy, Cohen's kappa and F1 of classes that may appear at any
 * time; for two classes with one score also the area under the ROC curve, and the log loss where
 * the score is a logit.
 *
 * <p>The area is taken from two histograms over s/(1+|s|) with 16,384 bins: scores that share a bin
 * count as ties, which moves the area by less than the share of the fullest bin.
 */
public final class ClassificationMetrics implements Metrics {
  private static final int BINS = 1 << 14;

  private final boolean isLogit;
  private final Map<Double, Integer> index = new TreeMap<>();
  private long[][] confusion = {};
  private long[] totals = {};
  private long n;
  private long mistakes;
  private boolean hasScore;
  private double logLoss;
  private final long[][] histogram = new long[2][];

  /** No answer yet; for a logit score the log loss is defined. */
  public ClassificationMetrics(boolean isLogit) {
    this.isLogit = isLogit;
  }

  /**
   * Takes an answer into account. One score belongs to two labels, of which the higher is the
   * positive one. An answer NaN, given before any class was known, is a mistake.
   */
  @Override
  public void add(double label, double answer, double[] scores) {
    n++;
    mistakes += label == answer ? 0 : 1;
    int truth = place(label);
    totals[truth]++;
    if (!Double.isNaN(answer)) {
      int said = place(answer);
      confusion[truth][said]++;
    }
    if (scores.length == 1) {
      boolean saysPositive = scores[0] >= 0;
      addScore(label == answer ? saysPositive : !saysPositive, scores[0]);
    }
  }

  private void addScore(boolean isPositive, double score) {
    hasScore = true;
    double part = score / (1 + Math.abs(score));
    int bin = (int) Math.min(BINS - 1, (part + 1) / 2 * BINS);
    int side = isPositive ? 1 : 0;
    if (histogram[side] == null) {
      histogram[side] = new long[BINS];
    }
    histogram[side][bin]++;
    double margin = isPositive ? score : -score;
    logLoss += Math.max(0, -margin) + Math.log1p(Math.exp(-Math.abs(margin)));
  }

  @Override
  public long instances() {
    return n;
  }

  /** The number of mistakes. */
  public long mistakes() {
    return mistakes;
  }

  @Override
  public String name() {
    return "mistakeRate";
  }

  @Override
  public double value() {
    return n == 0 ? 0 : 100.0 * mistakes / n;
  }

  @Override
  public Map<String, Object> all(DoubleFunction<String> names) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("mistakeRate", value());
    all.put("accuracy", n == 0 ? 0.0 : 100 - value());
    all.put("balancedAccuracy", balancedAccuracy());
    all.put("kappa", kappa());
    all.put("f1", f1(names));
    if (hasScore && histogram[0] != null && histogram[1] != null) {
      all.put("auc", auc());
    }
    if (hasScore && isLogit) {
      all.put("logLoss", logLoss / n);
    }
    return all;
  }

  /** The mean over the classes of the percentage found. */
  public double balancedAccuracy() {
    double sum = 0;
    int classes = 0;
    for (int i : index.values()) {
      sum += totals[i] == 0 ? 0 : 100.0 * confusion[i][i] / totals[i];
      classes += totals[i] == 0 ? 0 : 1;
    }
    return classes == 0 ? 0 : sum / classes;
  }

  /** Cohen's kappa: 1 for all right, 0 for no better than chance. */
  public double kappa() {
    double agreed = n == 0 ? 0 : 1 - (double) mistakes / n;
    double chance = 0;
    for (int i : index.values()) {
      chance += (double) totals[i] / n * answered(i) / n;
    }
    return chance >= 1 || n == 0 ? 0 : (agreed - chance) / (1 - chance);
  }

  /** F1 of each class, by its name, in ascending order of label. */
  public Map<String, Double> f1(DoubleFunction<String> names) {
    Map<String, Double> f1 = new LinkedHashMap<>();
    index.forEach((label, i) -> f1.put(names.apply(label), f1(i)));
    return f1;
  }

  /** The probability that a positive instance scores above a negative one, ties counting half. */
  public double auc() {
    double below = 0;
    double sum = 0;
    for (int bin = 0; bin < BINS; bin++) {
      sum += histogram[1][bin] * (below + histogram[0][bin] / 2.0);
      below += histogram[0][bin];
    }
    return sum / (below * Arrays.stream(histogram[1]).sum());
  }

  @Override
  public Metrics fresh() {
    return new ClassificationMetrics(isLogit);
  }

  @Override
  public void encode(Encoder out) {
    out.bool(false);
    out.bool(isLogit);
    out.int64(n);
    out.int64(mistakes);
    out.bool(hasScore);
    out.float64(logLoss);
    double[] labels = new double[index.size()];
    index.forEach((label, i) -> labels[i] = label);
    out.int32(labels.length);
    out.doubles(labels, labels.length);
    Arrays.stream(totals).forEach(out::int64);
    for (long[] row : confusion) {
      Arrays.stream(row).forEach(out::int64);
    }
    for (long[] side : histogram) {
      out.bool(side != null);
      if (side != null) {
        Arrays.stream(side).forEach(out::int64);
      }
    }
  }

  static ClassificationMetrics decodeContent(Decoder in) throws ModelFileException {
    ClassificationMetrics metrics = new ClassificationMetrics(in.bool());
    metrics.n = in.count("the answers");
    metrics.mistakes = in.count("the mistakes");
    metrics.hasScore = in.bool();
    metrics.logLoss = in.float64();
    int classes = in.int32();
    for (double label : in.doubles(classes, 0)) {
      metrics.place(label);
    }
    fill(metrics.totals, in);
    for (long[] row : metrics.confusion) {
      fill(row, in);
    }
    for (int side = 0; side < 2; side++) {
      metrics.histogram[side] = in.bool() ? fill(new long[BINS], in) : null;
    }
    return metrics;
  }

  private static long[] fill(long[] counts, Decoder in) throws ModelFileException {
    for (int i = 0; i < counts.length; i++) {
      counts[i] = in.count("a count");
    }
    return counts;
  }

  private double f1(int i) {
    long both = totals[i] + answered(i);
    return both == 0 ? 0 : 2.0 * confusion[i][i] / both;
  }

  private long answered(int i) {
    return Arrays.stream(confusion).mapToLong(row -> row[i]).sum();
  }

  private int place(double label) {
    Integer known = index.get(label);
    if (known != null) {
      return known;
    }
    int classes = index.size() + 1;
    index.put(label, classes - 1);
    totals = Arrays.copyOf(totals, classes);
    confusion = Arrays.copyOf(confusion, classes);
    confusion[classes - 1] = new long[0];
    Arrays.setAll(confusion, i -> Arrays.copyOf(confusion[i], classes));
    return classes - 1;
  }
}
