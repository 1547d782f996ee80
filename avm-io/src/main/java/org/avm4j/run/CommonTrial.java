package org.avm4j.run;

import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.avm4j.Task;
import org.avm4j.data.Instance;
import org.avm4j.pipeline.PreparedModel;

/**
 * Chooses the members of a mean by rows that all of them have held out. The members are taken in
 * the order of their losses, up to the largest number whose mean is not worse than the best mean by
 * more than chance. The error of the mean is estimated by choosing on one half of the rows and
 * measuring on the other, and vice versa, because the rows used for choosing would give too low an
 * estimate.
 */
final class CommonTrial {
  /** Maximum number of rows that are answered; more would take long and add little. */
  private static final int MOST_ROWS = 5000;

  private final List<Averaging.Member> members;
  private final List<HeldScores> scores;
  private final List<Instance> rows;
  private final boolean areTimed;
  private final TreeTraining.Grown trees;

  private CommonTrial(List<Averaging.Member> members, HeldParts parts, TreeTraining.Grown trees) {
    this.members = members;
    this.rows = rows(members.get(0), parts);
    this.areTimed = parts.areTimed();
    this.trees = trees;
    scores = members.stream().map(member -> HeldScores.of(member.before(), rows)).toList();
  }

  /**
   * Chooses members and weights.
   *
   * @param trees the trees beside the members; null if there are none
   */
  static Averaging.Choice choose(
      List<Averaging.Member> members, HeldParts parts, TreeTraining.Grown trees) {
    return new CommonTrial(members, parts, trees).choice();
  }

  /** The expected error of a single learner, by the same rule as that of a mean. */
  static Estimate estimate(PreparedModel before, HeldParts parts) {
    Averaging.Member only = new Averaging.Member(before, before, 0);
    CommonTrial trial = new CommonTrial(List.of(only), parts, null);
    return trial.estimate(before.task(), trial.losses(List.of(0)));
  }

  /** The held-out rows that are answered. */
  private static List<Instance> rows(Averaging.Member first, HeldParts parts) {
    return HeldScores.taken(first.before(), parts.some(0, MOST_ROWS));
  }

  /**
   * The fraction by which a learner lowers the loss of trees. Weights are fitted on one half of the
   * rows and measured on the other.
   */
  static double gain(Averaging.Member first, HeldParts parts, TreeTraining.Grown trees) {
    List<Instance> rows = rows(first, parts);
    HeldScores learner = HeldScores.of(first.before(), rows);
    Stacking.Rows both = Stacking.Rows.of(rows, learner, trees.honestScores(rows));
    double together = 0;
    double alone = 0;
    for (int half = 0; half < 2; half++) {
      int[] asked = places(rows.size(), half, parts.areTimed());
      int[] others = places(rows.size(), 1 - half, parts.areTimed());
      together += Stacking.by(both, others).loss(both, asked);
      alone += Stacking.treesAlone(both, others).loss(both, asked);
    }
    return alone == 0 ? 0 : 1 - together / alone;
  }

  /** The indices of all rows of a half. */
  private static int[] places(int count, int half, boolean areTimed) {
    return IntStream.range(0, count)
        .filter(r -> HeldParts.half(r, count, areTimed) == half)
        .toArray();
  }

  private Averaging.Choice choice() {
    Task task = members.get(0).before().task();
    int[] all = IntStream.range(0, rows.size()).toArray();
    List<Integer> best = best(all);
    Stacking.Rows both = both(best, trees == null ? null : trees.scores(rows));
    Stacking weights = both == null ? Stacking.LEARNERS : Stacking.by(both, all);
    return new Averaging.Choice(
        best.stream().map(members::get).toList(),
        weights,
        both == null ? 0 : weights.share(both, all),
        new Averaging.Answered(rows, both == null ? mean(best) : both.sums(weights, weights)),
        estimate(task, honestLosses()),
        estimate(task, losses(List.of(0))));
  }

  private Estimate estimate(Task task, double[] losses) {
    return areTimed ? Estimate.ofTime(task, losses) : Estimate.of(task, losses);
  }

  /** The scores of some members and of trees; null if there are no trees. */
  private Stacking.Rows both(List<Integer> some, HeldScores ofTrees) {
    return ofTrees == null ? null : Stacking.Rows.of(rows, mean(some), ofTrees);
  }

  private HeldScores mean(List<Integer> some) {
    return HeldScores.mean(some.stream().map(scores::get).toList());
  }

  /** The loss of each row, by members and weights that were chosen without it. */
  private double[] honestLosses() {
    HeldScores ofTrees = trees == null ? null : trees.honestScores(rows);
    double[] losses = new double[rows.size()];
    for (int half = 0; half < 2; half++) {
      int[] others = places(rows.size(), 1 - half, areTimed);
      List<Integer> best = best(others);
      Stacking.Rows both = both(best, ofTrees);
      double[] all = both == null ? losses(best) : losses(both, Stacking.by(both, others));
      for (int r : places(rows.size(), half, areTimed)) {
        losses[r] = all[r];
      }
    }
    return losses;
  }

  private double[] losses(Stacking.Rows both, Stacking weights) {
    return HeldScores.losses(List.of(both.sums(weights, weights)), rows);
  }

  private double[] losses(List<Integer> some) {
    return HeldScores.losses(some.stream().map(scores::get).toList(), rows);
  }

  /** The members that make the best mean on some rows; all of them if there are too few rows. */
  private List<Integer> best(int[] by) {
    List<Integer> all = IntStream.range(0, members.size()).boxed().toList();
    if (by.length < Estimate.FEWEST) {
      return all;
    }
    List<Integer> sorted =
        all.stream()
            .sorted(Comparator.comparingDouble(member -> mean(losses(List.of(member)), by)))
            .toList();
    List<double[]> losses =
        IntStream.rangeClosed(1, sorted.size())
            .mapToObj(count -> losses(sorted.subList(0, count)))
            .toList();
    double[] least = Collections.min(losses, Comparator.comparingDouble(some -> mean(some, by)));
    int count = sorted.size();
    while (isWorse(losses.get(count - 1), least, by)) {
      count--;
    }
    return sorted.subList(0, count);
  }

  private static boolean isWorse(double[] losses, double[] least, int[] by) {
    return isAboveChance(Arrays.stream(by).mapToDouble(r -> losses[r] - least[r]).toArray());
  }

  /** Whether the mean of the differences is more than two standard errors above 0. */
  static boolean isAboveChance(double[] more) {
    double mean = Arrays.stream(more).average().orElse(0);
    double squares = Arrays.stream(more).map(d -> (d - mean) * (d - mean)).sum();
    return mean > 2 * Math.sqrt(squares) / more.length;
  }

  private static double mean(double[] losses, int[] by) {
    return Arrays.stream(by).mapToDouble(r -> losses[r]).average().orElse(0);
  }
}
