package org.avm4j.app;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.avm4j.data.Scaler;
import org.avm4j.data.Scaling;
import org.avm4j.eval.Metrics;
import org.avm4j.pipeline.Calibration;
import org.avm4j.pipeline.PreparedModel;
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
  Path file;

  @Option(
      names = "--scores",
      paramLabel = "FILE",
      description = "Write one line an instance: its scores, in ascending order of label.")
  Path scores;

  @Option(
      names = {"-q", "--quiet"},
      description = "Nothing on standard error but errors.")
  boolean quiet;

  /** Takes the answer to a row; a label NaN is none, probabilities null are none. */
  abstract void answered(double label, double answer, double[] probabilities) throws IOException;

  /** Answers all rows and returns the figures over those that have a label. */
  Metrics score(PreparedModel model, Input rows) throws IOException {
    Metrics metrics = Learners.metrics(model);
    boolean needsLabels = !input.reading.unlabelled && !Learners.isAnomaly(model);
    double[] values = new double[model.columns()];
    try (ScoreFile file = scores == null ? null : new ScoreFile(scores, 0)) {
      while (rows.next()) {
        try {
          if (Double.isNaN(rows.label()) && needsLabels) {
            throw new IllegalArgumentException(
                "a label is expected; for data without labels give --no-label");
          }
          model.score(rows.features(), values);
        } catch (IllegalArgumentException refused) {
          rows.reject(refused.getMessage());
          continue;
        }
        double answer = model.predict(rows.features());
        double[] probabilities =
            model.calibration().isPresent() ? model.probabilities(rows.features()) : null;
        if (!Double.isNaN(rows.label())) {
          metrics.add(rows.label(), answer, values);
        }
        if (!Double.isNaN(rows.label()) && probabilities != null) {
          double[] classes = model.classes();
          metrics.addProbabilities(
              rows.label(), classes, probabilities, Calibration.plain(values, classes));
        }
        if (file != null) {
          file.write(values);
        }
        answered(rows.label(), answer, probabilities);
      }
    }
    rows.tellLeftOut(quiet);
    return metrics;
  }

  Input open(PreparedModel model) {
    Input rows = input.open(model.preparation().schema().frozen());
    return input.isPipe() ? rows : rows.ahead(new Scaler(Scaling.NONE));
  }
}
