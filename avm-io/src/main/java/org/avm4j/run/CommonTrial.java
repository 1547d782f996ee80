package org.avm4j.run;

import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.avm4j.Task;
import org.avm4j.data.Instance;

/**
 * Chooses the members of a mean by rows that all of them have held out: the best, and all others
 * that do not make it worse. What to expect of the mean is measured by choosing on one half of the
 * rows and asking the other half, and the other way round; the rows that chose would flatter.
 */
final class CommonTrial {
  /** Rows to ask at most: more would take long and tell little more. */
  private static final int MOST_ROWS = 5000;

  private final List<Averaging.Member> members;
  private final List<HeldScores> scores;
  private final List<Instance> rows;

  private CommonTrial(List<Averaging.Member> members, List<Instance> rows) {
    this.members = members;
    this.rows = rows;
    scores = members.stream().map(member -> HeldScores.of(member.before(), rows)).toList();
  }

  /** Chooses by rows that are in a random order. */
  static Averaging.Choice choose(List<Averaging.Member> members, List<Instance> held) {
    List<Instance> some = held.subList(0, Math.min(MOST_ROWS, held.size()));
    List<Instance> rows = HeldScores.taken(members.get(0).before(), some);
    return new CommonTrial(members, rows).choice();
  }

  private Averaging.Choice choice() {
    Task task = members.get(0).before().task();
    List<Integer> best = best(IntStream.range(0, rows.size()).toArray());
    return new Averaging.Choice(
        best.stream().map(members::get).toList(),
        Estimate.of(task, honestLosses()),
        Estimate.of(task, losses(List.of(0))));
  }

  /** Losses of members that were chosen without the row. */
  private double[] honestLosses() {
    double[] losses = new double[rows.size()];
    for (int half = 0; half < 2; half++) {
      int start = half;
      int[] asked = IntStream.range(0, rows.size()).filter(r -> r % 2 == start).toArray();
      int[] others = IntStream.range(0, rows.size()).filter(r -> r % 2 != start).toArray();
      double[] all = losses(best(others));
      for (int r : asked) {
        losses[r] = all[r];
      }
    }
    return losses;
  }

  private double[] losses(List<Integer> some) {
    return HeldScores.losses(some.stream().map(scores::get).toList(), rows);
  }

  /** The members that make the best mean by some rows; all of them where rows are too few. */
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

  /** Whether losses are larger than others by more than chance: two standard errors. */
  private static boolean isWorse(double[] losses, double[] least, int[] by) {
    double[] more = Arrays.stream(by).mapToDouble(r -> losses[r] - least[r]).toArray();
    double mean = Arrays.stream(more).average().orElse(0);
    double squares = Arrays.stream(more).map(d -> (d - mean) * (d - mean)).sum();
    return mean > 2 * Math.sqrt(squares) / more.length;
  }

  private static double mean(double[] losses, int[] by) {
    return Arrays.stream(by).mapToDouble(r -> losses[r]).average().orElse(0);
  }
}
