package org.avm4j.run;

import java.io.Closeable;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.avm4j.eval.Prequential;
import org.avm4j.pipeline.Pipeline;

/** The lines that a run writes for each row: its scores to one file, and its answer to another. */
final class RunLines implements Closeable {
  private final PreparedData data;
  private final Pipeline pipeline;

  /** The score file; null if scores are not written. */
  private final ScoreFile scores;

  /** The answer file; null if answers are not written. */
  private final ScoreFile answers;

  /** Opens the files of the options, and continues after the lines that a checkpoint counts. */
  RunLines(PreparedData data, Pipeline pipeline, RunOptions options, Checkpoint.Progress from)
      throws IOException {
    this.data = data;
    this.pipeline = pipeline;
    scores = open(options, options.outputs().scores(), from.scoreBytes());
    answers = open(options, options.outputs().answers(), from.answerBytes());
  }

  private static ScoreFile open(RunOptions options, Optional<Path> file, long length)
      throws IOException {
    if (file.isEmpty()) {
      return null;
    }
    return options.isStandard(file.get())
        ? new ScoreFile(new Unclosed(options.outputs().standard().orElseThrow()))
        : new ScoreFile(file.get(), length);
  }

  /** A stream that this run must not close. */
  private static final class Unclosed extends FilterOutputStream {
    Unclosed(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
      out.write(bytes, from, count);
    }

    @Override
    public void close() throws IOException {
      flush();
    }
  }

  /** Whether no lines are written. */
  boolean isEmpty() {
    return scores == null && answers == null;
  }

  /** Writes the lines of the row that was answered last. */
  void write(Prequential evaluation) throws IOException {
    if (scores != null) {
      scores.write(evaluation.scores());
    }
    if (answers != null) {
      answers.write(answerLine(evaluation));
    }
  }

  /** The answer, its certainty if that is enabled, and whether its label is asked for. */
  private String answerLine(Prequential evaluation) {
    String line = certaintyLine(evaluation);
    boolean isAsked = evaluation.isAsked();
    return evaluation.budget().isEmpty() ? line : line + (isAsked ? " ask" : " -");
  }

  private String certaintyLine(Prequential evaluation) {
    String answer = data.answerText(evaluation.answer(), pipeline.task());
    OptionalDouble level = pipeline.certaintyLevel();
    if (level.isEmpty() || Double.isNaN(evaluation.answer())) {
      return answer;
    }
    List<String> certainty =
        CertaintyText.fields(
            evaluation.prediction().orElseThrow(),
            level.getAsDouble(),
            label -> data.answerText(label, pipeline.task()));
    return Stream.concat(Stream.of(answer), certainty.stream()).collect(Collectors.joining(" "));
  }

  /** Syncs the scores to disk; returns the length of their file. */
  long syncScores() throws IOException {
    return scores == null ? 0 : scores.sync();
  }

  /** Syncs the answers to disk; returns the length of their file. */
  long syncAnswers() throws IOException {
    return answers == null ? 0 : answers.sync();
  }

  @Override
  public void close() throws IOException {
    try {
      if (scores != null) {
        scores.close();
      }
    } finally {
      if (answers != null) {
        answers.close();
      }
    }
  }
}
