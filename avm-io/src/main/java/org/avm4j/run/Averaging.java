package org.avm4j.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.avm4j.MeanModel;
import org.avm4j.Model;
import org.avm4j.data.Instance;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.PreparedModel;

/**
 * Several learners of the same rows, each in an order of its own. Each holds some rows out until
 * the last, so that the models from before these tell how good the mean of all is.
 */
final class Averaging {
  private final HeldParts parts;
  private final AtomicReferenceArray<Member> members;
  private final AtomicLong done;

  /**
   * A model before the rows that it held out, and after them.
   *
   * @param before answers rows of the data
   * @param after answers rows behind the preparation
   * @param part which part of the rows was held out
   */
  record Member(PreparedModel before, Model after, int part) {
    /** Whether both know the same classes. */
    boolean isLike(Member other) {
      return Arrays.equals(before.classes(), other.before.classes())
          && Arrays.equals(after.classes(), other.after.classes());
    }
  }

  /**
   * The mean of several learners.
   *
   * @param parts which rows each of them holds out
   */
  Averaging(HeldParts parts, int learners, PreparedModel before, Model after) {
    this.parts = parts;
    members = new AtomicReferenceArray<>(learners);
    members.set(0, new Member(before, after, parts.ofLearner(0)));
    done = new AtomicLong(parts.size());
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
      members.set(place, learned(pipeline, parts.ofLearner(place), seed, listener));
    } catch (OutOfMemoryError full) {
      members.set(place, null);
    }
  }

  private Member learned(Pipeline pipeline, int part, long seed, RunListener listener) {
    if (!learn(pipeline, PreparedData.shuffled(parts.without(part), seed), listener)) {
      return null;
    }
    PreparedModel before = pipeline.settled();
    return learn(pipeline, PreparedData.shuffled(parts.part(part), seed), listener)
        ? new Member(before, pipeline.learner().settled(), part)
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

  /** The mean of those that have learned all rows, and what to expect of it. */
  Result result() {
    List<Member> whole = whole();
    Choice choice = parts.areCommon() ? CommonTrial.choose(whole, parts.part(0)) : folds(whole);
    MeanModel after = new MeanModel(choice.members().stream().map(Member::after).toList());
    Average figures =
        new Average(
            choice.members().size(), whole.size(), choice.estimate(), choice.alone().value());
    return new Result(after, figures, choice.members(), parts);
  }

  private Choice folds(List<Member> whole) {
    return new FoldTrial(whole, parts).choice();
  }

  private List<Member> whole() {
    return IntStream.range(0, members.length())
        .mapToObj(members::get)
        .filter(member -> member != null && member.isLike(members.get(0)))
        .toList();
  }

  /**
   * The members of the mean.
   *
   * @param estimate what to expect of their mean
   * @param alone what to expect of one of them
   */
  record Choice(List<Member> members, Estimate estimate, Estimate alone) {}

  /**
   * What came of it.
   *
   * @param model for rows behind the preparation
   * @param members those whose mean it is
   * @param parts the rows that they held out
   */
  record Result(MeanModel model, Average figures, List<Member> members, HeldParts parts) {
    /** The mean in the place of the one learner behind a preparation. */
    PreparedModel behind(PreparedModel one) {
      PreparedModel mean = one.with(model);
      return one.certainty()
          .map(known -> mean.with(HeldCertainty.of(known, members, parts)))
          .orElse(mean);
    }
  }
}
