package org.avm4j.run;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
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
 * @param model where the learner is saved at the end
 * @param scores where the scores are written, each from before its instance was learned
 * @param answers where the answers are written, each from before its instance was learned
 * @param delay the number of further answers before an instance is learned
 * @param asking the label budget and how labels are chosen; empty to learn all labels
 * @param checkpoint where the run is saved periodically
 * @param checkpointEvery the number of instances between two checkpoints
 * @param resume whether to resume from the checkpoint if it exists
 * @param standard the stream for a model, scores or answers named "-"; empty to write a file "-"
 * @param command the command line; only the same command may resume a checkpoint
 */
public record RunOptions(
    int passes,
    boolean shuffle,
    Optional<Path> model,
    Optional<Path> scores,
    Optional<Path> answers,
    long delay,
    Optional<AskOptions> asking,
    Optional<Path> checkpoint,
    long checkpointEvery,
    boolean resume,
    Optional<OutputStream> standard,
    String command) {
  /** One pass in the order of the data; nothing is written. */
  public static final RunOptions DEFAULT =
      new RunOptions(
          1,
          false,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          0,
          Optional.empty(),
          Optional.empty(),
          10_000,
          false,
          Optional.empty(),
          "");

  /** Validates the options. */
  public RunOptions {
    if (passes < 1 || checkpointEvery < 1) {
      throw new IllegalArgumentException(
          "passes and instances between checkpoints must be at least 1: "
              + passes
              + ", "
              + checkpointEvery);
    }
    if (delay < 0) {
      throw new IllegalArgumentException("the delay of labels must be at least 0: " + delay);
    }
  }

  /** The same with a given number of passes, shuffled or not. */
  public RunOptions withPasses(int number, boolean shuffled) {
    return with(
        draft -> {
          draft.passes = number;
          draft.shuffle = shuffled;
        });
  }

  /** The same, saving the learner to a file at the end; null for none. */
  public RunOptions withModel(Path file) {
    return with(draft -> draft.model = Optional.ofNullable(file));
  }

  /** The same, writing scores to a file; null for none. */
  public RunOptions withScores(Path file) {
    return with(draft -> draft.scores = Optional.ofNullable(file));
  }

  /** The same, writing answers to a file; null for none. */
  public RunOptions withAnswers(Path file) {
    return with(draft -> draft.answers = Optional.ofNullable(file));
  }

  /** The same, learning an instance only after this number of further answers. */
  public RunOptions withDelay(long answersLater) {
    return with(draft -> draft.delay = answersLater);
  }

  /** The same, learning only the labels that are asked for; null for all labels. */
  public RunOptions withAsking(AskOptions within) {
    return with(draft -> draft.asking = Optional.ofNullable(within));
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
    return with(
        draft -> {
          draft.checkpoint = Optional.ofNullable(file);
          draft.checkpointEvery = every;
          draft.resume = goOn;
          draft.command = words;
        });
  }

  /** The same with a stream for all output named "-"; the stream is not closed. */
  public RunOptions withStandard(OutputStream stream) {
    return with(draft -> draft.standard = Optional.of(stream));
  }

  private RunOptions with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.done();
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
    return standard.isPresent() && file.equals(Path.of("-"));
  }

  /** Whether the run resumes from an existing checkpoint. */
  public boolean resumes() {
    return resume && checkpoint.filter(Files::exists).isPresent();
  }

  /** A mutable copy of the options. */
  private static final class Draft {
    private int passes;
    private boolean shuffle;
    private Optional<Path> model;
    private Optional<Path> scores;
    private Optional<Path> answers;
    private long delay;
    private Optional<AskOptions> asking;
    private Optional<Path> checkpoint;
    private long checkpointEvery;
    private boolean resume;
    private Optional<OutputStream> standard;
    private String command;

    Draft(RunOptions from) {
      passes = from.passes;
      shuffle = from.shuffle;
      model = from.model;
      scores = from.scores;
      answers = from.answers;
      delay = from.delay;
      asking = from.asking;
      checkpoint = from.checkpoint;
      checkpointEvery = from.checkpointEvery;
      resume = from.resume;
      standard = from.standard;
      command = from.command;
    }

    RunOptions done() {
      return new RunOptions(
          passes,
          shuffle,
          model,
          scores,
          answers,
          delay,
          asking,
          checkpoint,
          checkpointEvery,
          resume,
          standard,
          command);
    }
  }
}
