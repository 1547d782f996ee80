package org.avm4j.lab.paper;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import org.avm4j.OnlineLearner;
import org.avm4j.Predictor;
import org.avm4j.Task;
import org.avm4j.data.Instance;
import org.avm4j.lab.ClassificationMetrics;
import org.avm4j.lab.Metrics;
import org.avm4j.lab.RegressionMetrics;
import org.avm4j.lab.baseline.Baselines;

/**
 * The paper's validation procedure: of a sample of the training rows four fifths are learned and
 * one fifth is answered, for every point of the paper's grids; the best one is recorded. δ, budget
 * and number of random features are the paper's own. To stay cheap the sample is small, and random
 * features and the budget of the costly methods are cut down while tuning; λ is sought as λN, so
 * that it carries over from the sample to the whole.
 */
public final class Tuning {
  private static final int MOST = 200;
  private static final List<Contender> COSTLY =
      List.of(Contender.NOGD, Contender.LLSVM, Contender.BSGD_M);
  private static final int FIRST_PART = 8;
  private static final int KEPT_PART = 4;
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

  /** What is learned and what is answered. */
  private record Split(List<Instance> learned, List<Instance> answered) {
    Split shorter() {
      return new Split(learned.subList(0, learned.size() / FIRST_PART), answered);
    }
  }

  /**
   * The best point of the grid for a method, by the mean over some splits of a sample of at most so
   * many rows. For AVM, whose samples are large, all points are tried with an eighth of the rows to
   * learn first, and the best quarter of them with all; a constant step η would not bear that,
   * because fewer rows want longer steps.
   */
  public Found find(Contender contender, int rows, int splits) {
    int most = Math.min(rows, samples.train().size());
    List<Split> parts = new ArrayList<>();
    for (int seed = 1; seed <= splits; seed++) {
      List<Instance> mixed = List.copyOf(Samples.shuffled(samples.train(), seed).subList(0, most));
      parts.add(new Split(mixed.subList(0, most * 4 / 5), mixed.subList(most * 4 / 5, most)));
    }
    List<Settings> points = grid(contender);
    if (contender.isAvm()) {
      List<Split> shorter = parts.stream().map(Split::shorter).toList();
      points =
          tried(contender, points, shorter, most).stream()
              .limit(points.size() / KEPT_PART)
              .map(Found::settings)
              .toList();
    }
    return tried(contender, points, parts, most).get(0);
  }

  /** All points with what they gave, the best first; of equals the first of the grid. */
  private List<Found> tried(
      Contender contender, List<Settings> points, List<Split> parts, int rows) {
    List<Found> found = new ArrayList<>();
    for (Settings point : points) {
      double mean =
          parts.stream()
              .mapToDouble(part -> metric(contender, point, part))
              .average()
              .orElseThrow();
      found.add(new Found(point, mean, rows));
    }
    found.sort(Comparator.comparingDouble(Found::metric));
    return found;
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
    boolean isRegression = set.task() instanceof Task.Regression;
    return !key.equals("eta") || isRegression || !perceptrons.contains(contender);
  }

  private static Stream<Settings> extended(Settings point, Map.Entry<String, double[]> axis) {
    return Arrays.stream(axis.getValue()).mapToObj(value -> point.with(axis.getKey(), value));
  }

  private double metric(Contender contender, Settings point, Split split) {
    Settings all = cut(contender, set.settings()).with(point).only(contender.keys());
    Metrics metrics =
        set.task() instanceof Task.Regression
            ? new RegressionMetrics()
            : new ClassificationMetrics(false, false);
    double[] none = {};
    try {
      Predictor model = model(contender, all, split.learned);
      for (Instance row : split.answered) {
        metrics.add(row.label(), model.predict(row.features()), none);
      }
    } catch (IllegalArgumentException impossible) {
      return Double.POSITIVE_INFINITY; // numbers that do not go together
    }
    return Double.isNaN(metrics.value()) ? Double.POSITIVE_INFINITY : metrics.value();
  }

  private Predictor model(Contender contender, Settings all, List<Instance> learned) {
    if (contender.isBatch()) {
      return Baselines.create(contender.batch(set.task(), all, SEED)).train(learned);
    }
    OnlineLearner learner = contender.online(set.task(), all, learned.size(), SEED);
    for (Instance row : learned) {
      if (Thread.currentThread().isInterrupted()) {
        throw new CancellationException("interrupted");
      }
      learner.learn(row.features(), row.label());
    }
    return learner;
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
