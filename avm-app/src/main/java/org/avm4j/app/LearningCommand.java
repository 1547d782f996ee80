package org.avm4j.app;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.avm4j.Task;
import org.avm4j.asking.AskOptions;
import org.avm4j.data.Instance;
import org.avm4j.lab.paper.RunFigure;
import org.avm4j.pipeline.Costs;
import org.avm4j.pipeline.LabelLags;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.run.Average;
import org.avm4j.run.DataSource;
import org.avm4j.run.Estimate;
import org.avm4j.run.LagChoice;
import org.avm4j.run.PreparedData;
import org.avm4j.run.RepeatedRuns;
import org.avm4j.run.Run;
import org.avm4j.run.RunOptions;
import org.avm4j.run.RunReport;
import org.avm4j.spec.LearnerSpec;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The base of {@code online} and {@code train}: rows are read, answered and learned. */
abstract class LearningCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Mixin InputOptions input;

  @Mixin Threads threads;

  @ArgGroup(validate = false, heading = "%nLearner:%n")
  LearnerOptions learner = new LearnerOptions();

  @ArgGroup(validate = false, heading = "%nAnomalies, with --task anomaly:%n")
  AnomalyFlags anomaly = new AnomalyFlags();

  @Mixin RowFlags rowFlags;

  @Mixin ModelFlags modelFlags;

  @Mixin OutputFlags output;

  @ArgGroup(validate = false, heading = "%nCheckpoints:%n")
  CheckpointFlags checkpoints = new CheckpointFlags();

  /** A model of fewer rows, or of less than 1 % of the data, does not replace an existing file. */
  private static final int FEWEST_ROWS = 100;

  private LearnerSpec learning;
  private final LastRows last = new LastRows();

  /** A sample of rows with labels, to compare with the final clusters. */
  private final RowSample clustered = new RowSample(10_000, true);

  private PreparedData data;
  private PrintStream reportTo = System.out;
  private volatile boolean isComplete;

  abstract Path model();

  abstract int passes();

  /** Whether files are shuffled by default. */
  abstract boolean shufflesFiles();

  /** Whether rows are shuffled. */
  boolean shuffles() {
    boolean mayShuffle =
        shufflesFiles() && !learning.isUnsupervised() && !input.source().isStream();
    return rowFlags.shuffle == null ? mayShuffle : rowFlags.shuffle;
  }

  /** Adapts the typed specification to the command. */
  LearnerSpec adapt(LearnerSpec typed) {
    return typed;
  }

  /** Whether rows are held out to measure which columns matter. */
  boolean measuresColumns() {
    return false;
  }

  /** Whether the run watches for rises of the error and their causes. */
  boolean watchesDrift() {
    return false;
  }

  /** Whether the importance of columns is measured along the stream. */
  boolean tracksColumns() {
    return false;
  }

  int runs() {
    return 1;
  }

  /** The costs of mistakes, from which a threshold is chosen; empty for none. */
  Optional<Costs> costs() {
    return Optional.empty();
  }

  /** The number of learners in the mean that becomes the model. */
  int learners() {
    return 1;
  }

  long delay() {
    return 0;
  }

  /** Rows without labels to interleave with the data. */
  Optional<DataSource> unlabelled() {
    return Optional.empty();
  }

  /** The label budget; null to learn all labels. */
  AskOptions asking() {
    return null;
  }

  @Override
  public Integer call() throws IOException {
    check();
    prepare();
    return runs() > 1 ? callRuns() : callOnce();
  }

  /** The learner that was asked for. */
  LearnerSpec learning() {
    return learning;
  }

  /** Surveys the data, and prints notes on it to standard error. */
  PreparedData prepare() throws IOException {
    WaitingNote waiting =
        new WaitingNote(input.source().isStream() && !output.quiet, rowFlags.warmUp);
    try {
      data = look();
    } finally {
      waiting.stop();
    }
    if (unlabelled().isPresent()) {
      data.comeWith(unlabelled().get());
    }
    if (Boolean.TRUE.equals(rowFlags.shuffle)) {
      data.ignoreTimeOrder();
    }
    if (costs().isPresent() && data.rules(learning).task().kind() != Task.Kind.BINARY) {
      throw new Failure(Failure.USAGE, "--cost needs data with two classes");
    }
    notes().print(shuffles(), runs() == 1, output.quiet);
    if (!output.quiet && growsTrees() && data.survey().dimension() > Average.MOST_TREE_COLUMNS) {
      System.err.printf(
          "boosted trees use at most %,d features, those that alone tell most of the label%n",
          Average.MOST_TREE_COLUMNS);
    }
    if (modelFlags.latency != null && !options().resumes()) {
      int size = modelFlags.latency.size(data.rules(learning), data);
      learning = learning.with("max-size", size);
      System.err.printf("%s means --max-size %d on this computer%n", modelFlags.latency, size);
    }
    return data;
  }

  private PreparedData look() throws IOException {
    DataSource source = input.source();
    if (rowFlags.lags == null) {
      return PreparedData.look(source, learning, rowFlags.warmUp);
    }
    if (!rowFlags.choosesLags()) {
      int count = rowFlags.lags.known().getAsInt();
      return PreparedData.lookWithLags(source, learning, count, (int) delay());
    }
    if (!output.quiet) {
      System.err.println("--lags auto tries these numbers of lags: " + LagChoice.COUNTS);
    }
    LagChoice choice = LagChoice.of(source, learning);
    if (!output.quiet) {
      System.err.println(LearningNotes.text(choice));
    }
    return choice.data();
  }

  private LearningNotes notes() {
    return new LearningNotes(data, learning);
  }

  void check() {
    learning = adapt(LearnerOptions.spec(spec));
    output.check();
    Failure.ifNotWritable(input.data, outputs());
    reportTo = Standard.besides(model(), output.scores, output.answers, output.html);
    if (modelFlags.freeze && model() == null) {
      throw new Failure(Failure.USAGE, "--freeze needs -m MODEL");
    }
    if (modelFlags.latency != null && learning.has("max-size")) {
      throw new Failure(Failure.USAGE, "--target-latency and --max-size cannot be combined");
    }
    checkpoints.check();
    checkLags();
    if (input.source().isStream() && (passes() > 1 || input.data.size() > 1)) {
      throw new Failure(
          Failure.USAGE,
          "standard input or a pipe can be read only once, and not together with other files");
    }
    if (rowFlags.warmUp < 1 || checkpoints.every < 1 || passes() < 1 || runs() < 1) {
      throw new Failure(
          Failure.USAGE, "--warm-up, --checkpoint-every, --passes and --runs must be at least 1");
    }
    if (input.reading.unlabelled && !learning.isUnsupervised()) {
      throw new Failure(
          Failure.USAGE,
          "learning needs labels; --no-label is only for predict, --task anomaly and --task"
              + " cluster");
    }
  }

  /** All files that may be written; null for those that are not wanted. */
  Path[] outputs() {
    return Stream.concat(Stream.of(model(), checkpoints.file), output.files()).toArray(Path[]::new);
  }

  private void checkLags() {
    if (rowFlags.lags == null) {
      return;
    }
    if (delay() > LabelLags.LONGEST_DELAY) {
      throw new Failure(
          Failure.USAGE, "--lags allows a --delay of at most " + LabelLags.LONGEST_DELAY);
    }
    if (rowFlags.lags.isAutomatic() && !shufflesFiles()) {
      throw new Failure(
          Failure.USAGE, "--lags auto is only for train; give the number of labels instead");
    }
    if (input.source().isStream() || learning.isUnsupervised()) {
      throw new Failure(Failure.USAGE, "--lags needs a file with labels, not standard input");
    }
    if (runs() > 1 || Boolean.TRUE.equals(rowFlags.shuffle)) {
      throw new Failure(
          Failure.USAGE,
          "--lags needs rows in their original order and cannot be combined with --runs or"
              + " --shuffle");
    }
  }

  private RunOptions options() {
    return RunOptions.DEFAULT
        .withPasses(passes(), shuffles())
        .withModel(modelFlags.freeze ? null : model())
        .withScores(output.scores)
        .withAnswers(output.answers)
        .withDelay(delay())
        .withAsking(asking())
        .withStandard(new StandardOutput())
        .withCheckpoint(checkpoints.file, checkpoints.every, checkpoints.resume, command());
  }

  /** Whether boosted trees are trained in addition to several learners. */
  boolean growsTrees() {
    return false;
  }

  /** Whether the time limit of the run is over. */
  boolean isOver() {
    return false;
  }

  private int callOnce() throws IOException {
    try (Progress progress =
        new Progress(System.err, output.quiet, spec.name(), data.rows() * passes() * learners())) {
      progress.keep(output.html == null ? null : last);
      Run run = Run.start(data, learning, options(), progress);
      if (run.pipeline().task().kind() == Task.Kind.CLUSTER && run.read() == 0) {
        progress.sample(clustered);
      }
      if (measuresColumns()) {
        run.measureColumns();
      }
      costs().ifPresent(run::decideBy);
      if (watchesDrift()) {
        run.watchDrift(event -> {});
      }
      if (tracksColumns()) {
        run.trackColumns();
      }
      try (Interrupt interrupt = new Interrupt(() -> end(run, progress))) {
        progress.stopAt(() -> interrupt.isRequested() || isOver());
        boolean isWhole = learn(run, interrupt);
        if (isWhole && learners() > 1) {
          printFirst(run, progress);
          average(run, interrupt);
        }
        isComplete = !interrupt.isRequested();
        int code = isWhole ? 0 : partialExitCode(run);
        interrupt.end();
        return code;
      }
    }
  }

  /**
   * The exit code of a run that was stopped by the user or by its time limit. If the limit was too
   * short, an existing model is kept, which a script must be able to notice.
   */
  private int partialExitCode(Run run) {
    if (!isComplete) {
      return Failure.INTERRUPTED;
    }
    long rows = data.rows() * passes();
    notes().printTimeIsOver(run.read(), rows);
    boolean isTooEarly = run.read() < Math.max(FEWEST_ROWS, rows / 100);
    if (isTooEarly) {
      run.markPartial();
    }
    return isTooEarly ? Failure.TOO_EARLY : 0;
  }

  /** Prints the error of the first model, which the user may keep by stopping now. */
  private void printFirst(Run run, Progress progress) {
    run.first()
        .filter(Estimate::isTelling)
        .ifPresent(
            first ->
                progress.say(
                    String.format(
                        "a first model is ready, with %s about %s; press Ctrl-C to keep it, or"
                            + " wait for a better one",
                        FigureText.words(first.name()),
                        FigureText.withMargin(first.name(), first.value(), first.margin()))));
  }

  /** Trains further learners; if this fails, the first model is saved before the exception. */
  private void average(Run run, Interrupt interrupt) throws IOException {
    try (WorkerPool cores = threads.cores(learners() - 1)) {
      boolean isMean =
          growsTrees() ? run.averageBesideTrees(learners(), cores) : run.average(learners(), cores);
      if (!isMean && !output.quiet) {
        System.err.println(
            "only one learner was trained: there are too few rows, or too many for the available"
                + " memory");
      }
    } catch (IOException | RuntimeException | Error failed) {
      interrupt.end();
      throw failed;
    }
  }

  /** Learns all rows; if reading fails, what was learned is reported before the exception. */
  private static boolean learn(Run run, Interrupt interrupt) throws IOException {
    try {
      return run.learn();
    } catch (IOException failed) {
      interrupt.end();
      throw failed;
    }
  }

  /** Closes and saves files, and prints the report, even if a file cannot be written. */
  private void end(Run run, Progress progress) {
    boolean isEarly = progress.isStopRequested() && !isOver() && run.read() == 0;
    if (isEarly && output.answers == null && output.scores == null) {
      progress.close();
      EarlyInterrupt.print();
      return;
    }
    if (!isComplete) {
      run.markPartial();
    }
    try {
      RunReport report = finish(run, progress);
      if (output.plot != null) {
        new RunFigure(report.metrics(), report.curve(), run.pipeline()).write(output.plot);
        if (report.band().isPresent()) {
          BandChart.plot(report.band().get(), output.plot);
        }
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private RunReport finish(Run run, Progress progress) throws IOException {
    IOException lost = null;
    Path target = model() == null ? null : run.target(model());
    try {
      run.finish();
      saveFrozen(run, target);
    } catch (IOException failed) {
      lost = failed;
    }
    progress.close();
    if (lost == null && target != null && !target.equals(model())) {
      System.err.printf(
          "the run was not completed: %s is unchanged, the partial model was saved to %s%n",
          model(), target);
    }
    RunReport report = run.finish();
    if (!Standard.isClosed(lost) && report.metrics().instances() > 0) {
      Path saved = lost == null ? target : null;
      Report words =
          new ReportBuilder(data, learning, spec, shuffles())
              .of(run, report, saved, clustered.rows(), notes().warnings(shuffles(), runs() == 1));
      if (costs().isPresent() && report.threshold().isEmpty()) {
        notes().printNoThreshold(isComplete);
      }
      print(words);
      writePage(run, report, words);
    }
    if (lost != null && Failure.isUncreatable(lost)) {
      throw new Failure(Failure.CANNOT_CREATE, target + ": cannot be created");
    }
    if (lost != null) {
      throw lost;
    }
    return report;
  }

  private void writePage(Run run, RunReport report, Report words) throws IOException {
    if (output.html != null) {
      PreparedModel model = run.model();
      new RunPage("avm " + spec.name() + " " + input.source(), model)
          .lastRows(last.labelled())
          .importance(model.preparation().background().importance().orElse(null))
          .of(report, words.rows())
          .write(output.html);
    }
  }

  private void saveFrozen(Run run, Path target) throws IOException {
    if (modelFlags.freeze && Standard.isMeant(target)) {
      run.model().write(new StandardOutput());
    } else if (modelFlags.freeze) {
      run.model().save(target);
    }
  }

  /** The command as typed, without flags that do not change the run. */
  private String command() {
    List<String> words = new ArrayList<>(spec.commandLine().getParseResult().originalArgs());
    words.removeAll(List.of("--resume", "--quiet", "-q", "--json"));
    return String.join(" ", words);
  }

  private void print(Report report) {
    reportTo.print(output.json ? report.json() : report.table());
  }

  private int callRuns() throws IOException {
    if (model() != null || checkpoints.file != null || output.hasFiles()) {
      throw new Failure(
          Failure.USAGE,
          "--runs only measures and cannot be combined with -m, --scores, --answers, --html,"
              + " --plot or --checkpoint");
    }
    List<Instance> rows = data.all();
    EarlyInterrupt.end();
    List<RunReport> reports;
    try (Progress progress =
            new Progress(System.err, output.quiet, "runs", (long) runs() * rows.size());
        WorkerPool cores = threads.cores(runs())) {
      reports = new RepeatedRuns(data, learning, options(), progress).run(rows, runs(), cores);
    }
    print(RepeatedRunsReport.of(reports));
    return 0;
  }
}
