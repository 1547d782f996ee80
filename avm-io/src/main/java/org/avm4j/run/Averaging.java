package org.avm4j.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.avm4j.MeanModel;
import org.avm4j.Model;
import org.avm4j.Task;
import org.avm4j.data.Instance;
import org.avm4j.eval.Metrics;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.PreparedModel;

/**
 * Several learners of the same rows, each in an order of its own. The rows that are held out come
 * last for all of them, so that the models from before these tell how good their mean is.
 */
final class Averaging {
  /** Fewer rows tell nothing of who is best. */
  static final int FEWEST = 20;

  private final List<Instance> first;
  private final List<Instance> last;
  private final AtomicReferenceArray<Member> members;
  private final AtomicLong done;

  /**
   * A model before the rows that are held out, and after them.
   *
   * @param before answers rows of the data
   * @param after answers rows behind the preparation
   */
  record Member(PreparedModel before, Model after) {
    /** Whether both know the same classes. */
    boolean isLike(Member other) {
      return Arrays.equals(before.classes(), other.before.classes())
          && Arrays.equals(after.classes(), other.after.classes());
    }
  }

  /**
   * The mean of so many learners.
   *
   * @param rows in the order in which the first member learned them
   * @param from the first row that is held out
   */
  Averaging(List<Instance> rows, int from, int learners, Member member) {
    first = rows.subList(0, from);
    last = rows.subList(from, rows.size());
    members = new AtomicReferenceArray<>(learners);
    members.set(0, member);
    done = new AtomicLong(rows.size());
  }

  /** Lets the others learn; one that is stopped does not count. */
  void learn(Supplier<Pipeline> fresh, long seed, RunListener listener, Executor executor) {
    List<CompletableFuture<Void>> started = new ArrayList<>();
    for (int k = 1; k < members.length(); k++) {
      int place = k;
      started.add(
          CompletableFuture.runAsync(
              () -> learn(fresh.get(), place, seed + place, listener), executor));
    }
    Joined.all(started);
  }

  /** One more member; none if it was stopped, or there is no memory for it. */
  private void learn(Pipeline pipeline, int place, long seed, RunListener listener) {
    try {
      members.set(place, learned(pipeline, seed, listener));
    } catch (OutOfMemoryError full) {
      members.set(place, null);
    }
  }

  private Member learned(Pipeline pipeline, long seed, RunListener listener) {
    if (!learn(pipeline, PreparedData.shuffled(first, seed), listener)) {
      return null;
    }
    PreparedModel before = pipeline.settled();
    return learn(pipeline, PreparedData.shuffled(last, seed), listener)
        ? new Member(before, pipeline.learner().settled())
        : null;
  }

  /** Learns rows unless it is stopped; those that are refused were told of before. */
  private boolean learn(Pipeline pipeline, List<Instance> rows, RunListener listener) {
    for (Instance row : rows) {
      if (listener.isStopRequested()) {
        return false;
      }
      try {
        pipeline.learn(row.features(), row.label(), row.weight());
      } catch (IllegalArgumentException refused) {
        continue;
      } finally {
        listener.advanced(done.incrementAndGet());
      }
    }
    return true;
  }

  /**
   * The mean of those that have learned all rows: of the best, and of as many as are not worse than
   * fewer on the rows that were held out.
   */
  Result result() {
    List<Instance> asked = asked();
    List<Trial> trials = whole().stream().map(member -> trial(member, asked)).toList();
    if (asked.size() >= FEWEST) {
      trials = best(trials, asked);
    }
    MeanModel after = new MeanModel(trials.stream().map(trial -> trial.member().after()).toList());
    Estimate estimate = estimate(trials, asked);
    double ofFirst = estimate(List.of(trial(members.get(0), asked)), asked).value();
    return new Result(after, new Average(trials.size(), whole().size(), estimate, ofFirst));
  }

  /** The rows held out but for those that no learner takes. */
  private List<Instance> asked() {
    Model model = members.get(0).before();
    return last.stream().filter(row -> isTaken(model, row)).toList();
  }

  private static boolean isTaken(Model model, Instance row) {
    try {
      new Task.Regression().check(row.label());
      model.score(row.features());
      return true;
    } catch (IllegalArgumentException refused) {
      return false;
    }
  }

  private static List<Trial> best(List<Trial> trials, List<Instance> asked) {
    List<Trial> sorted =
        trials.stream()
            .sorted(Comparator.comparingDouble(trial -> mean(losses(List.of(trial), asked))))
            .toList();
    List<double[]> losses =
        IntStream.rangeClosed(1, sorted.size())
            .mapToObj(count -> losses(sorted.subList(0, count), asked))
            .toList();
    double[] least = Collections.min(losses, Comparator.comparingDouble(Averaging::mean));
    int count = sorted.size();
    while (isWorse(losses.get(count - 1), least)) {
      count--;
    }
    return sorted.subList(0, count);
  }

  /** Whether losses are larger than others by more than chance: two standard errors. */
  private static boolean isWorse(double[] losses, double[] least) {
    double[] more = new double[losses.length];
    Arrays.setAll(more, i -> losses[i] - least[i]);
    double mean = mean(more);
    double squares = Arrays.stream(more).map(d -> (d - mean) * (d - mean)).sum();
    return mean > 2 * Math.sqrt(squares) / more.length;
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElse(0);
  }

  private List<Member> whole() {
    return IntStream.range(0, members.length())
        .mapToObj(members::get)
        .filter(member -> member != null && member.isLike(members.get(0)))
        .toList();
  }

  /** A member, and its scores of the rows that were held out. */
  private record Trial(Member member, double[][] scores) {}

  private static Trial trial(Member member, List<Instance> asked) {
    return new Trial(
        member,
        asked.stream().map(row -> member.before().score(row.features())).toArray(double[][]::new));
  }

  /** The squared error of a mean for each row that was held out, or 1 for a mistake. */
  private static double[] losses(List<Trial> some, List<Instance> asked) {
    Task task = some.get(0).member().before().task();
    double[] losses = new double[asked.size()];
    for (int r = 0; r < losses.length; r++) {
      double error = answer(some, r) - asked.get(r).label();
      losses[r] = task.isRegression() ? error * error : error == 0 ? 0 : 1;
    }
    return losses;
  }

  /** What the mean of some answers to a row. */
  private static double answer(List<Trial> some, int r) {
    Model model = some.get(0).member().before();
    return model.task().predict(means(some, r), model.classes());
  }

  private static double[] means(List<Trial> some, int r) {
    double[] means = new double[some.get(0).scores()[r].length];
    for (Trial trial : some) {
      for (int c = 0; c < means.length; c++) {
        means[c] += trial.scores()[r][c] / some.size();
      }
    }
    return means;
  }

  private static Estimate estimate(List<Trial> some, List<Instance> asked) {
    Metrics metrics = Metrics.of(some.get(0).member().before(), false);
    for (int r = 0; r < asked.size(); r++) {
      metrics.add(asked.get(r).label(), answer(some, r), means(some, r));
    }
    return new Estimate(metrics.name(), metrics.value(), asked.size());
  }

  /**
   * What came of it.
   *
   * @param model for rows behind the preparation
   */
  record Result(MeanModel model, Average figures) {}
}
