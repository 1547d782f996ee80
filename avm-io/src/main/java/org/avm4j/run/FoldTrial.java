package org.avm4j.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.avm4j.Task;
import org.avm4j.data.Instance;

/**
 * Estimates the error of a mean of learners that held out different parts of the rows, for data
 * with few rows. At most two of the learners have not seen a given row, so the loss of the mean of
 * all n is extrapolated to l₁ - (1 - 1/n) v, where l₁ is the loss of one learner and v the variance
 * among learners. This is exact for squared errors, and near enough for mistakes.
 */
final class FoldTrial {
  /** A member whose loss is more standard errors above the mean than this is left out. */
  private static final double BROKEN = 4;

  private final List<Averaging.Member> members;
  private final HeldParts parts;
  private final List<TreeTraining.Grown> trees;

  /**
   * A trial of some members.
   *
   * @param trees the boosted trees for each held-out part; empty if there are none
   */
  FoldTrial(List<Averaging.Member> members, HeldParts parts, List<TreeTraining.Grown> trees) {
    this.members = members;
    this.parts = parts;
    this.trees = trees;
  }

  /**
   * The losses on one part of the rows.
   *
   * @param alone for each row, the mean of the losses of single members
   * @param pair for each row, the loss of the mean of two members; empty if there is only one
   */
  private record PartLosses(double[] alone, double[] pair) {
    boolean isPaired() {
      return pair.length > 0;
    }

    /** The expected loss of the mean of several members, for each row. */
    DoubleStream ofMean(double weight, double gain) {
      return IntStream.range(0, alone.length)
          .mapToDouble(
              r -> isPaired() ? alone[r] - weight * (alone[r] - pair[r]) : gain * alone[r]);
    }
  }

  Averaging.Choice choice() {
    List<Averaging.Member> sound = sound();
    Map<Integer, List<Averaging.Member>> byPart =
        sound.stream()
            .collect(
                Collectors.groupingBy(Averaging.Member::part, TreeMap::new, Collectors.toList()));
    List<PartScores> asked = new ArrayList<>();
    byPart.forEach((part, some) -> asked.add(scores(part, some)));
    Stacking.Rows both = both(asked);
    List<PartLosses> losses = new ArrayList<>();
    int first = 0;
    for (PartScores part : asked) {
      losses.add(losses(part, weights(both, first, part.rows.size())));
      first += part.rows.size();
    }
    double weight = 2 * (1 - 1.0 / sound.size());
    double gain = gain(losses, weight);
    List<double[]> ofMean =
        losses.stream().map(part -> part.ofMean(weight, gain).toArray()).toList();
    Task task = sound.get(0).before().task();
    int[] all = IntStream.range(0, both.rows().size()).toArray();
    Stacking ofAll = trees.isEmpty() ? Stacking.LEARNERS : Stacking.by(both, all);
    return new Averaging.Choice(
        sound,
        ofAll,
        ofAll.trees() == 0 ? 0 : ofAll.share(both, all),
        new Averaging.Answered(both.rows(), both.sums(ofAll, ofAll)),
        Estimate.ofParts(task, ofMean),
        Estimate.ofParts(task, losses.stream().map(PartLosses::alone).toList()));
  }

  /**
   * The scores of a part of the rows by the models that held it out.
   *
   * @param trees the scores of the trees; if there are none, the mean of the learners
   */
  private record PartScores(List<Instance> rows, List<HeldScores> scores, HeldScores trees) {
    /** The scores of a learner, or of a mean of learners, combined with those of the trees. */
    HeldScores beside(HeldScores learner, Stacking[] weights) {
      return Stacking.Rows.of(rows, learner, trees).sums(weights[0], weights[1]);
    }
  }

  private PartScores scores(int part, List<Averaging.Member> some) {
    List<Instance> rows = HeldScores.taken(some.get(0).before(), parts.part(part));
    List<HeldScores> scores =
        some.stream().map(member -> HeldScores.of(member.before(), rows)).toList();
    return new PartScores(
        rows, scores, trees.isEmpty() ? HeldScores.mean(scores) : honestTrees(part, rows));
  }

  /**
   * The scores of a part by the trees that were trained without it. The number of rounds is the
   * mean of those that the other parts have chosen, so that the part itself has no influence.
   */
  private HeldScores honestTrees(int part, List<Instance> rows) {
    OptionalDouble rounds =
        IntStream.range(0, trees.size())
            .filter(other -> other != part)
            .map(other -> trees.get(other).rounds())
            .average();
    return rounds.isPresent()
        ? trees.get(part).scores(rows, (int) Math.rint(rounds.getAsDouble()))
        : trees.get(part).honestScores(rows);
  }

  /** The rows of all parts with the scores of learners and trees that held them out. */
  private static Stacking.Rows both(List<PartScores> asked) {
    List<Instance> rows = asked.stream().flatMap(part -> part.rows.stream()).toList();
    double[][] learners =
        asked.stream()
            .flatMap(part -> Arrays.stream(HeldScores.mean(part.scores).scores()))
            .toArray(double[][]::new);
    double[][] ofTrees =
        asked.stream().flatMap(part -> Arrays.stream(part.trees.scores())).toArray(double[][]::new);
    return new Stacking.Rows(asked.get(0).scores.get(0).model(), rows, learners, ofTrees);
  }

  /**
   * The weights for the even and the odd rows of a part, fitted on the rows of all other parts. If
   * there is only one part, weights for its even rows are fitted on the odd rows, and vice versa.
   */
  private Stacking[] weights(Stacking.Rows both, int first, int count) {
    if (trees.isEmpty()) {
      return new Stacking[] {Stacking.LEARNERS, Stacking.LEARNERS};
    }
    if (count < both.rows().size()) {
      Stacking ofOthers = by(both, r -> r < first || r >= first + count);
      return new Stacking[] {ofOthers, ofOthers};
    }
    return new Stacking[] {by(both, r -> r % 2 == 1), by(both, r -> r % 2 == 0)};
  }

  private static Stacking by(Stacking.Rows both, IntPredicate some) {
    return Stacking.by(both, IntStream.range(0, both.rows().size()).filter(some).toArray());
  }

  private static PartLosses losses(PartScores asked, Stacking[] weights) {
    List<Instance> rows = asked.rows;
    double[] alone = new double[rows.size()];
    for (HeldScores one : asked.scores) {
      double[] losses = HeldScores.losses(List.of(asked.beside(one, weights)), rows);
      Arrays.setAll(alone, r -> alone[r] + losses[r] / asked.scores.size());
    }
    HeldScores pair = asked.scores.size() < 2 ? null : HeldScores.mean(asked.scores.subList(0, 2));
    return new PartLosses(
        alone,
        pair == null
            ? new double[0]
            : HeldScores.losses(List.of(asked.beside(pair, weights)), rows));
  }

  /** The loss of the mean of all members as a fraction of the loss of one. */
  private static double gain(List<PartLosses> losses, double weight) {
    double alone =
        sum(losses.stream().filter(PartLosses::isPaired).map(PartLosses::alone).toList());
    double pair = sum(losses.stream().filter(PartLosses::isPaired).map(PartLosses::pair).toList());
    return alone == 0 ? 1 : 1 - weight * (alone - pair) / alone;
  }

  private static double sum(List<double[]> losses) {
    return losses.stream().flatMapToDouble(Arrays::stream).sum();
  }

  /** The members without those that are far worse than the others on their held-out rows. */
  private List<Averaging.Member> sound() {
    List<double[]> losses = members.stream().map(this::losses).toList();
    double[] all = losses.stream().flatMapToDouble(Arrays::stream).toArray();
    double mean = mean(all);
    double variance = mean(DoubleStream.of(all).map(l -> (l - mean) * (l - mean)).toArray());
    List<Averaging.Member> sound = new ArrayList<>();
    for (int m = 0; m < losses.size(); m++) {
      double error = Math.sqrt(variance / Math.max(1, losses.get(m).length));
      if (mean(losses.get(m)) <= mean + BROKEN * error) {
        sound.add(members.get(m));
      }
    }
    return sound.isEmpty() ? members : sound;
  }

  private double[] losses(Averaging.Member member) {
    List<Instance> rows = HeldScores.taken(member.before(), parts.part(member.part()));
    return HeldScores.losses(List.of(HeldScores.of(member.before(), rows)), rows);
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElse(0);
  }
}
