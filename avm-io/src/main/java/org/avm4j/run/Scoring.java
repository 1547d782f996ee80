package org.avm4j.run;

import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.avm4j.Prediction;
import org.avm4j.eval.Metrics;
import org.avm4j.pipeline.Calibration;
import org.avm4j.pipeline.PreparedModel;

/** Rows are answered by a saved model, and nothing is learned. */
public final class Scoring {
  private final PreparedModel model;
  private final Metrics metrics;
  private boolean needsLabels;
  private boolean needsKnownLabels;

  /** Answers by a model. */
  public Scoring(PreparedModel model) {
    this.model = model;
    metrics = Metrics.of(model, !model.preparation().schema().labels().isEmpty());
  }

  /** Leaves out rows without a label, and counts them. */
  public Scoring requireLabels() {
    needsLabels = true;
    return this;
  }

  /** Throws an exception if the label of a row is not a class of the model. */
  public Scoring requireKnownLabels() {
    needsKnownLabels = !model.task().isRegression();
    return this;
  }

  /** Takes the answer to a row. */
  public interface Answers {
    /**
     * A row was answered.
     *
     * @param label its label, NaN if it has none
     */
    void take(double label, Prediction answer) throws IOException;
  }

  /** All rows of a source, read by the names that the model knows. */
  public RowStream open(DataSource source) {
    RowStream rows = source.open(model.preparation().schema().frozen());
    rows.withLags(model.lags().orElse(null));
    return source.isStream() ? rows : rows.ahead();
  }

  /** Answers all rows and returns the figures over those that have a label. */
  public Metrics run(RowStream rows, Answers answers) throws IOException {
    while (rows.next()) {
      Prediction answer = answer(rows);
      if (answer != null) {
        if (Double.isNaN(rows.label())) {
          rows.takeAnswer(answer.label());
        }
        measure(rows.label(), answer);
        answers.take(rows.label(), answer);
      }
    }
    return metrics;
  }

  /** The answer; null if the row is left out. */
  private Prediction answer(RowStream row) throws IOException {
    if (needsLabels && Double.isNaN(row.label())) {
      row.leaveOutUnlabelled();
      return null;
    }
    if (needsKnownLabels && !isKnown(row.label())) {
      row.reject(
          "the label "
              + text(row.label())
              + " is none that the model knows: "
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

  private void measure(double label, Prediction answer) {
    if (Double.isNaN(label)) {
      return;
    }
    double[] scores = answer.scores();
    metrics.add(label, answer.label(), scores);
    if (answer.isCalibrated()) {
      double[] classes = answer.classes();
      double[] plain = Calibration.uncalibrated(scores, classes);
      metrics.addProbabilities(label, classes, answer.probabilities(), plain);
    }
  }
}
