package org.avm4j.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.avm4j.codec.AtomicFile;
import org.avm4j.codec.Savable;
import org.avm4j.data.InstanceReader;
import org.avm4j.data.Schema;
import org.avm4j.eval.Prequential;
import org.avm4j.explain.DriftEvent;
import org.avm4j.explain.DriftMonitor;
import org.avm4j.explain.ImportanceHistory;
import org.avm4j.pipeline.Costs;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.spec.LearnerSpec;

/**
 * A prequential run: every row is answered and then learned, or observed if its label is missing.
 * Scores, checkpoints and the model are written as the options say, and a report is returned.
 *
 * <pre>{@code
 * LearnerSpec spec = LearnerSpec.automatic();
 * PreparedData data = PreparedData.look(DataSource.of("train.csv"), spec, 1000);
 * Run run = Run.start(data, spec, RunOptions.DEFAULT, RunListener.NONE);
 * run.learn();
 * RunReport report = run.finish();
 * }</pre>
 *
 * <p>{@link #learn} works in the thread of the caller. {@link #finish} may be called from another
 * thread, for instance while a run waits for its input; no further row is learned after that.
 */
public final class Run {
  private final PreparedData data;
  private final RunOptions options;
  private final RunListener listener;
  private final LearnerSpec spec;
  private final Checkpoint state;
  private final Pipeline pipeline;
  private final Prequential evaluation;
  private final RunLines lines;
  private volatile Averaging averaging;
  private FinalModel end;
  private final Promise promise;
  private long read;
  private RunReport report;
  private boolean isPartial;
  private Costs costs;

  private Run(
      PreparedData data,
      RunOptions options,
      RunListener listener,
      LearnerSpec spec,
      Checkpoint state)
      throws IOException {
    this.data = data;
    this.options = options;
    this.listener = listener;
    this.spec = spec;
    this.state = state;
    pipeline = state.pipeline();
    evaluation = state.evaluation();
    read = state.progress().read();
    lines = new RunLines(data, pipeline, options, state.progress());
    promise = new Promise(data, state.heldOut(), spec.seed());
  }

  /** A new run, or one that resumes from its checkpoint. */
  public static Run start(
      PreparedData data, LearnerSpec spec, RunOptions options, RunListener listener)
      throws IOException {
    Checkpoint from =
        options.resumes()
            ? Checkpoint.load(
                options.checkpoints().file().orElseThrow(),
                options.checkpoints().command(),
                data.schema())
            : Checkpoint.fresh(data, spec, options);
    data.resume(from.progress().rejected());
    options.checkpoints().file().ifPresent(AtomicFile::removeLeftovers);
    options.outputs().model().ifPresent(AtomicFile::removeLeftovers);
    return new Run(data, options, listener, spec, from);
  }

  /** The learner, for unscaled rows; do not use it while rows are learned. */
  public Pipeline pipeline() {
    return pipeline;
  }

  /**
   * Makes the run measure how much its model depends on each column, and save this in the model. It
   * is measured on the last rows of the first pass, with the model from before it learned them.
   * Must be called before rows are learned. It has no effect for a stream, whose end is not known
   * in advance, and for tasks without labels.
   */
  public Run measureColumns() {
    boolean canMeasure = !data.isStream() && !pipeline.task().isUnsupervised();
    if (canMeasure && !state.heldOut().isWanted() && read == 0) {
      state.heldOut().holdOut(data.rows(), data.timeOrder());
    }
    return this;
  }

  /**
   * Makes the run watch its answers for rises of the error and look for what changed; see {@link
   * DriftMonitor}. The events are in the report. Must be called before rows are learned. It has no
   * effect for tasks without labels.
   *
   * @param listener called with each event when it is found
   * @throws IllegalArgumentException if the run resumes from a checkpoint of a run without this
   */
  public Run watchDrift(Consumer<DriftEvent> listener) {
    if (state.watch().drift().isEmpty() && !pipeline.task().isUnsupervised()) {
      if (read > 0) {
        throw new IllegalArgumentException(
            "a run that continues from row " + read + " has not monitored drift before it");
      }
      state.watch().explain(new DriftMonitor(pipeline.task().isRegression(), names()));
    }
    state.watch().drift().ifPresent(monitor -> monitor.listen(listener));
    return this;
  }

  /**
   * Makes the run measure how much its learner depends on each column in each part of the stream;
   * see {@link ImportanceHistory}. The result is in the report. Must be called before rows are
   * learned. It has no effect for tasks without labels, and if the run resumes from a checkpoint of
   * a run without this.
   */
  public Run trackColumns() {
    boolean isNew = state.watch().columns().isEmpty() && read == 0;
    if (isNew && !pipeline.task().isUnsupervised()) {
      state.watch().measure(new ImportanceHistory(data.rows(), names(), spec.seed()));
    }
    return this;
  }

  private Schema names() {
    return pipeline.preparation().schema();
  }

  /**
   * Makes the run find the threshold between two classes at which mistakes cost least, and save it
   * in the model. This uses held-out rows, so {@link #measureColumns} must be called too.
   */
  public Run decideBy(Costs wanted) {
    costs = wanted;
    return this;
  }

  /**
   * Answers and learns all remaining rows. Only the answers of the first pass count, because later
   * passes know the rows already. If reading fails, a checkpoint is written, if the options have
   * one; {@link #finish} still reports what was learned.
   *
   * @return whether all rows were learned; false if the listener or {@link #finish} stopped the run
   */
  public boolean learn() throws IOException {
    RowStep step = new RowStep(data, listener, lines, state);
    try {
      long labelled = 0;
      long unlabelled = 0;
      for (int pass = 0; pass < options.passes(); pass++) {
        boolean isFirst = pass == 0;
        try (InstanceReader rows = rows(pass)) {
          while (rows.next()) {
            boolean isUnlabelled = isUnlabelled(rows);
            boolean isNew =
                isUnlabelled
                    ? isFirst && ++unlabelled > evaluation.unlabelled()
                    : ++labelled > read;
            if (isNew && !take(rows, step, isFirst)) {
              return false;
            } else if (!isNew && isUnlabelled) {
              data.undo();
            }
          }
        }
      }
      return true;
    } catch (IOException stopped) {
      checkpoint();
      throw stopped;
    }
  }

  /**
   * Trains further learners on the same rows, each in its own order, up to the given number of
   * learners. The model is then their mean and cannot continue to learn. Call this after {@link
   * #learn} of one pass over shuffled files, with {@link #measureColumns}; otherwise, or if the
   * rows do not fit into memory, it has no effect. A learner that the listener stops does not
   * count.
   *
   * @param executor runs a task for each learner
   * @return whether the model is a mean now
   */
  public boolean average(int learners, Executor executor) throws IOException {
    return average(learners, false, executor);
  }

  /**
   * The same with boosted trees in addition to the learners. Their weights are fitted on the
   * held-out rows.
   */
  public boolean averageBesideTrees(int learners, Executor executor) throws IOException {
    return average(learners, true, executor);
  }

  private boolean average(int learners, boolean hasTrees, Executor executor) throws IOException {
    boolean canAverage = options.shuffle() && options.passes() == 1 && state.heldOut().hasModel();
    if (!canAverage || learners < 2 || ShuffledRows.parts(data) > 1) {
      return false;
    }
    HeldParts parts = promise.parts();
    averaging = new Averaging(data, spec, state.heldOut(), parts, pipeline, learners, listener);
    if (hasTrees) {
      averaging.learnBesideTrees(executor);
    } else {
      averaging.learn(executor);
    }
    return true;
  }

  private InstanceReader rows(int pass) throws IOException {
    return options.shuffle() ? data.openShuffled(spec.seed() + pass) : data.openAll();
  }

  /** Whether a row lacks the label that it should have. */
  private boolean isUnlabelled(InstanceReader row) {
    return Double.isNaN(row.label()) && !pipeline.task().isUnsupervised();
  }

  /** Processes a row, and writes a checkpoint if it is due; returns false if the run must stop. */
  private synchronized boolean take(InstanceReader row, RowStep step, boolean isFirst)
      throws IOException {
    if (report != null) {
      return false;
    }
    if (isUnlabelled(row)) {
      step.observe(row);
    } else {
      if (isFirst) {
        state.heldOut().advance(read, pipeline);
        step.answerAndLearn(row);
      } else {
        step.learn(row);
      }
      read++;
      listener.advanced(read);
    }
    boolean isStopped = listener.isStopRequested();
    if (isStopped || (read + evaluation.unlabelled()) % options.checkpoints().every() == 0) {
      checkpoint();
    }
    return !isStopped;
  }

  private synchronized void checkpoint() throws IOException {
    if (options.checkpoints().file().isPresent() && report == null) {
      Checkpoint.Progress progress =
          new Checkpoint.Progress(
              options.checkpoints().command(),
              read,
              lines.syncScores(),
              data.rejected(),
              lines.syncAnswers());
      state.at(progress).save(options.checkpoints().file().get());
    }
  }

  /**
   * Ends the run: saves the model, closes the files, and reports. Further calls return the same
   * report, also if a file could not be written.
   */
  public synchronized RunReport finish() throws IOException {
    if (report == null) {
      evaluation.finish();
      state.watch().finish();
      pipeline.settle();
      state.heldOut().importance(spec.seed()).ifPresent(pipeline::note);
      Optional<Averaging.Result> mean = Optional.ofNullable(averaging).map(Averaging::result);
      Optional<Estimate> ofOne = promise.ofOne(options.shuffle());
      Optional<Average> figures =
          mean.map(Averaging.Result::figures)
              .map(plain -> plain.with(promise.widened(plain.estimate())));
      end = FinalModel.of(pipeline, state.heldOut(), mean, figures, ofOne, costs, options);
      LeftOut left = promise.leftOut();
      report =
          RunReport.of(evaluation, pipeline, data, left, options.shuffle(), end, state.watch());
      try {
        saveModel();
      } finally {
        lines.close();
      }
    }
    return report;
  }

  private void saveModel() throws IOException {
    if (options.outputs().model().isEmpty()) {
      return;
    }
    Path file = options.outputs().model().get();
    Savable learned = end.average().isPresent() ? end.model() : pipeline;
    if (options.isStandard(file)) {
      learned.write(options.outputs().standard().orElseThrow());
    } else {
      learned.save(target(file));
    }
  }

  /**
   * Marks a run that was stopped by an error or by the user: {@link #finish} then does not
   * overwrite an existing model.
   */
  public synchronized void markPartial() {
    isPartial = true;
  }

  /** Where a model is saved: the file, or {@code FILE.partial} if an existing one must be kept. */
  public synchronized Path target(Path file) {
    return isPartial && Files.exists(file) ? partial(file) : file;
  }

  /** The file in which an interrupted run keeps its model beside an older one. */
  public static Path partial(Path file) {
    return file.resolveSibling(file.getFileName() + ".partial");
  }

  /** Whether no row was learned or observed yet. */
  public synchronized boolean isUntouched() {
    return read + evaluation.unlabelled() == 0;
  }

  /** The number of rows with a label that were read to be learned, in all passes. */
  public synchronized long read() {
    return read;
  }

  /** The model of a run that has ended. */
  public synchronized PreparedModel model() {
    return end == null ? null : end.model();
  }

  /**
   * The estimated error of the first learner, without {@link #average}. Empty before {@link #learn}
   * has ended, or if no rows were held out.
   */
  public synchronized Optional<Estimate> first() throws IOException {
    return promise.ofOne(options.shuffle());
  }
}
