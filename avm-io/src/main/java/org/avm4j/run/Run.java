package org.avm4j.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.avm4j.Model;
import org.avm4j.OnlineLearner;
import org.avm4j.Status;
import org.avm4j.asking.AskOptions;
import org.avm4j.asking.LabelBudget;
import org.avm4j.auto.AutoAvm;
import org.avm4j.codec.AtomicFile;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.Savable;
import org.avm4j.data.InstanceReader;
import org.avm4j.data.Schema;
import org.avm4j.eval.Metrics;
import org.avm4j.eval.Prequential;
import org.avm4j.explain.DriftEvent;
import org.avm4j.explain.DriftMonitor;
import org.avm4j.explain.ImportanceHistory;
import org.avm4j.pipeline.Costs;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.spec.LearnerSpec;
import org.avm4j.table.Scaling;

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
  private final Pipeline pipeline;
  private final Prequential evaluation;
  private final RunLines lines;
  private HeldOut heldOut;

  private final StreamWatch watch;
  private volatile Averaging averaging;
  private PreparedModel model;
  private LeftOut leftOut;
  private long read;
  private boolean isFirst;
  private RunReport report;
  private boolean isPartial;
  private Costs costs;

  private Run(
      PreparedData data,
      RunOptions options,
      RunListener listener,
      LearnerSpec spec,
      Checkpoint from)
      throws IOException {
    this.data = data;
    this.options = options;
    this.listener = listener;
    this.spec = spec;
    pipeline = from.pipeline();
    evaluation = from.evaluation();
    heldOut = from.heldOut();
    watch = from.watch();
    read = from.progress().read();
    lines = new RunLines(data, pipeline, options, from.progress());
  }

  /** A new run, or one that resumes from its checkpoint. */
  public static Run start(
      PreparedData data, LearnerSpec spec, RunOptions options, RunListener listener)
      throws IOException {
    Checkpoint from =
        options.resumes()
            ? Checkpoint.load(options.checkpoint().orElseThrow(), options.command(), data.schema())
            : fresh(data, spec, options);
    data.resume(from.progress().rejected());
    options.checkpoint().ifPresent(AtomicFile::removeLeftovers);
    options.model().ifPresent(AtomicFile::removeLeftovers);
    return new Run(data, options, listener, spec, from);
  }

  private static Checkpoint fresh(PreparedData data, LearnerSpec spec, RunOptions options) {
    Pipeline pipeline = data.rules(spec).pipeline();
    data.lags().ifPresent(pipeline::follow);
    return new Checkpoint(
        new Checkpoint.Progress(options.command(), 0, 0, 0, 0),
        pipeline,
        evaluation(pipeline, data, options.delay(), options.asking(), spec.seed()),
        null,
        new StreamWatch());
  }

  /** The evaluation of an untrained pipeline. */
  static Prequential evaluation(
      Pipeline pipeline, PreparedData data, long delay, Optional<AskOptions> asking, long seed) {
    boolean areNamed = !data.schema().labels().isEmpty();
    Prequential fresh = new Prequential(pipeline, Metrics.of(pipeline, areNamed), delay);
    asking.ifPresent(within -> fresh.ask(new LabelBudget(within, seed)));
    return fresh;
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
    if (canMeasure && heldOut == null && read == 0) {
      TimeOrder time = data.timeOrder();
      heldOut =
          time.isKnown() ? HeldOut.ofLatest(data.rows(), time.late()) : HeldOut.ofRows(data.rows());
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
    if (watch.drift().isEmpty() && !pipeline.task().isUnsupervised()) {
      if (read > 0) {
        throw new IllegalArgumentException(
            "a run that continues from row " + read + " has not monitored drift before it");
      }
      watch.explain(new DriftMonitor(pipeline.task().isRegression(), names()));
    }
    watch.drift().ifPresent(monitor -> monitor.listen(listener));
    return this;
  }

  /**
   * Makes the run measure how much its learner depends on each column in each part of the stream;
   * see {@link ImportanceHistory}. The result is in the report. Must be called before rows are
   * learned. It has no effect for tasks without labels, and if the run resumes from a checkpoint of
   * a run without this.
   */
  public Run trackColumns() {
    boolean isNew = watch.columns().isEmpty() && read == 0;
    if (isNew && !pipeline.task().isUnsupervised()) {
      watch.measure(new ImportanceHistory(data.rows(), names(), spec.seed()));
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
    try {
      long labelled = 0;
      long unlabelled = 0;
      for (int pass = 0; pass < options.passes(); pass++) {
        isFirst = pass == 0;
        try (InstanceReader rows = rows(pass)) {
          while (rows.next()) {
            boolean isUnlabelled = isUnlabelled(rows);
            boolean isNew =
                isUnlabelled
                    ? isFirst && ++unlabelled > evaluation.unlabelled()
                    : ++labelled > read;
            if (isNew && !take(rows)) {
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
    boolean isHeldOut = heldOut != null && heldOut.model() != null;
    boolean canAverage = options.shuffle() && options.passes() == 1 && isHeldOut;
    if (!canAverage || learners < 2 || ShuffledRows.parts(data) > 1) {
      return false;
    }
    leftOut = data.leftOut();
    HeldParts parts = HeldParts.of(data, spec.seed(), (int) heldOut.from());
    Model after = pipeline.learner().settled();
    averaging = new Averaging(parts, learners, heldOut.model(), after);
    boolean areClassesNew = heldOut.model().classes().length < after.classes().length;
    Supplier<Pipeline> fresh =
        pipeline
            .inspect(AutoAvm.class)
            .map(auto -> auto.isShort() || areClassesNew ? settled(auto) : another(auto))
            .orElse(this::unsettled);
    if (hasTrees) {
      averaging.learnBesideTrees(fresh, spec.seed(), listener, executor);
    } else {
      averaging.learn(fresh, spec.seed(), listener, executor);
    }
    return true;
  }

  /** A supplier of learners that have the settings of the first one and know all classes. */
  private Supplier<Pipeline> settled(AutoAvm first) {
    OnlineLearner settled = first.fresh();
    return () -> unsettled().with(settled.copy());
  }

  /**
   * A supplier of learners that search their own settings, starting from those of the first one.
   * With many rows each learner searches on different rows, and the mean over different settings is
   * better: by 6 % on 10,000 rows of kin40k.
   */
  private Supplier<Pipeline> another(AutoAvm first) {
    return () -> unsettled().with(first.another());
  }

  private Pipeline unsettled() {
    return data.rules(spec).pipeline();
  }

  private InstanceReader rows(int pass) throws IOException {
    return options.shuffle() ? data.openShuffled(spec.seed() + pass) : data.openAll();
  }

  /** Whether a row lacks the label that it should have. */
  private boolean isUnlabelled(InstanceReader row) {
    return Double.isNaN(row.label()) && !pipeline.task().isUnsupervised();
  }

  /** Processes a row, and writes a checkpoint if it is due; returns false if the run must stop. */
  private synchronized boolean take(InstanceReader row) throws IOException {
    if (report != null) {
      return false;
    }
    if (isUnlabelled(row)) {
      observe(row);
    } else {
      if (isFirst && heldOut != null) {
        heldOut.advance(read, pipeline);
      }
      learn(row);
      read++;
      listener.advanced(read);
    }
    boolean isStopped = listener.isStopRequested();
    if (isStopped || (read + evaluation.unlabelled()) % options.checkpointEvery() == 0) {
      checkpoint();
    }
    return !isStopped;
  }

  /**
   * Observes a row without a label. It adds no names, so that a resumed run gives equal results.
   */
  private void observe(InstanceReader row) throws IOException {
    boolean hasLine = !lines.isEmpty() && !data.isOther();
    try {
      if (hasLine) {
        evaluation.answerAndObserve(row.features());
      } else {
        evaluation.observe(row.features());
      }
    } catch (IllegalArgumentException refused) {
      data.reject(data.message(refused));
      return;
    }
    if (hasLine) {
      lines.write(evaluation);
    }
    data.undo();
  }

  private void learn(InstanceReader row) throws IOException {
    long before = evaluation.metrics().instances();
    try {
      if (!isFirst) {
        pipeline.learn(row.features(), row.label(), row.weight());
        return;
      }
      if (evaluation.step(row.features(), row.label(), row.weight())) {
        listener.inspected(evaluation.metrics().name(), evaluation.lastInspection());
      }
    } catch (IllegalArgumentException refused) {
      data.reject(data.message(refused));
    } finally {
      if (evaluation.metrics().instances() > before) {
        listener.answered(row.features(), row.label());
        watch.add(row, evaluation, pipeline);
        holdOut(row);
        lines.write(evaluation);
      }
    }
  }

  private void holdOut(InstanceReader row) {
    if (heldOut != null) {
      heldOut.take(row.features(), row.label());
    }
  }

  private synchronized void checkpoint() throws IOException {
    if (options.checkpoint().isPresent() && report == null) {
      Checkpoint.Progress progress =
          new Checkpoint.Progress(
              options.command(), read, lines.syncScores(), data.rejected(), lines.syncAnswers());
      new Checkpoint(progress, pipeline, evaluation, heldOut, watch)
          .save(options.checkpoint().get());
    }
  }

  /**
   * Ends the run: saves the model, closes the files, and reports. Further calls return the same
   * report, also if a file could not be written.
   */
  public synchronized RunReport finish() throws IOException {
    if (report == null) {
      evaluation.finish();
      watch.finish();
      pipeline.settle();
      Optional.ofNullable(heldOut)
          .flatMap(held -> held.importance(spec.seed()))
          .ifPresent(pipeline::note);
      Optional<Averaging.Result> mean = Optional.ofNullable(averaging).map(Averaging::result);
      Optional<ThresholdChoice> threshold = threshold(mean);
      threshold.ifPresent(found -> pipeline.decideBy(found.threshold()));
      if (mean.isEmpty()) {
        calibrate();
      }
      model = mean.map(found -> found.behind(pipeline.snapshot())).orElseGet(pipeline::snapshot);
      LeftOut left = leftOut == null ? data.leftOut() : leftOut;
      report = report(left, mean.map(Averaging.Result::figures), threshold);
      try {
        saveModel();
      } finally {
        lines.close();
      }
    }
    return report;
  }

  /** Calibrates the probabilities of a single learner of classes on the held-out rows. */
  private void calibrate() {
    boolean isHeld = heldOut != null && heldOut.model() != null && options.passes() == 1;
    if (isHeld && !pipeline.isCalibrated() && !pipeline.task().isRegression()) {
      Averaging.Answered held = heldOut.answered();
      if (held.canCalibrate()) {
        pipeline.calibrate(held.calibration(pipeline.preparation().labels()).platt());
      }
    }
  }

  /** The threshold for the given costs; empty if too few rows were held out. */
  private Optional<ThresholdChoice> threshold(Optional<Averaging.Result> mean) {
    boolean isHeld = heldOut != null && heldOut.model() != null;
    if (costs == null || !isHeld || heldOut.model().classes().length != 2) {
      return Optional.empty();
    }
    Averaging.Answered held = mean.map(Averaging.Result::held).orElseGet(heldOut::answered);
    return ThresholdChoice.of(held.rareClass(heldOut.model().classes()), costs);
  }

  private void saveModel() throws IOException {
    if (options.model().isEmpty()) {
      return;
    }
    Path file = options.model().get();
    Savable learned = report.average().isPresent() ? model : pipeline;
    if (options.isStandard(file)) {
      learned.write(options.standard().orElseThrow());
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
    return isPartial && Files.exists(file)
        ? file.resolveSibling(file.getFileName() + ".partial")
        : file;
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
    return model;
  }

  private RunReport report(
      LeftOut left, Optional<Average> average, Optional<ThresholdChoice> threshold) {
    Optional<Estimate> byScores =
        average.isPresent() ? average.map(Average::estimate) : estimateOfOne();
    Optional<Estimate> estimate =
        byScores.map(plain -> threshold.map(ThresholdChoice::estimate).orElse(plain));
    return report(evaluation, pipeline, left, data, model, options.shuffle())
        .withPromise(estimate.filter(Estimate::isTelling), average, threshold, watch);
  }

  /**
   * The estimated error of the first learner, without {@link #average}. Empty before {@link #learn}
   * has ended, or if no rows were held out.
   */
  public synchronized Optional<Estimate> first() {
    return estimateOfOne();
  }

  /** Empty if rows were not shuffled: their last rows need not be like new data. */
  private Optional<Estimate> estimateOfOne() {
    return Optional.ofNullable(options.shuffle() ? heldOut : null).flatMap(HeldOut::estimate);
  }

  /** The report of a run over rows that were shuffled in memory. */
  static RunReport report(Prequential evaluation, Pipeline pipeline, PreparedData data) {
    return report(evaluation, pipeline, data.leftOut(), data, pipeline.snapshot(), true);
  }

  private static RunReport report(
      Prequential evaluation,
      Pipeline pipeline,
      LeftOut leftOut,
      PreparedData data,
      PreparedModel model,
      boolean isShuffled) {
    Status status = evaluation.learner().status();
    long ignored = evaluation.unlabelled() - evaluation.observed();
    Scaling given = pipeline.preparation().scaler().scaling();
    String chosen = status.automatic().map(Status.Automatic::scaling).orElse(given.word());
    return new RunReport(
        evaluation.metrics(),
        evaluation.metrics().all(data.schema()::labelText),
        status,
        given == Scaling.NONE ? chosen : given.word(),
        evaluation.curve(),
        isShuffled,
        evaluation.seconds(),
        leftOut.withUnlabelled(ignored),
        evaluation.yardsticks(),
        evaluation.delay(),
        evaluation.processorSeconds(),
        ModelFile.length(pipeline),
        ModelFile.length(model),
        Optional.empty(),
        Optional.empty(),
        evaluation.coverage(),
        evaluation.budget(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        evaluation.observed());
  }
}
