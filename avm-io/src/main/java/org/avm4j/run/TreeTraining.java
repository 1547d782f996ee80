package org.avm4j.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.avm4j.Features;
import org.avm4j.boost.BoostOptions;
import org.avm4j.boost.BoostedModel;
import org.avm4j.boost.Boosting;
import org.avm4j.data.Instance;
import org.avm4j.pipeline.Labels;
import org.avm4j.pipeline.Preparation;
import org.avm4j.pipeline.PreparedModel;

/**
 * Trains boosted trees on the same rows as the learners. The number of rounds is the best one on
 * held-out rows; then trees are trained on all rows.
 */
final class TreeTraining {
  /** Early stopping: rounds without a lower loss on held-out rows after which training ends. */
  private static final int PATIENCE = 50;

  /** Number of rounds between two evaluations on held-out rows. */
  private static final int TRIAL = 5;

  /** Maximum number of rounds: twice that of XGBoost in the arena, as η may be half of its η. */
  private static final int MOST_ROUNDS = 800;

  /** Maximum of rows times scores; beyond it the sums of derivatives take too much memory. */
  private static final long MOST_SCORES = 1L << 27;

  /** Largest absolute value of a regression label that learners accept. */
  private static final double LARGEST_LABEL = 1e100;

  /**
   * Two settings, of which the better one is used. Trees of all rows are better if labels have no
   * noise: on 12,000 rows of poker hands they make 26.5 % mistakes after 400 rounds, against 31.6 %
   * if each tree sees 70 % of the rows. Elsewhere sampling is better: on house prices the RMSE is
   * 33,600 instead of 34,700.
   */
  private static final List<BoostOptions> SETTINGS =
      List.of(
          BoostOptions.DEFAULT.withRounds(MOST_ROUNDS).withTrees(7, 0.1).withSamples(1, 0.8, 1),
          BoostOptions.DEFAULT.withRounds(MOST_ROUNDS).withTrees(7, 0.05).withSamples(0.7, 0.7, 1));

  private final PreparedModel like;
  private final RunListener listener;

  /**
   * Trains trees on prepared rows.
   *
   * @param like a learner of the same rows, whose preparation the trees share
   */
  TreeTraining(PreparedModel like, RunListener listener) {
    this.like = like;
    this.listener = listener;
  }

  /**
   * Trees that were trained without a part of the rows, and their results on that part.
   *
   * @param options the settings of the trees
   * @param boosting all rounds that were tried
   * @param loss the loss on the held-out rows with the best number of rounds
   * @param rounds the best number of rounds on all held-out rows
   * @param roundsOfHalf the best number of rounds on each half of the held-out rows
   * @param areTimed whether the held-out rows are in order of time
   */
  record Grown(
      PreparedModel like,
      BoostOptions options,
      Boosting boosting,
      double loss,
      int rounds,
      int[] roundsOfHalf,
      boolean areTimed) {
    /** The trees with the best number of rounds, for prepared rows. */
    BoostedModel model() {
      return boosting.model(rounds);
    }

    /** The same for unprepared rows. */
    PreparedModel behind() {
      return like.with(model());
    }

    /** Scores of unprepared rows with the best number of rounds. */
    HeldScores scores(List<Instance> rows) {
      return HeldScores.of(behind(), rows);
    }

    /** Scores of each held-out row with the best number of rounds on the other half of them. */
    HeldScores honestScores(List<Instance> rows) {
      PreparedModel[] ofHalf = {
        like.with(boosting.model(roundsOfHalf[1])), like.with(boosting.model(roundsOfHalf[0]))
      };
      double[][] scores = new double[rows.size()][];
      Arrays.setAll(
          scores,
          r -> ofHalf[HeldParts.half(r, scores.length, areTimed)].score(rows.get(r).features()));
      return new HeldScores(ofHalf[0], scores);
    }

    /** Scores of unprepared rows with another number of rounds. */
    HeldScores scores(List<Instance> rows, int others) {
      return HeldScores.of(like.with(boosting.model(Math.min(others, boosting.rounds()))), rows);
    }
  }

  /**
   * Trees without each of the first parts, with the settings that are best for all of these parts;
   * empty if some could not be trained.
   */
  List<Grown> best(HeldParts parts, int held, Executor executor) {
    List<Supplier<Grown>> tasks = new ArrayList<>();
    for (BoostOptions options : SETTINGS) {
      IntStream.range(0, held).forEach(part -> tasks.add(() -> grown(parts, part, options)));
    }
    List<Grown> tried = TaskResults.all(tasks, executor);
    List<Grown> best = List.of();
    double least = Double.MAX_VALUE;
    for (int from = 0; from < tried.size(); from += held) {
      List<Grown> all = tried.subList(from, from + held);
      double loss = all.stream().mapToDouble(one -> one == null ? Double.NaN : one.loss()).sum();
      if (loss < least) {
        least = loss;
        best = List.copyOf(all);
      }
    }
    return best;
  }

  /** Trains trees without a part and evaluates them on it; null if stopped or not possible. */
  private Grown grown(HeldParts parts, int part, BoostOptions options) {
    Labels labels = like.preparation().labels();
    double[] classes = Arrays.stream(like.classes()).map(labels::transform).toArray();
    List<Instance> learned = prepared(parts.without(part), classes);
    List<Instance> asked = prepared(HeldScores.taken(like, parts.part(part)), classes);
    if (!canGrow(learned) || asked.isEmpty()) {
      return null;
    }
    Boosting boosting = new Boosting(like.task(), classes, learned, asked, options);
    return tried(boosting, options, parts.areTimed());
  }

  private Grown tried(Boosting boosting, BoostOptions options, boolean areTimed) {
    double[] least = {Double.MAX_VALUE, Double.MAX_VALUE, Double.MAX_VALUE};
    int[] best = new int[least.length];
    boolean hasMore = true;
    while (hasMore && boosting.rounds() - best[2] < PATIENCE) {
      if (listener.isStopRequested()) {
        return null;
      }
      hasMore = boosting.round();
      if (hasMore && boosting.rounds() % TRIAL != 0) {
        continue;
      }
      double[] losses = halves(boosting.heldLosses(), areTimed);
      for (int i = 0; i < least.length; i++) {
        if (losses[i] < least[i]) {
          least[i] = losses[i];
          best[i] = boosting.rounds();
        }
      }
    }
    return new Grown(like, options, boosting, least[2], best[2], Arrays.copyOf(best, 2), areTimed);
  }

  /** The sums of the losses: of the first half, of the second, and of all. */
  private static double[] halves(double[] losses, boolean areTimed) {
    double[] sums = new double[3];
    for (int r = 0; r < losses.length; r++) {
      sums[HeldParts.half(r, losses.length, areTimed)] += losses[r];
      sums[2] += losses[r];
    }
    return sums;
  }

  private boolean canGrow(List<Instance> rows) {
    int scores = Math.max(1, like.columns());
    return !rows.isEmpty() && (long) rows.size() * scores <= MOST_SCORES;
  }

  /**
   * Trains trees on all rows; null if it is stopped or there are too many rows.
   *
   * @param classes the labels in ascending order, as they are learned
   */
  BoostedModel all(List<Instance> rows, double[] classes, BoostOptions options) {
    List<Instance> learned = prepared(rows, classes);
    if (!canGrow(learned)) {
      return null;
    }
    Boosting boosting = new Boosting(like.task(), classes, learned, List.of(), options);
    boolean hasMore = true;
    while (hasMore) {
      if (listener.isStopRequested()) {
        return null;
      }
      hasMore = boosting.round();
    }
    return boosting.model(boosting.rounds());
  }

  /** Prepared rows and labels, without those that learners would refuse. */
  private List<Instance> prepared(List<Instance> rows, double[] classes) {
    Preparation preparation = like.preparation();
    Labels labels = preparation.labels();
    boolean isSame = preparation.scaler().isIdentity();
    List<Instance> prepared = new ArrayList<>(rows.size());
    for (Instance row : rows) {
      if (isTaken(row, labels, classes)) {
        Features x =
            isSame
                ? row.features()
                : preparation.transform(row.features(), new Features.Buffer()).copy();
        prepared.add(new Instance(x, labels.transform(row.label()), row.weight()));
      }
    }
    return prepared;
  }

  private boolean isTaken(Instance row, Labels labels, double[] classes) {
    Features x = row.features();
    for (int e = 0; e < x.count(); e++) {
      if (Math.abs(x.value(e)) > Features.LARGEST) {
        return false;
      }
    }
    if (!labels.accepts(row.label())) {
      return false;
    }
    double label = labels.transform(row.label());
    return like.task().isRegression()
        ? Math.abs(label) <= LARGEST_LABEL
        : Arrays.binarySearch(classes, label) >= 0;
  }
}
