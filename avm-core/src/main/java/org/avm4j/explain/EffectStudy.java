package org.avm4j.explain;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.avm4j.math.SplitMix;

/**
 * Finds the columns whose effect on the label changed. Effects are measured on the scale of the
 * scores, so that a column is not named merely because another one has become stronger.
 *
 * <p>With g_b the sum of residuals and h_b the sum of second derivatives of the rows in bin b of a
 * column, g_b/h_b is the correction that the scores of the bin need. The study tests whether this
 * differs between the samples by more than a constant. The strongest column is corrected in each
 * sample, then the next one is searched for; at the end, redundant columns are dropped. Rows are
 * subsampled so that columns that moved have the same distribution in both samples.
 */
final class EffectStudy {
  /** Sweeps over the selected columns, in which each column corrects what the others changed. */
  private static final int SWEEPS = 4;

  /** Largest step of a log-odds. */
  private static final double LARGEST_STEP = 2;

  /** Lower bound of second derivatives, for answers that are almost certain. */
  private static final double FLATTEST = 1e-6;

  /** Fraction of the strongest effect below which others are not named. */
  private static final double LEAST_BESIDE = 0.1;

  /**
   * How much more often a further column may be wrong than the first one, for which alone the
   * probability of a false alarm holds: it is sure that something changed. The threshold also falls
   * with each column that is named, as that of Benjamini and Hochberg, so that a few hundredths of
   * the further columns are wrong, however many there are.
   */
  private static final double FURTHER = 3;

  private final ChangeStudy study;
  private final boolean isRegression;
  private final double[][] start;
  private final double[][] targets;
  private final int[] alike;
  private final int outputs;
  private double[][] scores;
  private final EffectWords words;

  private final double[][] residuals;
  private final double[][] curvatures;

  /** A study of two samples, which tells effects in these words. */
  EffectStudy(
      ChangeStudy study,
      ModelBeforeChange rule,
      List<WatchedRow> before,
      List<WatchedRow> after,
      EffectWords words) {
    this.study = study;
    this.words = words;
    isRegression = rule.isRegression();
    outputs = rule.outputs();
    alike = alike(study);
    start = rule.scores(before, after);
    targets =
        Stream.concat(before.stream(), after.stream())
            .map(row -> rule.target(row.label()))
            .toArray(double[][]::new);
    residuals = new double[start.length][outputs];
    curvatures = new double[start.length][outputs];
    fit(List.of());
  }

  private static int[] alike(ChangeStudy study) {
    double[] kept = study.overlap();
    SplitMix random = new SplitMix(1);
    return IntStream.range(0, kept.length)
        .filter(i -> kept[i] >= 1 || random.getAsDouble() < kept[i])
        .toArray();
  }

  private static double[][] copy(double[][] values) {
    return Stream.of(values).map(double[]::clone).toArray(double[][]::new);
  }

  /**
   * The effect of a column.
   *
   * @param z how sure it is
   * @param size its variance on the scale of the scores, relative to that of the residuals
   * @param explained the fraction of the variance of the residuals that it explains
   */
  private record Effect(int column, double z, boolean isChance, double size, double explained) {
    boolean isFound() {
      return !isChance && size >= ChangeStudy.LEAST_EFFECT;
    }
  }

  /**
   * The columns whose effect changed, the strongest first; empty if too few rows are comparable.
   */
  List<ChangeStudy.Changed> changed() {
    long old = IntStream.of(alike).filter(i -> i < study.before()).count();
    if (Math.min(old, alike.length - old) < ChangeStudy.FEWEST_LABELLED) {
      return List.of();
    }
    List<Integer> taken = new ArrayList<>();
    while (taken.size() < ChangeStudy.MOST_EFFECTS) {
      Effect best =
          IntStream.range(0, study.columns())
              .filter(c -> !taken.contains(c))
              .mapToObj(c -> effect(c, taken.size()))
              .max(Comparator.comparingDouble(Effect::z))
              .orElse(null);
      if (best == null || !best.isFound()) {
        break;
      }
      taken.add(best.column);
      fit(taken);
    }
    List<Effect> found = needed(taken);
    double most = found.stream().mapToDouble(Effect::size).max().orElse(0);
    return found.stream()
        .filter(effect -> effect.size >= LEAST_BESIDE * most)
        .sorted(Comparator.comparingDouble(effect -> -effect.size))
        .map(effect -> study.effect(effect.column, effect.explained, words))
        .toList();
  }

  /** What each column adds to all others; those that add nothing are dropped one by one. */
  private List<Effect> needed(List<Integer> taken) {
    while (true) {
      List<Effect> effects = new ArrayList<>();
      for (int column : taken) {
        fit(taken.stream().filter(other -> other != column).toList());
        effects.add(effect(column, taken.size() - 1));
      }
      Effect weakest =
          effects.stream()
              .filter(effect -> !effect.isFound())
              .min(Comparator.comparingDouble(Effect::z))
              .orElse(null);
      if (weakest == null) {
        return effects;
      }
      taken.remove((Integer) weakest.column);
    }
  }

  /** Corrects the scores in all bins of some columns, in each sample. */
  private void fit(List<Integer> columns) {
    scores = copy(start);
    derive();
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
      for (int column : columns) {
        EffectBins sums = bins(column);
        for (int i : alike) {
          int side = side(i);
          int bin = study.bins(column).of(i);
          for (int k = 0; k < outputs && sums.isUsed(bin); k++) {
            scores[i][k] += step(sums.gap(side, k, bin));
          }
        }
        derive();
      }
    }
  }

  private void derive() {
    double[] means = new double[outputs];
    for (int i : alike) {
      means(scores[i], means);
      for (int k = 0; k < outputs; k++) {
        residuals[i][k] = targets[i][k] - means[k];
        curvatures[i][k] = isRegression ? 1 : Math.max(FLATTEST, means[k] * (1 - means[k]));
      }
    }
  }

  private EffectBins bins(int column) {
    return new EffectBins(study.bins(column), alike, study.before(), residuals, curvatures);
  }

  private double step(double gap) {
    return isRegression ? gap : Math.max(-LARGEST_STEP, Math.min(LARGEST_STEP, gap));
  }

  private int side(int i) {
    return i < study.before() ? 0 : 1;
  }

  /**
   * The effect of a column.
   *
   * @param others the number of other columns that are corrected
   */
  private Effect effect(int column, int others) {
    EffectBins sums = bins(column);
    double chi = 0;
    int degrees = 0;
    double trend = 0;
    double size = 0;
    double explained = 0;
    for (int k = 0; k < outputs; k++) {
      EffectBins.Gaps gaps = sums.gaps(k);
      chi += gaps.chi();
      degrees += gaps.degrees();
      trend = Math.max(trend, gaps.trend());
      size += gaps.size();
      explained += gaps.explained();
    }
    if (outputs > 1) { // residuals of all classes sum to 0, so one of them tells nothing new
      chi *= (outputs - 1.0) / outputs;
      degrees = degrees * (outputs - 1) / outputs;
    }
    boolean isOrdered = study.bins(column).isNumber();
    double ofBins = degrees == 0 ? Double.NEGATIVE_INFINITY : ChangeStudy.z(chi, degrees);
    double z = isOrdered && degrees > 0 ? Math.max(ofBins, ChangeStudy.z(trend, 1)) : ofBins;
    double tests = isOrdered ? 1 + outputs : 1;
    double share = others == 0 ? 1 : FURTHER * (others + 1);
    boolean isChance = study.isChance(z, tests / share);
    double squares = Math.max(Double.MIN_NORMAL, sums.squares());
    return new Effect(column, z, isChance, size / squares, explained / squares);
  }

  /** The expected targets of scores: themselves, or the probabilities of classes. */
  private void means(double[] of, double[] means) {
    if (isRegression) {
      means[0] = of[0];
    } else if (outputs == 1) {
      means[0] = 1 / (1 + StrictMath.exp(-of[0]));
    } else {
      double sum = 0;
      double top = Double.NEGATIVE_INFINITY;
      for (double score : of) {
        top = Math.max(top, score);
      }
      for (int k = 0; k < outputs; k++) {
        means[k] = StrictMath.exp(of[k] - top);
        sum += means[k];
      }
      for (int k = 0; k < outputs; k++) {
        means[k] /= sum;
      }
    }
  }
}
