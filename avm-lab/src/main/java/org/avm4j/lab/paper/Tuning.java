package org.avm4j.lab.paper;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.avm4j.OnlineLearner;
import org.avm4j.Predictor;
import org.avm4j.data.Instance;
import org.avm4j.eval.ClassificationMetrics;
import org.avm4j.eval.Metrics;
import org.avm4j.eval.RegressionMetrics;
import org.avm4j.lab.baseline.Baselines;

/**
 * Which point of the paper's grids suits a method: the same procedure for all. Every online method
 * learns one sample of the training rows in one order, AVM in three, and what decides is every
 * answer along the way, each given before the row is learned. A batch method learns four fifths of
 * its sample and answers the last one. δ, budget and number of random features are the paper's own.
 * To stay cheap the sample is small, and random features and the budget of the costly methods are
 * cut down while tuning.
 *
 * <p>λ is sought as λN. Where classes are learned, only signs count, and N is the number of rows of
 * the sample: λN carries over to the whole. Where numbers are, the length of the first steps,
 * 1/(λt), counts, and N is that of all training rows: a search is then the beginning of a run.
 *
 * <p>The paper holds out a fifth for all. The last iterate of an online method jumps about, so that
 * a fifth of a small sample says little of it.
 */
public final class Tuning {
  private static final int MOST = 300;
  private static final List<Contender> COSTLY =
      List.of(
          Contender.NOGD, Contender.LLSVM, Contender.PROJECTRON, Contender.PROJECTRON_PLUS_PLUS);
  private static final double[] NO_SCORES = {};
  private static final long SEED = 1;

  private static final Map<String, double[]> GRIDS =
      new TreeMap<>(
          Map.of(
              "gamma", powers(-8, -4, -2, 0, 2, 4, 8),
              "eta", new double[] {16, 8, 4, 2, 0.2, 0.02, 0.002, 0.0002},
              "nlambda", powers(-4, -2, 0, 2, 4, 6, 8, 10, 12, 14, 16),
              "cost", powers(-5, -3, -1, 1, 3, 5, 7, 9, 11, 13, 15)));

  private final DataSet set;
  private final Samples samples;

  /**
   * What was found.
   *
   * @param settings the best point of the grid
   * @param metric what it gave on the validation rows: mistakes in percent, or RMSE
   * @param rows how many rows the sample had
   */
  public record Found(Settings settings, double metric, int rows) {}

  /** Tunes on these rows. */
  public Tuning(DataSet set, Samples samples) {
    this.set = set;
    this.samples = samples;
  }

  private static double[] powers(int... exponents) {
    return Arrays.stream(exponents).mapToDouble(k -> Math.pow(2, k)).toArray();
  }

  /**
   * The best point of the grid for a method, from a sample of at most so many rows. Of equals the
   * first of the grid.
   */
  public Found find(Contender contender, int rows) {
    int most = Math.min(rows, samples.train().size());
    List<Instance> sample = List.copyOf(Samples.shuffled(samples.train(), SEED).subList(0, most));
    Found best = null;
    for (Settings point : grid(contender)) {
      double metric = metric(contender.searchedAs(), point, sample);
      if (best == null || metric < best.metric) {
        best = new Found(point, metric, most);
      }
    }
    return best;
  }

  private List<Settings> grid(Contender contender) {
    List<Settings> points = List.of(Settings.NONE);
    for (Map.Entry<String, double[]> axis : GRIDS.entrySet()) {
      if (contender.keys().contains(axis.getKey()) && isUsed(contender, axis.getKey())) {
        points = points.stream().flatMap(point -> extended(point, axis)).toList();
      }
    }
    return points;
  }

  /** The Perceptron family takes whole steps where classes are learned. */
  private boolean isUsed(Contender contender, String key) {
    List<Contender> perceptrons = List.of(Contender.RBP, Contender.FORGETRON, Contender.PROJECTRON);
    boolean isRegression = set.task().isRegression();
    return !key.equals("eta") || isRegression || !perceptrons.contains(contender);
  }

  private static Stream<Settings> extended(Settings point, Map.Entry<String, double[]> axis) {
    return Arrays.stream(axis.getValue()).mapToObj(value -> point.with(axis.getKey(), value));
  }

  private double metric(Contender contender, Settings point, List<Instance> sample) {
    Settings all = cut(contender, set.settings()).with(point).only(contender.keys());
    Metrics metrics =
        set.task().isRegression()
            ? new RegressionMetrics()
            : new ClassificationMetrics(false, false);
    try {
      if (contender.isBatch()) {
        heldOut(contender, all, sample, metrics);
      } else {
        along(contender, all, sample, metrics);
        for (int order = 2; order <= orders(contender); order++) {
          along(contender, all, Samples.shuffled(sample, order), metrics);
        }
      }
    } catch (IllegalArgumentException impossible) {
      return Double.POSITIVE_INFINITY; // numbers that do not go together
    }
    return Double.isNaN(metrics.value()) ? Double.POSITIVE_INFINITY : metrics.value();
  }

  /** By steps of 1/(λt) the first answers are a matter of luck, and one order says little. */
  private static int orders(Contender contender) {
    return contender.isAvm() ? 3 : 1;
  }

  private void along(Contender contender, Settings all, List<Instance> sample, Metrics metrics) {
    boolean isRegression = set.task().isRegression();
    int trainingRows = isRegression ? samples.train().size() : sample.size();
    OnlineLearner learner = contender.online(set.task(), all, trainingRows, SEED);
    for (Instance row : sample) {
      metrics.add(row.label(), learner.predict(row.features()), NO_SCORES);
      learner.learn(row.features(), row.label());
    }
  }

  private void heldOut(Contender contender, Settings all, List<Instance> sample, Metrics metrics) {
    int learned = sample.size() * 4 / 5;
    Predictor model =
        Baselines.create(contender.batch(set.task(), all, SEED)).train(sample.subList(0, learned));
    for (Instance row : sample.subList(learned, sample.size())) {
      metrics.add(row.label(), model.predict(row.features()), NO_SCORES);
    }
  }

  /** Smaller where a point of the grid would cost seconds. */
  private static Settings cut(Contender contender, Settings given) {
    int budget = given.whole("budget", 0);
    int features = given.whole("features", 0);
    Settings cut =
        COSTLY.contains(contender) ? given.with("budget", Math.min(budget, MOST)) : given;
    return cut.with("features", Math.min(features, 2 * MOST));
  }

  /** Which methods have a grid of the paper on this data. */
  public static List<Contender> contenders(DataSet set) {
    List<Contender> all = new ArrayList<>();
    for (Contender contender : Contender.values()) {
      boolean takesPart =
          Arrays.stream(Study.values())
              .anyMatch(study -> set.suits(study) && contender.takesPart(study, set.task()));
      if (takesPart && !contender.isOurs()) {
        all.add(contender);
      }
    }
    return all;
  }
}
