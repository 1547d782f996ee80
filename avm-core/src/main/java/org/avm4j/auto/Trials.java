package org.avm4j.auto;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.avm4j.data.Instance;
import org.avm4j.data.Scaler;

/**
 * Candidates that learn kept rows, one field after the other. What comes after a field is decided
 * when all of it has learned the rows.
 */
final class Trials {
  /**
   * A candidate whose loss is at most this multiple of the least one is not cut: half of the rows
   * tell no more.
   */
  private static final double NEARLY = 1.1;

  /**
   * The number of rows that are needed to tell who is worse; with 256 kin40k has 1 % more error.
   */
  private static final int FEWEST_TO_CUT = 512;

  /** A field of at most this size is not cut: the finalists of one machine all race on. */
  private static final int FEW = 3;

  private static final Comparator<Runner> BY_LOSS = Comparator.comparingDouble(Runner::meanLoss);

  private final Lineup lineup;
  private final AutoOptions options;
  private final List<Instance> rows;
  private List<Replay> field = List.of();
  private Runnable next;

  /** No trial yet, of candidates on some rows. */
  Trials(Lineup lineup, AutoOptions options, List<Instance> rows) {
    this.lineup = lineup;
    this.options = options;
    this.rows = rows;
  }

  /** Whether nothing is left to do. */
  boolean areOver() {
    return next == null;
  }

  /** Goes on by a row, or to what follows a field; returns the work done. */
  long step() {
    for (Replay trial : field) {
      if (!trial.rests()) {
        return trial.step();
      }
    }
    Runnable last = next;
    next = null;
    last.run();
    return Replay.LEAST_WORK;
  }

  /** Lets machines learn the rows, and passes on those that survive the cut, the best first. */
  void machines(List<Candidate> candidates, Consumer<List<Runner>> then) {
    List<Runner> runners = lineup.runners(candidates.stream().distinct().toList(), options, rows);
    learn(trials(runners), () -> then.accept(ranking()));
  }

  /** Lets runners that are to stay learn the rows, and passes on all of them, the best first. */
  void stay(List<Runner> runners, Consumer<List<Runner>> then) {
    field = trials(runners);
    next = () -> then.accept(ranking());
  }

  private List<Replay> trials(List<Runner> runners) {
    Map<Scaler, List<Instance>> scaled = new IdentityHashMap<>();
    return runners.stream()
        .map(r -> new Replay(r, scaled.computeIfAbsent(r.scaler(), this::transform), null))
        .toList();
  }

  private List<Runner> ranking() {
    return field.stream().map(Replay::runner).sorted(BY_LOSS).toList();
  }

  /**
   * Lets trees learn half of the rows, and the best of them the others if it is no worse than
   * {@code otherwise} was by then. Passes on that tree, or {@code otherwise} if there is none.
   *
   * @param otherwise a tree that has learned all rows, or null
   */
  void trees(List<Candidate> candidates, Replay otherwise, Consumer<Replay> then) {
    List<Replay> trials = new ArrayList<>();
    for (Candidate candidate : candidates) {
      Runner tree = lineup.tree(candidate, options, rows);
      List<Instance> scaled = transform(tree.scaler());
      trials.add(new Replay(tree, scaled, new Relevance(tree, scaled, Lineup.dimension(rows))));
    }
    trials.forEach(trial -> trial.until(rows.size() / 2));
    field = trials;
    next =
        () -> {
          double most = otherwise == null ? Double.POSITIVE_INFINITY : otherwise.earlierLoss();
          field =
              field.stream()
                  .min(Comparator.comparingDouble(Replay::loss))
                  .filter(best -> best.loss() <= most)
                  .stream()
                  .toList();
          field.forEach(trial -> trial.until(rows.size()));
          next = () -> then.accept(field.isEmpty() ? otherwise : field.get(0));
        };
  }

  /** Tells what matters to a candidate in the first half of the rows. */
  void relevance(Runner runner, Consumer<Relevance> then) {
    List<Instance> half = transform(runner.scaler()).subList(0, rows.size() / 2);
    Runner again = new Runner(runner.candidate(), runner.scaler(), runner.options());
    Relevance relevance = new Relevance(again, half, Lineup.dimension(rows));
    field = List.of(new Replay(again, half, relevance));
    next = () -> then.accept(relevance);
  }

  /** Runs a field; at half of the rows the worse half is cut, except those close to the best. */
  private void learn(List<Replay> trials, Runnable then) {
    field = trials;
    next = then;
    int half = rows.size() / 2;
    if (half >= FEWEST_TO_CUT && trials.size() > FEW) {
      trials.forEach(trial -> trial.until(half));
      next =
          () -> {
            cut();
            next = then;
          };
    }
  }

  private void cut() {
    double[] losses = field.stream().mapToDouble(Replay::loss).sorted().toArray();
    double most = Math.max(losses[(losses.length - 1) / 2], NEARLY * losses[0]);
    field = field.stream().filter(trial -> !(trial.loss() > most)).toList();
    field.forEach(trial -> trial.until(rows.size()));
  }

  private List<Instance> transform(Scaler scaler) {
    return lineup.transform(scaler, rows);
  }
}
