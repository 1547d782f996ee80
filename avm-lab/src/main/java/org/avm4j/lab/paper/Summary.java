package org.avm4j.lab.paper;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Several runs of one method on one data set.
 *
 * @param outcomes the completed runs, or the single one that was not completed
 */
record Summary(List<Outcome> outcomes) {
  boolean isEmpty() {
    return outcomes.isEmpty();
  }

  /** How the runs ended: if the first one was not completed, none was. */
  Outcome.Status status() {
    return outcomes.get(0).status();
  }

  boolean isDone() {
    return !isEmpty() && status() == Outcome.Status.DONE;
  }

  double metric() {
    return mean(Outcome::metric);
  }

  /** The sample standard deviation; 0 for one run. */
  double deviation() {
    double mean = metric();
    double squares =
        outcomes.stream().mapToDouble(o -> (o.metric() - mean) * (o.metric() - mean)).sum();
    return outcomes.size() < 2 ? 0 : Math.sqrt(squares / (outcomes.size() - 1));
  }

  double mean(ToDoubleFunction<Outcome> of) {
    return outcomes.stream().mapToDouble(of).average().orElse(Double.NaN);
  }
}
