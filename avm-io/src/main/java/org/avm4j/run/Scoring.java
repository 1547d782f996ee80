package org.avm4j.run;

import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.avm4j.Prediction;
import org.avm4j.eval.Metrics;
import org.avm4j.pipeline.Calibration;
import org.avm4j.pipeline.PreparedModel;

/** Answers rows by a saved model, without learning. */
public final class Scoring {
  private final PreparedModel model;
  private final Metrics metrics;
  private boolean needsLabels;
  private boolean needsKnownLabels;

  /** Answers rows by this model. */
  public Scoring(PreparedModel model) {
    this.model = model;
    metrics = Metrics.of(model, !model.preparation().schema().labels().isEmpty());
  }

  /** Skips and counts rows without a label. */
  public Scoring requireLabels() {
    needsLabels = true;
    return this;
  }

  /** Rejects rows whose label is not a class of the model. */
  public Scoring requireKnownLabels() {
    needsKnownLabels = !model.task().isRegression();
    return this;
  }

  /** Receives the answers. */
  public interface Answers {
    /**
     * Receives the answer to a row.
     *
     * @param label its label, NaN if it has none
     */
    void take(double label, Prediction answer) throws IOException;
  }

  /** Opens the rows of a source, read by the schema of the model. */
  public RowStream open(DataSource source) {
    RowStream rows = source.open(model.preparation().schema().frozen());
    rows.withLags(model.lags().orElse(null));
    return source.isStream() ? rows : rows.ahead();
  }

  /** Answers all rows and returns the figures of those that have a label. */
  public Metrics run(RowStream rows, Answers answers) throws IOException {
    while (rows.next()) {
      Prediction answer = answer(rows);
      if (answer != null) {
        if (Double.isNaN(rows.label())) {
          rows.takeAnswer(answer.label());
        } else {
          measure(metrics, rows.label(), answer);
        }
        answers.take(rows.label(), answer);
      }
    }
    return metrics;
  }

  /** The answer; null if the row is skipped. */
  private Prediction answer(RowStream row) throws IOException {
    if (needsLabels && Double.isNaN(row.label())) {
      row.leaveOutUnlabelled();
      return null;
    }
    if (needsKnownLabels && !isKnown(row.label())) {
      row.reject(
          "the label "
              + text(row.label())
              + " is not known to the model, which knows "
              + Arrays.stream(model.classes())
                  .limit(20)
                  .mapToObj(this::text)
                  .collect(Collectors.joining(", ")));
      return null;
    }
    try {
      return model.answer(row.features());
    } catch (IllegalArgumentException refused) {
      row.reject(PreparedData.message(refused, model.preparation().schema()));
      return null;
    }
  }

  private boolean isKnown(double label) {
    return Double.isNaN(label) || Arrays.stream(model.classes()).anyMatch(one -> one == label);
  }

  private String text(double label) {
    return model.preparation().schema().labelText(label);
  }

  /** Adds an answer, and its probabilities if it has any, to figures. */
  static void measure(Metrics metrics, double label, Prediction answer) {
    double[] scores = answer.scores();
    metrics.add(label, answer.label(), scores);
    if (answer.isCalibrated()) {
      double[] classes = answer.classes();
      double[] plain = Calibration.uncalibrated(scores, classes);
      metrics.addProbabilities(label, classes, answer.probabilities(), plain);
    }
  }
}
