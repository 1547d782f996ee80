package org.avm4j.app;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.avm4j.lab.paper.Experiment;
import org.avm4j.lab.paper.Outcome;
import org.avm4j.lab.paper.Plan;
import org.avm4j.lab.paper.Results;

/**
 * Estimates how long runs will take: as long as an earlier run of the same method on the same data,
 * else by a rough rule, corrected by the ratio of actual to estimated times so far.
 */
final class Forecast {
  private final Plan plan;
  private final Map<String, Outcome> known = new HashMap<>();
  private double guessed;
  private double needed;

  Forecast(Plan plan, Results results) throws IOException {
    this.plan = plan;
    for (Experiment experiment : plan.experiments()) {
      Optional<Outcome> outcome = results.find(experiment);
      if (outcome.isPresent()) {
        learn(experiment, outcome.get());
      }
    }
  }

  /** Learns from the time that a run took. */
  void learn(Experiment experiment, Outcome outcome) {
    if (known.putIfAbsent(key(experiment), outcome) == null) {
      guessed += guess(experiment);
      needed += seconds(outcome);
    }
  }

  /** The expected seconds for these runs on a number of threads. */
  double left(List<Experiment> open, int threads) {
    double correction = needed > 0 ? needed / guessed : 1;
    double sum = 0;
    for (Experiment experiment : open) {
      Outcome first = known.get(key(experiment));
      if (first == null) {
        sum += Math.min(correction * guess(experiment), plan.rules().limit());
      } else {
        sum += isNeeded(experiment) ? seconds(first) : 0;
      }
    }
    return sum / threads;
  }

  /** Whether a run will be needed, as far as is known now. */
  boolean isNeeded(Experiment experiment) {
    Outcome first = known.get(key(experiment));
    return experiment.seed() == 1
        || first == null
        || experiment.seed() <= plan.rules().runs(experiment.withSeed(1), first);
  }

  private static double seconds(Outcome outcome) {
    return outcome.seconds() + outcome.testSeconds();
  }

  private static String key(Experiment experiment) {
    return experiment.withSeed(1).toString();
  }

  /** A rough estimate in seconds: a microsecond per 10,000 products of features and vectors. */
  private static double guess(Experiment experiment) {
    double rows = experiment.data().rows();
    double vectors = experiment.settings().whole("budget", 300);
    double fourier = experiment.settings().whole("features", 0);
    double features = Math.min(20, experiment.data().features());
    boolean grows = !experiment.settings().has("budget") && !experiment.contender().isAvm();
    double size = fourier > 0 ? fourier : grows ? rows / 20 : vectors;
    return rows * size * (features + 10) * 1e-10;
  }
}
