package org.avm4j.auto;

import java.util.List;
import java.util.Optional;
import org.avm4j.data.Instance;
import org.avm4j.pipeline.Labels;

/**
 * Learners with different settings that learn the same rows, and answer each before. That takes
 * more time than a {@link RidgeTrial}, and tells how learners of full size follow the stream.
 *
 * <p>The work is done in steps, so that it can be spread over the rows of a stream.
 */
final class Finals {
  /** Ratio of losses below which other settings are clearly better. */
  private static final double CLEARLY = 0.98;

  private final List<Runner> runners;
  private final Labels labels;
  private final List<Instance> rows;
  private final double[] losses;
  private int learned;

  /**
   * Finals that have not begun.
   *
   * @param runners learners that know nothing; the first has the settings that others must beat
   * @param labels how labels are learned
   */
  Finals(List<Runner> runners, Labels labels, List<Instance> rows) {
    this.runners = List.copyOf(runners);
    this.labels = labels;
    this.rows = rows;
    losses = new double[runners.size()];
  }

  boolean isOver() {
    return learned == rows.size();
  }

  /** Lets all learn one more row; answers to the latter half count. Returns the work done. */
  long step() {
    Instance row = rows.get(learned);
    double label = labels.transform(row.label());
    long work = 0;
    for (int i = 0; i < losses.length; i++) {
      Runner runner = runners.get(i);
      double loss = runner.learn(runner.scaler().apply(row.features()), label, row.weight());
      losses[i] += 2 * learned >= rows.size() ? row.weight() * loss : 0;
      work += runner.work(row);
    }
    learned++;
    return work;
  }

  /** What is clearly better than the first, if anything is. */
  Optional<Runner> clearlyBetter() {
    int best = 0;
    for (int i = 1; i < losses.length; i++) {
      best = losses[i] < losses[best] ? i : best;
    }
    return losses[best] < CLEARLY * losses[0] ? Optional.of(runners.get(best)) : Optional.empty();
  }
}
