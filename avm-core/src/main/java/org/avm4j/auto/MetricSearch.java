package org.avm4j.auto;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Finds a metric by trees. Many rows tell more than few of which features matter: trees with a
 * metric that is learned anew learn all rows. Those whose loss is lower than that of the tree that
 * answers are found. If the tree that answers has a metric, a tree without one is found too.
 */
final class MetricSearch {
  /** The most rounds in which a metric is found. */
  static final int ROUNDS = 4;

  /** Ratio of losses below which one candidate is clearly better than another. */
  static final double CLEARLY = 0.98;

  /** A tree whose loss is this multiple of the best one's does not run on. */
  static final double HOPELESS = 1.2;

  private static final Step WEIGHTED = Candidate::weighted;
  private static final Step MAPPED = Candidate::mapped;

  /** How a metric goes on from what a tree tells. */
  private interface Step {
    Stream<Candidate> of(Candidate candidate, Relevance relevance);

    default List<Candidate> of(Replay trial) {
      return of(trial.runner().candidate(), trial.relevance()).toList();
    }
  }

  private final SearchStart start;
  private final Trials trials;
  private final Consumer<List<Runner>> found;

  MetricSearch(SearchStart start, Trials trials, Consumer<List<Runner>> found) {
    this.start = start;
    this.trials = trials;
    this.found = found;
  }

  /** Begins with a tree to which all features are alike. */
  void begin() {
    trials.trees(start.candidates(), null, this::tryBoth);
  }

  /** Tries a weight for each feature, and a matrix. */
  private void tryBoth(Replay plain) {
    trials.trees(
        WEIGHTED.of(plain),
        plain,
        weights -> trials.trees(MAPPED.of(plain), plain, matrix -> goOn(plain, weights, matrix)));
  }

  /** Where the first round of a matrix does not pay, there is no second. */
  private void goOn(Replay plain, Replay weights, Replay matrix) {
    boolean mayPay = matrix.handicappedLoss() < weights.handicappedLoss();
    goOn(
        weights,
        WEIGHTED,
        done(weights, plain),
        vector ->
            goOn(
                mayPay ? matrix : plain,
                MAPPED,
                mayPay ? done(matrix, plain) : ROUNDS,
                map -> end(plain, vector, map)));
  }

  /** The number of rounds that count as done: all of them where the first did not pay. */
  private static int done(Replay first, Replay plain) {
    return first.loss() < CLEARLY * plain.loss() ? 1 : ROUNDS;
  }

  private void goOn(Replay best, Step step, int round, Consumer<Replay> then) {
    if (round == ROUNDS) {
      then.accept(best);
      return;
    }
    trials.trees(
        step.of(best),
        best,
        next -> {
          boolean isBetter = next.loss() < CLEARLY * best.loss();
          goOn(isBetter ? next : best, step, isBetter ? round + 1 : ROUNDS, then);
        });
  }

  private void end(Replay plain, Replay weights, Replay matrix) {
    boolean pays = matrix.handicappedLoss() < weights.handicappedLoss();
    double least = start.least() > 0 ? start.least() : plain.loss();
    List<Runner> trees = new ArrayList<>();
    Stream.of(weights, pays ? matrix : plain)
        .filter(trial -> trial != plain && trial.loss() < least)
        .forEach(trial -> trees.add(trial.runner()));
    if (!start.isPlain() && plain.loss() < HOPELESS * least) {
      trees.add(plain.runner());
    }
    found.accept(trees);
  }
}
