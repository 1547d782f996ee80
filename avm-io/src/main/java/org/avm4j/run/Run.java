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
 * A prequential run: every row is answered, then learned, or observed if its label is missing;
 * scores, checkpoints and the model are written as asked for, and a report comes back.
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

  /** A run at its start, or where its checkpoint left it. */
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

  /** The evaluation of a pipeline that knows nothing yet. */
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
   * Lets the run measure how much its model leans on each column, and keep that in the model: on
   * the last rows of the first pass, by the model from before it learned them. To be asked for
   * before rows are learned; nothing is measured on a stream, whose end nobody knows, and of tasks
   * without labels.
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
   * Lets the run watch its answers for rises of the error and find out what changed, see {@link
   * DriftMonitor}; the events are in the report. To be asked for before rows are learned; nothing
   * is watched of tasks without labels.
   *
   * @param listener is called with each event when it is found
   * @throws IllegalArgumentException if the run goes on from a checkpoint that has not watched
   */
  public Run watchDrift(Consumer<DriftEvent> listener) {
    if (watch.drift().isEmpty() && !pipeline.task().isUnsupervised()) {
      if (read > 0) {
        throw new IllegalArgumentException(
            "a run that goes on from row " + read + " has not watched for drift before it");
      }
      watch.explain(new DriftMonitor(pipeline.task().isRegression(), names()));
    }
    watch.drift().ifPresent(monitor -> monitor.listen(listener));
    return this;
  }

  /**
   * Lets the run measure how much its learner leans on each column in each part of the stream, see
   * {@link ImportanceHistory}; it is in the report. To be asked for before rows are learned;
   * nothing is measured of tasks without labels, nor where the run goes on from a checkpoint that
   * has not measured it.
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
   * Lets the run find the threshold between two classes at which mistakes cost least, and keep it
   * in the model: by rows that are held out, for which {@link #measureColumns} must be asked for
   * too.
   */
  public Run decideBy(Costs wanted) {
    costs = wanted;
    return this;
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
   * Lets further learners learn the same rows, each in an order of its own, until the given number
   * of learners is reached. The model is then their mean, and does not learn on. To be called after
   * {@link #learn} of one pass over shuffled files, where {@link #measureColumns} was asked for;
   * nothing happens where the rows do not fit into the memory. A learner that the listener stops
   * does not count.
   *
   * @param executor runs a task for each learner
   * @return whether the model is a mean now
   */
  public boolean average(int learners, Executor executor) throws IOException {
    return average(learners, false, executor);
  }

  /**
   * The same with boosted trees beside the learners. How much both count is found by the rows that
   * were held out.
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

  /** Learners with the settings of the first one, which know all classes from the start. */
  private Supplier<Pipeline> settled(AutoAvm first) {
    OnlineLearner settled = first.fresh();
    return () -> unsettled().with(settled.copy());
  }

  /**
   * Learners that find their own settings, beginning with those of the first one. Where rows are
   * many, each learner searches on other rows, and the mean of different settings is better: by 6 %
   * on 10,000 rows of kin40k.
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

  /** Takes one row, and leaves a checkpoint if it is the last one; returns whether it is not. */
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

  /** Rows without a label add no names, so that a resumed run gives the same numbers. */
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
   * Ends the run: closes the scores, saves the model, and reports. Once it has ended, the same
   * report comes again, also where a file could not be written.
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
   * Ends a run that was stopped by an error or by the user. What it has learned is saved, but never
   * over an existing model.
   */
  public synchronized void markPartial() {
    isPartial = true;
  }

  /** Where a model is saved: the file itself, or {@code FILE.partial} beside one to be kept. */
  public synchronized Path target(Path file) {
    return isPartial && Files.exists(file)
        ? file.resolveSibling(file.getFileName() + ".partial")
        : file;
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
   * What to expect of the first learner, which is what a run comes to that ends before {@link
   * #average}; nothing before {@link #learn} has ended, and where no rows were held out.
   */
  public synchronized Optional<Estimate> first() {
    return estimateOfOne();
  }

  /** Rows that were not taken in a random order, or by time, tell nothing of new data. */
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
