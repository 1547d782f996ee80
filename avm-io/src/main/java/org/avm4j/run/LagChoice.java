package org.avm4j.run;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.avm4j.spec.LearnerSpec;

/**
 * The number of labels of earlier rows that become features of a row (lags). Each number is tried
 * with one learner, which holds out the latest rows.
 *
 * @param data the data with the chosen number of lags
 * @param count the chosen number of lags; 0 for none
 * @param error the error on the latest rows with these lags
 * @param errorWithout the error on the latest rows without lags
 */
public record LagChoice(PreparedData data, int count, Estimate error, Estimate errorWithout) {
  /** The numbers of lags to try: none, the latest label, a short trend, and 24 hours of a day. */
  public static final List<Integer> COUNTS = List.of(0, 1, 3, 24);

  /**
   * Chooses the number with the lowest error on the latest fifth of the rows; in case of a tie, the
   * smallest.
   *
   * @throws IllegalArgumentException if the labels are classes, or the rows too few
   */
  public static LagChoice of(DataSource source, LearnerSpec spec) throws IOException {
    PreparedData withLatest = PreparedData.lookWithLags(source, spec, COUNTS.get(1), 0);
    PreparedData plain = PreparedData.look(source, spec, 1);
    plain.assumeTimeOrder("--lags");
    Estimate without = error(plain, spec).orElseThrow(() -> tooFew(source));
    LagChoice best = new LagChoice(plain, 0, without, without);
    for (int count : COUNTS.subList(1, COUNTS.size())) {
      PreparedData data =
          count == COUNTS.get(1) ? withLatest : PreparedData.lookWithLags(source, spec, count, 0);
      Estimate error = error(data, spec).orElseThrow(() -> tooFew(source));
      if (error.value() < best.error.value()) {
        best = new LagChoice(data, count, error, without);
      }
    }
    return best;
  }

  private static IllegalArgumentException tooFew(DataSource source) {
    return new IllegalArgumentException(
        source
            + ": the latest fifth of the rows is too small to choose the number of lags; give it"
            + " with --lags K");
  }

  private static Optional<Estimate> error(PreparedData data, LearnerSpec spec) throws IOException {
    RunOptions once = RunOptions.DEFAULT.withPasses(1, true);
    Run run = Run.start(data, spec, once, RunListener.NONE).measureColumns();
    run.learn();
    return run.first();
  }
}
