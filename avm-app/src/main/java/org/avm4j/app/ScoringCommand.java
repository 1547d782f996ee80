package org.avm4j.app;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.avm4j.Prediction;
import org.avm4j.eval.Metrics;
import org.avm4j.io.ReadOptions;
import org.avm4j.run.DataSource;
import org.avm4j.run.RowStream;
import org.avm4j.run.ScoreFile;
import org.avm4j.run.Scoring;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The base of {@code predict} and {@code evaluate}: rows are read and answered by a saved model.
 */
abstract class ScoringCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Mixin InputOptions input;

  @Option(
      names = {"-m", "--model"},
      paramLabel = "MODEL",
      description = "The saved model.")
  Path file;

  @Option(
      names = "--scores",
      paramLabel = "FILE",
      description =
          "Write the scores of each instance, one line per instance, in ascending order of label.")
  Path scores;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print only errors on standard error.")
  boolean quiet;

  private int widest;
  private long rows;
  private long far;
  private boolean isUnsupervised;

  void checkModel() {
    if (file == null) {
      throw new ParameterException(spec.commandLine(), "Missing required option: '--model=MODEL'");
    }
  }

  /** All files that are read, which no output may overwrite. */
  List<String> inputs() {
    return Stream.concat(input.data.stream(), Stream.ofNullable(file).map(Path::toString)).toList();
  }

  /** Receives the answer to a row; the label is NaN if there is none. */
  abstract void answered(double label, Prediction answer) throws IOException;

  /** Receives an answered row before {@link #answered}; copy the features to keep them. */
  void asked(RowStream row) throws IOException {}

  /** Whether answers are measured, which needs labels that the model knows. */
  boolean measures() {
    return false;
  }

  /** Answers all rows and returns the figures of those that have a label. */
  Metrics score(SavedModel saved, DataSource given) throws IOException {
    input.columns.checkNotLearning();
    isUnsupervised = saved.isUnsupervised();
    Scoring scoring = new Scoring(saved.model());
    DataSource source = given;
    if (measures() && !isUnsupervised) {
      scoring.requireLabels();
      scoring.requireKnownLabels();
      ReadOptions read = given.options();
      source = given.withOptions(read.withTable(read.table().withKnownLabelsOnly(true)));
    }
    DataSource asked = source;
    return Standard.lines(
        scores, source.isStream(), written -> score(scoring, saved, asked, written));
  }

  private Metrics score(Scoring scoring, SavedModel saved, DataSource source, ScoreFile written)
      throws IOException {
    try (RowStream rows = scoring.open(source)) {
      Metrics metrics = scoring.run(rows, (label, answer) -> take(rows, answer, written));
      if (!quiet) {
        InputOptions.tell(rows.notes());
        InputOptions.tell(rows.leftOut());
        warnWidth(saved);
        warnFar(saved);
      }
      return metrics;
    }
  }

  /** Warns if rows without names have more features than the model has seen. */
  private void warnWidth(SavedModel saved) {
    int known = saved.model().preparation().schema().columns().isEmpty() ? saved.width() : widest;
    if (widest > known) {
      System.err.printf(
          Locale.ROOT,
          "warning: rows have up to %,d features, but the model was trained on %,d; is it the"
              + " right model for this data?%n",
          widest,
          known);
    }
  }

  /** The number of rows that were far from everything that the model has learned. */
  long far() {
    return far;
  }

  private void warnFar(SavedModel saved) {
    if (far > 0) {
      String answer =
          saved.model().classes().length > 0
              ? "the most common class in training"
              : "the model's starting value, usually the mean";
      System.err.printf(
          Locale.ROOT,
          "warning: %,d of %,d rows are far from everything the model has learned; the answer to"
              + " them is %s%n",
          far,
          rows,
          answer);
    }
  }

  private void take(RowStream row, Prediction answer, ScoreFile written) throws IOException {
    double label = row.label();
    rows++;
    far += answer.isFar() && !isUnsupervised ? 1 : 0;
    widest = Math.max(widest, row.features().dimension());
    asked(row);
    if (written != null) {
      written.write(answer.scores());
    }
    answered(label, answer);
  }
}
