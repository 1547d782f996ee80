package org.avm4j.run;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.avm4j.asking.AskOptions;

/**
 * How a run goes about its rows, and what it writes.
 *
 * @param passes how often all rows are learned; a stream has one pass
 * @param shuffle whether rows are learned in a random order, by the seed of the learner
 * @param model where the learner is saved at the end
 * @param scores where the scores of all instances go, each from before it was learned
 * @param answers where the answers to all instances go, each from before it was learned
 * @param delay how many further answers are given before an instance is learned
 * @param asking how many labels the learner gets and how they are chosen; it gets all without it
 * @param checkpoint where the whole run is saved now and then
 * @param checkpointEvery instances between two checkpoints
 * @param resume whether to go on from the checkpoint, if there is one
 * @param standard where a model, scores or answers named "-" go; without it, to a file of that name
 * @param command the command in words; a checkpoint is resumed only by the same command
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
    Draft draft = new Draft(this);
    draft.passes = number;
    draft.shuffle = shuffled;
    return draft.done();
  }

  /** The same, saving the learner there at the end; null for nowhere. */
  public RunOptions withModel(Path file) {
    Draft draft = new Draft(this);
    draft.model = Optional.ofNullable(file);
    return draft.done();
  }

  /** The same, writing scores there; null for nowhere. */
  public RunOptions withScores(Path file) {
    Draft draft = new Draft(this);
    draft.scores = Optional.ofNullable(file);
    return draft.done();
  }

  /** The same, writing answers there; null for nowhere. */
  public RunOptions withAnswers(Path file) {
    Draft draft = new Draft(this);
    draft.answers = Optional.ofNullable(file);
    return draft.done();
  }

  /** The same, learning an instance a given number of answers after its own. */
  public RunOptions withDelay(long answersLater) {
    Draft draft = new Draft(this);
    draft.delay = answersLater;
    return draft.done();
  }

  /** The same, learning only the labels that are asked for; null for all labels. */
  public RunOptions withAsking(AskOptions within) {
    Draft draft = new Draft(this);
    draft.asking = Optional.ofNullable(within);
    return draft.done();
  }

  /**
   * The same with checkpoints.
   *
   * @param file where the run is saved; null for nowhere
   * @param every instances between two checkpoints
   * @param goOn whether to go on from the checkpoint, if there is one
   * @param words what is run, in words
   */
  public RunOptions withCheckpoint(Path file, long every, boolean goOn, String words) {
    Draft draft = new Draft(this);
    draft.checkpoint = Optional.ofNullable(file);
    draft.checkpointEvery = every;
    draft.resume = goOn;
    draft.command = words;
    return draft.done();
  }

  /** The same, writing to a stream whatever is to go to "-"; the stream is not closed. */
  public RunOptions withStandard(OutputStream stream) {
    Draft draft = new Draft(this);
    draft.standard = Optional.of(stream);
    return draft.done();
  }

  /** Whether something goes to the standard stream. */
  boolean isStandard(Path file) {
    return standard.isPresent() && file.equals(Path.of("-"));
  }

  /** Whether there is a checkpoint to go on from. */
  public boolean resumes() {
    return resume && checkpoint.filter(Files::exists).isPresent();
  }

  /** Options while they are changed. */
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
