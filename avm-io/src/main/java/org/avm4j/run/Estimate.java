package org.avm4j.run;

import java.util.List;
import java.util.Optional;
import org.avm4j.eval.Inspection;

/**
 * How good a learner is to be expected on new data: the error of its answers to the last part of
 * the first pass, each given before the row was learned. It tells about new data if the rows came
 * in a random order.
 *
 * @param name the name of the figure
 * @param value the figure
 * @param rows how many answers it is of
 */
public record Estimate(String name, double value, long rows) {
  private static final double LATER_PART = 0.75;
  private static final int FEWEST = 20;

  /**
   * The estimate of a run.
   *
   * @return nothing where there were too few rows, or the figure is no mean over rows
   */
  public static Optional<Estimate> of(RunReport run) {
    List<Inspection> curve = run.curve();
    if (curve.isEmpty() || !(isRate(run) || isRmse(run))) {
      return Optional.empty();
    }
    Inspection last = curve.get(curve.size() - 1);
    Inspection before = null;
    for (Inspection point : curve) {
      before = point.instances() <= LATER_PART * last.instances() ? point : before;
    }
    long rows = before == null ? 0 : last.instances() - before.instances();
    return rows < FEWEST ? Optional.empty() : Optional.of(between(run, before, last, rows));
  }

  private static boolean isRate(RunReport run) {
    return run.metrics().name().equals("mistakeRate");
  }

  private static boolean isRmse(RunReport run) {
    return run.metrics().name().equals("rmse");
  }

  private static Estimate between(RunReport run, Inspection before, Inspection last, long rows) {
    double power = isRmse(run) ? 2 : 1;
    double all = last.instances() * Math.pow(last.metric(), power);
    double early = before.instances() * Math.pow(before.metric(), power);
    double mean = Math.max(0, all - early) / rows;
    return new Estimate(run.metrics().name(), Math.pow(mean, 1 / power), rows);
  }
}
