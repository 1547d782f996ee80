package org.avm4j.run;

import java.io.IOException;
import org.avm4j.Status;
import org.avm4j.data.InstanceReader;
import org.avm4j.data.Scaling;
import org.avm4j.eval.Metrics;
import org.avm4j.eval.Prequential;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.spec.LearnerSpec;

/**
 * A prequential run: every row is answered, then learned; scores, checkpoints and the model are
 * written as asked for, and a report comes back.
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
 * thread, for instance while a run waits for its input: no further row is then learned.
 */
public final class Run {
  private final PreparedData data;
  private final RunOptions options;
  private final RunListener listener;
  private final long seed;
  private final Pipeline pipeline;
  private final Prequential evaluation;
  private final ScoreFile scores;
  private long read;
  private boolean isFirst;
  private RunReport report;

  private Run(
      PreparedData data,
      RunOptions options,
      RunListener listener,
      long seed,
      Checkpoint from,
      ScoreFile scores) {
    this.data = data;
    this.options = options;
    this.listener = listener;
    this.seed = seed;
    pipeline = from.pipeline();
    evaluation = from.evaluation();
    read = from.progress().read();
    this.scores = scores;
  }

  /** A run at its start, or where its checkpoint left it. */
  public static Run start(
      PreparedData data, LearnerSpec spec, RunOptions options, RunListener listener)
      throws IOException {
    Checkpoint from =
        options.resumes()
            ? Checkpoint.load(options.checkpoint().orElseThrow(), options.command(), data.schema())
            : fresh(data, spec, options);
    data.resume(from.progress().rejected());
    ScoreFile scores =
        options.scores().isPresent()
            ? new ScoreFile(options.scores().get(), from.progress().scoreBytes())
            : null;
    return new Run(data, options, listener, spec.seed(), from, scores);
  }

  private static Checkpoint fresh(PreparedData data, LearnerSpec spec, RunOptions options) {
    Pipeline pipeline = data.rules(spec).pipeline();
    return new Checkpoint(
        new Checkpoint.Progress(options.command(), 0, 0, 0), pipeline, evaluation(pipeline, data));
  }

  /** The evaluation of a pipeline that knows nothing yet. */
  static Prequential evaluation(Pipeline pipeline, PreparedData data) {
    boolean areNamed = !data.schema().labels().isEmpty();
    return new Prequential(pipeline, Metrics.of(pipeline, areNamed));
  }

  /** The learner, for rows as they stand in the data; not to be used while rows are learned. */
  public Pipeline pipeline() {
    return pipeline;
  }

  /**
   * Answers and learns all rows that are left; only the answers of the first pass count, since
   * later ones know the rows already. Where reading fails, a checkpoint is left, if one was asked
   * for; {@link #finish} then still reports what was learned.
   *
   * @return whether all rows were learned; false if the listener or {@link #finish} stopped the run
   */
  public boolean learn() throws IOException {
    try {
      long seen = 0;
      for (int pass = 0; pass < options.passes(); pass++) {
        isFirst = pass == 0;
        try (InstanceReader rows = rows(pass)) {
          while (rows.next()) {
            if (++seen > read && !take(rows)) {
              return false;
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

  private InstanceReader rows(int pass) throws IOException {
    return options.shuffle() ? data.openShuffled(seed + pass) : data.open();
  }

  /** Learns one row, and leaves a checkpoint if it is the last one; returns whether it is not. */
  private synchronized boolean take(InstanceReader row) throws IOException {
    if (report != null) {
      return false;
    }
    learn(row);
    read++;
    listener.advanced(read);
    boolean isStopped = listener.isStopRequested();
    if (isStopped || read % options.checkpointEvery() == 0) {
      checkpoint();
    }
    return !isStopped;
  }

  private void learn(InstanceReader row) throws IOException {
    try {
      if (!isFirst) {
        pipeline.learn(row.features(), row.label(), row.weight());
        return;
      }
      if (evaluation.step(row.features(), row.label(), row.weight())) {
        listener.inspected(evaluation.metrics().name(), evaluation.lastInspection());
      }
      if (scores != null) {
        scores.write(evaluation.scores());
      }
    } catch (IllegalArgumentException refused) {
      data.reject(refused.getMessage());
    }
  }

  private synchronized void checkpoint() throws IOException {
    if (options.checkpoint().isPresent() && report == null) {
      long bytes = scores == null ? 0 : scores.sync();
      Checkpoint.Progress progress =
          new Checkpoint.Progress(options.command(), read, bytes, data.rejected());
      new Checkpoint(progress, pipeline, evaluation).save(options.checkpoint().get());
    }
  }

  /**
   * Ends the run: closes the scores, saves the model, and reports. Once it has ended, the same
   * report comes again.
   */
  public synchronized RunReport finish() throws IOException {
    if (report == null) {
      if (scores != null) {
        scores.close();
      }
      evaluation.finish();
      RunReport all = report(evaluation, pipeline, data);
      if (options.model().isPresent()) {
        pipeline.save(options.model().get());
      }
      report = all;
    }
    return report;
  }

  static RunReport report(Prequential evaluation, Pipeline pipeline, PreparedData data) {
    Status status = evaluation.learner().status();
    Scaling given = pipeline.preparation().scaler().scaling();
    String chosen = status.automatic().map(Status.Automatic::scaling).orElse(given.word());
    return new RunReport(
        evaluation.metrics(),
        evaluation.metrics().all(data.schema()::labelText),
        status,
        given == Scaling.NONE ? chosen : given.word(),
        evaluation.curve(),
        evaluation.seconds(),
        data.leftOut());
  }
}
