package org.avm4j.run;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How a run goes about its rows, and what it writes.
 *
 * @param passes how often all rows are learned; a stream has one pass
 * @param shuffle whether rows are read into memory and shuffled by the seed of the learner
 * @param model where the learner is saved at the end
 * @param scores where the scores of all instances go, each from before it was learned
 * @param answers where the answers to all instances go, each from before it was learned
 * @param delay how many further answers are given before an instance is learned
 * @param checkpoint where the whole run is saved now and then
 * @param checkpointEvery instances between two checkpoints
 * @param resume whether to go on from the checkpoint, if there is one
 * @param standard where a model, scores or answers named "-" go; without it, to a file of that name
 * @param command what is run, in words; a checkpoint goes on only with the same words
 */
public record RunOptions(
    int passes,
    boolean shuffle,
    Optional<Path> model,
    Optional<Path> scores,
    Optional<Path> answers,
    long delay,
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
          10_000,
          false,
          Optional.empty(),
          "");

  /** Refuses nonsense. */
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

  /** The same with so many passes, shuffled or not. */
  public RunOptions withPasses(int number, boolean shuffled) {
    return new RunOptions(
        number,
        shuffled,
        model,
        scores,
        answers,
        delay,
        checkpoint,
        checkpointEvery,
        resume,
        standard,
        command);
  }

  /** The same, saving the learner there at the end; null for nowhere. */
  public RunOptions withModel(Path file) {
    return new RunOptions(
        passes,
        shuffle,
        Optional.ofNullable(file),
        scores,
        answers,
        delay,
        checkpoint,
        checkpointEvery,
        resume,
        standard,
        command);
  }

  /** The same, writing scores there; null for nowhere. */
  public RunOptions withScores(Path file) {
    return new RunOptions(
        passes,
        shuffle,
        model,
        Optional.ofNullable(file),
        answers,
        delay,
        checkpoint,
        checkpointEvery,
        resume,
        standard,
        command);
  }

  /** The same, writing answers there; null for nowhere. */
  public RunOptions withAnswers(Path file) {
    return new RunOptions(
        passes,
        shuffle,
        model,
        scores,
        Optional.ofNullable(file),
        delay,
        checkpoint,
        checkpointEvery,
        resume,
        standard,
        command);
  }

  /** The same, learning an instance so many answers after its own. */
  public RunOptions withDelay(long answersLater) {
    return new RunOptions(
        passes,
        shuffle,
        model,
        scores,
        answers,
        answersLater,
        checkpoint,
        checkpointEvery,
        resume,
        standard,
        command);
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
    return new RunOptions(
        passes,
        shuffle,
        model,
        scores,
        answers,
        delay,
        Optional.ofNullable(file),
        every,
        goOn,
        standard,
        words);
  }

  /** The same, writing to a stream whatever is to go to "-"; the stream is not closed. */
  public RunOptions withStandard(OutputStream stream) {
    return new RunOptions(
        passes,
        shuffle,
        model,
        scores,
        answers,
        delay,
        checkpoint,
        checkpointEvery,
        resume,
        Optional.of(stream),
        command);
  }

  /** Whether something goes to the standard stream. */
  boolean isStandard(Path file) {
    return standard.isPresent() && file.equals(Path.of("-"));
  }

  /** Whether there is a checkpoint to go on from. */
  public boolean resumes() {
    return resume && checkpoint.filter(Files::exists).isPresent();
  }
}
