package org.avm4j.run;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.avm4j.OnlineLearner;
import org.avm4j.auto.AutoAvm;
import org.avm4j.data.Instance;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.spec.LearnerSpec;

/**
 * Trains further learners of a mean, each in its own order. Each holds out some rows until the end
 * and then learns them too.
 */
final class MemberTraining {
  private final PreparedData data;
  private final LearnerSpec spec;
  private final HeldParts parts;
  private final RunListener listener;
  private final Supplier<Pipeline> fresh;
  private final AtomicLong done;

  /**
   * Starts after one learner has learned all rows.
   *
   * @param areClassesNew whether that learner found classes among its held-out rows
   */
  MemberTraining(
      PreparedData data,
      LearnerSpec spec,
      HeldParts parts,
      Pipeline first,
      boolean areClassesNew,
      RunListener listener) {
    this.data = data;
    this.spec = spec;
    this.parts = parts;
    this.listener = listener;
    done = new AtomicLong(parts.size());
    fresh =
        first
            .inspect(AutoAvm.class)
            .map(auto -> auto.isShort() || areClassesNew ? settled(auto) : another(auto))
            .orElse(this::unsettled);
  }

  /** A supplier of learners that have the settings of the first one and know all classes. */
  private Supplier<Pipeline> settled(AutoAvm first) {
    OnlineLearner settled = first.fresh();
    return () -> unsettled().with(settled.copy());
  }

  /**
   * A supplier of learners that search their own settings, starting from those of the first one.
   * With many rows each learner searches on different rows, and the mean over different settings is
   * better: by 6 % on 10,000 rows of kin40k.
   */
  private Supplier<Pipeline> another(AutoAvm first) {
    return () -> unsettled().with(first.another());
  }

  private Pipeline unsettled() {
    return data.rules(spec).pipeline();
  }

  /** An untrained learner. */
  Pipeline fresh() {
    return fresh.get();
  }

  /** Counts learned rows from 0 again, because the first learner is trained again. */
  void restart() {
    done.set(0);
  }

  /**
   * Trains a learner; null if training is stopped or memory runs out.
   *
   * @param part the part of the rows that it holds out
   * @param order its number, which decides the order of its rows
   */
  Averaging.Member learned(Pipeline pipeline, int part, int order) {
    try {
      if (!learn(pipeline, parts.without(part), order)) {
        return null;
      }
      PreparedModel before = pipeline.settled();
      return learn(pipeline, parts.part(part), order)
          ? new Averaging.Member(before, pipeline.learner().settled(), part)
          : null;
    } catch (OutOfMemoryError full) {
      return null;
    }
  }

  /** Learns rows; returns false if it is stopped. Refused rows were reported before. */
  private boolean learn(Pipeline pipeline, List<Instance> rows, int order) {
    for (Instance row : PreparedData.shuffled(rows, spec.seed() + order)) {
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
}
