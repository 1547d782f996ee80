package org.avm4j.run;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.avm4j.asking.AskOptions;
import org.avm4j.asking.LabelBudget;
import org.avm4j.eval.Metrics;
import org.avm4j.eval.Prequential;
import org.avm4j.pipeline.Pipeline;

/**
 * Options of a run: how it learns rows, and what it writes.
 *
 * @param passes the number of times that all rows are learned; 1 for a stream
 * @param shuffle whether rows are learned in a random order, by the seed of the learner
 * @param delay the number of further answers before an instance is learned
 * @param asking the label budget and how labels are chosen; empty to learn all labels
 * @param outputs what the run writes
 * @param checkpoints where and when the run is saved
 */
public record RunOptions(
    int passes,
    boolean shuffle,
    long delay,
    Optional<AskOptions> asking,
    Outputs outputs,
    Checkpoints checkpoints) {
  /**
   * What a run writes.
   *
   * @param model where the learner is saved at the end
   * @param scores where the scores are written, each from before its instance was learned
   * @param answers where the answers are written, each from before its instance was learned
   * @param standard the stream for a model, scores or answers named "-"; empty to write a file "-"
   */
  public record Outputs(
      Optional<Path> model,
      Optional<Path> scores,
      Optional<Path> answers,
      Optional<OutputStream> standard) {}

  /**
   * Where and when a run is saved.
   *
   * @param file where the run is saved periodically
   * @param every the number of instances between two checkpoints
   * @param resume whether to resume from the checkpoint if it exists
   * @param command the command line; only the same command may resume a checkpoint
   */
  public record Checkpoints(Optional<Path> file, long every, boolean resume, String command) {}

  private static final Outputs NOTHING =
      new Outputs(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

  private static final Checkpoints NEVER = new Checkpoints(Optional.empty(), 10_000, false, "");

  /** One pass in the order of the data; nothing is written. */
  public static final RunOptions DEFAULT =
      new RunOptions(1, false, 0, Optional.empty(), NOTHING, NEVER);

  /** Validates the options. */
  public RunOptions {
    if (passes < 1 || checkpoints.every < 1) {
      throw new IllegalArgumentException(
          "passes and instances between checkpoints must be at least 1: "
              + passes
              + ", "
              + checkpoints.every);
    }
    if (delay < 0) {
      throw new IllegalArgumentException("the delay of labels must be at least 0: " + delay);
    }
  }

  /** The same with a given number of passes, shuffled or not. */
  public RunOptions withPasses(int number, boolean shuffled) {
    return new RunOptions(number, shuffled, delay, asking, outputs, checkpoints);
  }

  /** The same, saving the learner to a file at the end; null for none. */
  public RunOptions withModel(Path file) {
    Optional<Path> given = Optional.ofNullable(file);
    return with(new Outputs(given, outputs.scores, outputs.answers, outputs.standard));
  }

  /** The same, writing scores to a file; null for none. */
  public RunOptions withScores(Path file) {
    Optional<Path> given = Optional.ofNullable(file);
    return with(new Outputs(outputs.model, given, outputs.answers, outputs.standard));
  }

  /** The same, writing answers to a file; null for none. */
  public RunOptions withAnswers(Path file) {
    Optional<Path> given = Optional.ofNullable(file);
    return with(new Outputs(outputs.model, outputs.scores, given, outputs.standard));
  }

  /** The same with a stream for all output named "-"; the stream is not closed. */
  public RunOptions withStandard(OutputStream stream) {
    Optional<OutputStream> given = Optional.of(stream);
    return with(new Outputs(outputs.model, outputs.scores, outputs.answers, given));
  }

  private RunOptions with(Outputs other) {
    return new RunOptions(passes, shuffle, delay, asking, other, checkpoints);
  }

  /** The same, learning an instance only after this number of further answers. */
  public RunOptions withDelay(long answersLater) {
    return new RunOptions(passes, shuffle, answersLater, asking, outputs, checkpoints);
  }

  /** The same, learning only the labels that are asked for; null for all labels. */
  public RunOptions withAsking(AskOptions within) {
    Optional<AskOptions> given = Optional.ofNullable(within);
    return new RunOptions(passes, shuffle, delay, given, outputs, checkpoints);
  }

  /**
   * The same with checkpoints.
   *
   * @param file where the run is saved; null for none
   * @param every the number of instances between two checkpoints
   * @param goOn whether to resume from the checkpoint if it exists
   * @param words the command line
   */
  public RunOptions withCheckpoint(Path file, long every, boolean goOn, String words) {
    Checkpoints given = new Checkpoints(Optional.ofNullable(file), every, goOn, words);
    return new RunOptions(passes, shuffle, delay, asking, outputs, given);
  }

  /** The evaluation of an untrained pipeline, with the delay and the label budget. */
  Prequential evaluation(Pipeline pipeline, PreparedData data, long seed) {
    boolean areNamed = !data.schema().labels().isEmpty();
    Prequential fresh = new Prequential(pipeline, Metrics.of(pipeline, areNamed), delay);
    asking.ifPresent(within -> fresh.ask(new LabelBudget(within, seed)));
    return fresh;
  }

  /** Whether output to this path goes to the standard stream. */
  boolean isStandard(Path file) {
    return outputs.standard.isPresent() && file.equals(Path.of("-"));
  }

  /** Whether the run resumes from an existing checkpoint. */
  public boolean resumes() {
    return checkpoints.resume && checkpoints.file.filter(Files::exists).isPresent();
  }
}
