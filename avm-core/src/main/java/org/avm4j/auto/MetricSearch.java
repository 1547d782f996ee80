package org.avm4j.auto;

import java.util.Comparator;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.avm4j.data.Instance;
import org.avm4j.data.Scaler;

/**
 * Finds a metric by trees that learn some instances again. A round asks a tree which features
 * matter, and takes the better of the trees that weigh them so; it begins with a tree to which all
 * features are alike.
 */
final class MetricSearch {
  /** The most rounds in which a metric is found. */
  static final int ROUNDS = 4;

  /** After the first, a round must bring the loss below this part of what it was. */
  static final double CLEARLY = 0.98;

  private static final Comparator<Trial> BY_LOSS = Comparator.comparingDouble(Trial::loss);

  private final Lineup lineup;
  private final AutoOptions options;
  private final List<Instance> rows;
  private final Trial plain;

  /** Starts with the settings of a candidate without a metric. */
  MetricSearch(Candidate candidate, Lineup lineup, AutoOptions options, List<Instance> rows) {
    this.lineup = lineup;
    this.options = options;
    this.rows = rows;
    plain = learn(candidate);
  }

  /** A tree that has learned the instances, and what it can tell of features. */
  private record Trial(Runner runner, Relevance relevance) {
    double loss() {
      return runner.meanLoss();
    }

    double handicappedLoss() {
      return runner.candidate().handicap() * loss();
    }
  }

  /** The tree to which all features are alike. */
  Runner plain() {
    return plain.runner();
  }

  /**
   * The best tree with a weight for each feature, and the best with a matrix if that pays. Where
   * the first round of a matrix does not, there is no second.
   */
  Stream<Runner> found() {
    Trial weights = round(plain, Candidate::weighted);
    Trial matrix = round(plain, Candidate::mapped);
    boolean mayPay = matrix.handicappedLoss() < weights.handicappedLoss();
    weights = goOn(weights, Candidate::weighted);
    matrix = mayPay ? goOn(matrix, Candidate::mapped) : plain;
    boolean pays = matrix.handicappedLoss() < weights.handicappedLoss();
    return Stream.of(weights, pays ? matrix : plain)
        .filter(trial -> trial != plain)
        .map(Trial::runner);
  }

  private Trial goOn(Trial first, BiFunction<Candidate, Relevance, Stream<Candidate>> step) {
    Trial best = first;
    Trial next = first;
    for (int round = 1; round < ROUNDS && next == best; round++) {
      next = round(best, step);
      best = next.loss() < CLEARLY * best.loss() ? next : best;
    }
    return best;
  }

  /**
   * The better of the trees that weigh features as one tells; that one if there is nothing to tell.
   */
  private Trial round(Trial holder, BiFunction<Candidate, Relevance, Stream<Candidate>> step) {
    List<Candidate> field = step.apply(holder.runner.candidate(), holder.relevance).toList();
    return Lineup.onAllCores(field, this::learn).stream().min(BY_LOSS).orElse(holder);
  }

  private Trial learn(Candidate candidate) {
    Scaler scaler = lineup.scaler(candidate, rows);
    List<Instance> transformed = lineup.transform(scaler, rows);
    Runner runner = lineup.seedling(candidate, scaler, options, transformed);
    return new Trial(runner, Relevance.to(runner, transformed, Lineup.dimension(rows)));
  }
}
