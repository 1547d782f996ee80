package org.avm4j.eval;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleFunction;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * Mistakes, accuracy, balanced accuracy, Cohen's kappa, precision, recall, F1 and the confusion
 * matrix of classes that may appear at any time. For two classes with one score, also the area
 * under the ROC curve ({@link Roc}), and the log loss if the score is a logit. If answers have
 * probabilities, these are measured too, together with the calibration error of the uncalibrated
 * scores.
 */
public final class ClassificationMetrics implements Metrics {
  private final boolean isBinary;
  private final boolean isLogit;
  private final Map<Double, Integer> index = new TreeMap<>();
  private long[] totals = {};
  private long[] answered = {};
  private long[] hits = {};
  private long n;
  private long mistakes;
  private boolean hasScore;
  private double logLoss;
  private Roc roc = new Roc();
  private ProbabilityMetrics probabilities = new ProbabilityMetrics();
  private ProbabilityMetrics plainScores = new ProbabilityMetrics();
  private boolean hasProbabilities;
  private Confusion confusion = new Confusion(true);

  /**
   * Metrics without answers. A single score for two classes has an ROC area and, if it is a logit,
   * a log loss.
   */
  public ClassificationMetrics(boolean isBinary, boolean isLogit) {
    this.isBinary = isBinary;
    this.isLogit = isLogit;
  }

  /**
   * Adds an answer. A single score belongs to two labels, of which the higher one is positive. An
   * answer of NaN, given before any class was known, is a mistake.
   */
  @Override
  public void add(double label, double answer, double[] scores) {
    n++;
    mistakes += label == answer ? 0 : 1;
    int truth = place(label);
    totals[truth]++;
    if (!Double.isNaN(answer)) {
      int said = place(answer);
      answered[said]++;
      confusion.add(truth, said);
      hits[truth] += label == answer ? 1 : 0;
    }
    if (isBinary && scores.length == 1) {
      boolean saysPositive = scores[0] >= 0;
      addScore(label == answer ? saysPositive : !saysPositive, scores[0]);
    }
  }

  /**
   * The same answers as those of a task of any number of classes, without the figures of a single
   * score. These metrics must not be used any more.
   */
  public ClassificationMetrics ofMoreClasses() {
    ClassificationMetrics more = new ClassificationMetrics(false, isLogit);
    more.index.putAll(index);
    more.totals = totals;
    more.answered = answered;
    more.hits = hits;
    more.n = n;
    more.mistakes = mistakes;
    more.probabilities = probabilities;
    more.plainScores = plainScores;
    more.hasProbabilities = hasProbabilities;
    more.confusion = confusion;
    return more;
  }

  private void addScore(boolean isPositive, double score) {
    hasScore = true;
    roc.add(isPositive, score);
    double margin = isPositive ? score : -score;
    logLoss += Math.max(0, -margin) + StrictMath.log1p(StrictMath.exp(-Math.abs(margin)));
  }

  @Override
  public void addProbabilities(
      double label, double[] classes, double[] calibrated, double[] plain) {
    hasProbabilities = true;
    int own = Math.max(-1, Arrays.binarySearch(classes, label));
    probabilities.add(calibrated, own, isBinary);
    plainScores.add(plain, own, isBinary);
  }

  @Override
  public long instances() {
    return n;
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
    all.put("precision", precision(names));
    all.put("recall", recall(names));
    all.put("f1", f1(names));
    if (confusion.isKnown()) {
      all.put("confusion", confusion(names));
    }
    if (roc.isDefined()) {
      all.put("auc", auc());
    }
    if (hasProbabilities) {
      probabilities.addTo(all);
      all.put("calibrationErrorBefore", plainScores.calibrationError());
    } else if (hasScore && isLogit) {
      all.put("logLoss", logLoss / n);
    }
    return all;
  }

  /** The mean recall over the classes, in percent. */
  public double balancedAccuracy() {
    double sum = 0;
    int classes = 0;
    for (int i : index.values()) {
      sum += totals[i] == 0 ? 0 : 100.0 * hits[i] / totals[i];
      classes += totals[i] == 0 ? 0 : 1;
    }
    return classes == 0 ? 0 : sum / classes;
  }

  /** Cohen's kappa: 1 for all right, 0 for no better than chance. */
  public double kappa() {
    double agreed = n == 0 ? 0 : 1 - (double) mistakes / n;
    double chance = 0;
    for (int i : index.values()) {
      chance += (double) totals[i] / n * answered[i] / n;
    }
    return chance >= 1 || n == 0 ? 0 : (agreed - chance) / (1 - chance);
  }

  /** The precision of each class, in percent, by name. */
  public Map<String, Double> precision(DoubleFunction<String> names) {
    return shares(names, answered);
  }

  /** The recall of each class, in percent, by name. */
  public Map<String, Double> recall(DoubleFunction<String> names) {
    return shares(names, totals);
  }

  private Map<String, Double> shares(DoubleFunction<String> names, long[] of) {
    Map<String, Double> shares = new LinkedHashMap<>();
    index.forEach(
        (label, i) -> shares.put(names.apply(label), of[i] == 0 ? 0 : 100.0 * hits[i] / of[i]));
    return shares;
  }

  /**
   * How often each class was answered for each true class, unless there are more than 64: {@code
   * labels} in ascending order, and {@code counts}, one row for each true class.
   */
  private Map<String, Object> confusion(DoubleFunction<String> names) {
    List<String> labels = new ArrayList<>();
    index.keySet().forEach(label -> labels.add(names.apply(label)));
    return confusion.all(labels, index.values());
  }

  /**
   * The mistakes, in percent, of always answering the most frequent class of all these instances.
   */
  public double majorityMistakeRate() {
    long most = Arrays.stream(totals).max().orElse(0);
    return n == 0 ? 0 : 100.0 * (n - most) / n;
  }

  /** F1 of each class, by its name, in ascending order of label. */
  public Map<String, Double> f1(DoubleFunction<String> names) {
    Map<String, Double> f1 = new LinkedHashMap<>();
    index.forEach((label, i) -> f1.put(names.apply(label), f1(i)));
    return f1;
  }

  /** The probability that a positive instance scores above a negative one, ties counting half. */
  public double auc() {
    return roc.area();
  }

  /** The calibration curve in up to 20 bins; empty if answers had no probabilities. */
  public List<Reliability> reliability() {
    return probabilities.bins();
  }

  @Override
  public Metrics fresh() {
    return new ClassificationMetrics(isBinary, isLogit);
  }

  @Override
  public void encode(Encoder out) {
    out.int32(0);
    out.bool(isBinary);
    out.bool(isLogit);
    out.int64(n);
    out.int64(mistakes);
    out.bool(hasScore);
    out.float64(logLoss);
    double[] labels = new double[index.size()];
    index.forEach((label, i) -> labels[i] = label);
    out.counted(labels);
    for (long[] counts : List.of(totals, answered, hits)) {
      out.longs(Arrays.copyOf(counts, labels.length));
    }
    roc.encode(out);
    out.bool(hasProbabilities);
    probabilities.encode(out);
    plainScores.encode(out);
    if (confusion.isKnown()) {
      out.section("confusion", confusion::encode);
    }
    if (hasProbabilities) {
      out.section("reliability", probabilities::encodeBins);
    }
  }

  static ClassificationMetrics decodeContent(Decoder in) throws ModelFileException {
    ClassificationMetrics metrics = new ClassificationMetrics(in.bool(), in.bool());
    metrics.n = in.count("the answers");
    metrics.mistakes = in.count("the mistakes");
    metrics.hasScore = in.bool();
    metrics.logLoss = in.float64();
    int classes = in.int32();
    for (double label : in.doubles(classes, 0)) {
      metrics.place(label);
    }
    for (long[] counts : List.of(metrics.totals, metrics.answered, metrics.hits)) {
      System.arraycopy(in.counts("a count", classes), 0, counts, 0, classes);
    }
    metrics.roc = Roc.decode(in);
    metrics.hasProbabilities = in.bool();
    metrics.probabilities = ProbabilityMetrics.decode(in);
    metrics.plainScores = ProbabilityMetrics.decode(in);
    metrics.confusion =
        in.optional("confusion", Confusion::decode).orElseGet(() -> new Confusion(false));
    in.optional("reliability", metrics.probabilities::decodeBins);
    return metrics;
  }

  private double f1(int i) {
    long both = totals[i] + answered[i];
    return both == 0 ? 0 : 2.0 * hits[i] / both;
  }

  private int place(double label) {
    Integer known = index.get(label);
    if (known != null) {
      return known;
    }
    int place = index.size();
    index.put(label, place);
    if (place == totals.length) {
      int capacity = Math.max(8, 2 * place);
      totals = Arrays.copyOf(totals, capacity);
      answered = Arrays.copyOf(answered, capacity);
      hits = Arrays.copyOf(hits, capacity);
    }
    return place;
  }
}
