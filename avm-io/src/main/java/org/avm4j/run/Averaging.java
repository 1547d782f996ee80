package org.avm4j.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.avm4j.MeanModel;
import org.avm4j.Model;
import org.avm4j.Prediction;
import org.avm4j.data.Instance;
import org.avm4j.eval.Metrics;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.PreparedModel;

/**
 * Several learners of the same rows, each in an order of its own. The rows that are held out come
 * last for all of them, so that the models from before these tell how good their mean is.
 */
final class Averaging {
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
  Averaging(List<Instance> rows, long from, int learners, Member member) {
    first = rows.subList(0, (int) from);
    last = rows.subList((int) from, rows.size());
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
              () -> members.set(place, member(fresh.get(), seed + place, listener)), executor));
    }
    try {
      started.forEach(CompletableFuture::join);
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
    }
  }

  private Member member(Pipeline pipeline, long seed, RunListener listener) {
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
   * The mean of the best of those that have learned all rows, as many as make it best on the rows
   * that were held out; nothing if that is the first alone.
   */
  Optional<Result> result() {
    List<Trial> trials =
        whole().stream()
            .map(this::trial)
            .sorted(Comparator.comparingDouble(trial -> mean(losses(List.of(trial)))))
            .toList();
    List<double[]> losses =
        IntStream.rangeClosed(1, trials.size())
            .mapToObj(count -> losses(trials.subList(0, count)))
            .toList();
    double[] least = Collections.min(losses, Comparator.comparingDouble(Averaging::mean));
    int count = trials.size();
    while (isWorse(losses.get(count - 1), least)) {
      count--;
    }
    boolean isFirstAlone = count == 1 && trials.get(0).member() == members.get(0);
    return isFirstAlone
        ? Optional.empty()
        : Optional.of(result(trials.stream().limit(count).map(Trial::member).toList()));
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

  private Trial trial(Member member) {
    return new Trial(
        member,
        last.stream().map(row -> member.before().score(row.features())).toArray(double[][]::new));
  }

  /** The squared error of a mean for each row that was held out, or 1 for a mistake. */
  private double[] losses(List<Trial> some) {
    double[] losses = new double[last.size()];
    Arrays.setAll(losses, r -> loss(some, r));
    return losses;
  }

  private double loss(List<Trial> some, int r) {
    Model model = some.get(0).member().before();
    double[] means = new double[model.columns()];
    for (Trial trial : some) {
      for (int c = 0; c < means.length; c++) {
        means[c] += trial.scores()[r][c] / some.size();
      }
    }
    double error = model.task().predict(means, model.classes()) - last.get(r).label();
    return model.task().isRegression() ? error * error : error == 0 ? 0 : 1;
  }

  private static MeanModel before(List<Member> some) {
    return new MeanModel(some.stream().map(Member::before).toList());
  }

  private Result result(List<Member> good) {
    MeanModel after = new MeanModel(good.stream().map(Member::after).toList());
    double ofFirst = estimate(members.get(0).before()).value();
    return new Result(
        after, new Average(good.size(), whole().size(), estimate(before(good)), ofFirst));
  }

  private Estimate estimate(Model model) {
    Metrics metrics = Metrics.of(model, false);
    for (Instance row : last) {
      Prediction answer = model.answer(row.features());
      metrics.add(row.label(), answer.label(), answer.scores());
    }
    return new Estimate(metrics.name(), metrics.value(), last.size());
  }

  /**
   * What came of it.
   *
   * @param model for rows behind the preparation
   */
  record Result(MeanModel model, Average figures) {}
}
