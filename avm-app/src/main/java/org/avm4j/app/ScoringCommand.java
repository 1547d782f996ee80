package org.avm4j.app;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.avm4j.lab.ClassificationMetrics;
import org.avm4j.lab.Metrics;
import org.avm4j.lab.RegressionMetrics;
import org.avm4j.pipeline.Pipeline;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * What {@code predict} and {@code evaluate} share: rows go by and are answered by a saved model.
 */
abstract class ScoringCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Mixin InputOptions input;

  @Option(
      names = {"-m", "--model"},
      required = true,
      paramLabel = "MODEL",
      description = "The model to use.")
  Path model;

  @Option(
      names = "--scores",
      paramLabel = "FILE",
      description = "Write one line an instance: its scores, in ascending order of label.")
  Path scores;

  @Option(
      names = {"-q", "--quiet"},
      description = "Nothing on standard error but errors.")
  boolean quiet;

  /** Takes the answer to a row; a label NaN is none. */
  abstract void answered(double label, double answer) throws IOException;

  /** Answers all rows and returns the figures over those that have a label. */
  Metrics score(Pipeline pipeline, Input rows) throws IOException {
    Metrics metrics =
        Learners.isRegression(pipeline.learner())
            ? new RegressionMetrics()
            : new ClassificationMetrics(Learners.hasLogits(pipeline.learner()));
    double[] values = new double[pipeline.columns()];
    try (ScoreFile file = scores == null ? null : new ScoreFile(scores, 0)) {
      while (rows.next()) {
        try {
          pipeline.score(rows.features(), values);
        } catch (IllegalArgumentException refused) {
          rows.reject(refused.getMessage());
          continue;
        }
        double answer = pipeline.predict(rows.features());
        if (!Double.isNaN(rows.label())) {
          metrics.add(rows.label(), answer, values);
        }
        if (file != null) {
          file.write(values);
        }
        answered(rows.label(), answer);
      }
    }
    if (rows.badLines() > 0 && !quiet) {
      System.err.printf(
          "%,d bad lines left out, the first: %s%n", rows.badLines(), rows.firstBadLine());
    }
    return metrics;
  }

  Input open(Pipeline pipeline) {
    return input.open(pipeline.schema().frozen());
  }
}
