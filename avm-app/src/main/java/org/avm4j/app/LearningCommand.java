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
import org.avm4j.table.Scaling;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
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

  @Option(
      names = "--scale",
      paramLabel = "HOW",
      description =
          "How to scale features: none; unit, to [0,1]; symmetric, to [-1,1]; standard, to mean 0"
              + " and deviation 1; numbers, as standard except for columns of 0 and 1. The"
              + " scaling is measured in a first pass over files, or in the warm-up of standard"
              + " input, and is saved in the model. Default: chosen automatically from the first"
              + " 2,048 rows; none with --update sgd, --gamma or --delta.")
  Scaling scaling;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      defaultValue = "1000",
      description =
          "Rows of standard input to examine before learning starts, or fewer if they take more"
              + " than 5 seconds. Default: ${DEFAULT-VALUE}.")
  int warmUp;

  @Option(
      names = "--shuffle",
      negatable = true,
      description =
          "Process the rows in a random order that depends on --seed. Default: train shuffles"
              + " files, online does not shuffle.")
  Boolean shuffle;

  @Option(
      names = "--scores",
      paramLabel = "FILE",
      description =
          "Write the scores of each instance before it was learned, one line per instance: a"
              + " score for each class seen so far, in ascending order of label. - is standard"
              + " output.")
  Path scores;

  @Option(
      names = "--answers",
      paramLabel = "FILE",
      description =
          "Write the answer to each instance before it was learned, one line per instance, with"
              + " or without a label. - is standard output; the report then goes to standard"
              + " error.")
  Path answers;

  @Option(
      names = "--freeze",
      description =
          "Save only the predictor, which is small but cannot continue learning. Default: save"
              + " the whole learner.")
  boolean freeze;

  @Option(
      names = "--probability",
      description =
          "Also learn class probabilities, by Platt scaling of the scores before learning. They"
              + " are reported, and saved in the model for predict --probability.")
  boolean probability;

  @Option(
      names = "--interval",
      paramLabel = "PERCENT",
      description =
          "Give each answer an interval that contains the true number, or a set of labels that"
              + " contains the true one, with this probability in percent, such as 90. The"
              + " coverage is reported. The model keeps what predict and evaluate need.")
  Double interval;

  @Option(
      names = "--target-latency",
      paramLabel = "TIME",
      description =
          "Use the largest --max-size with which an instance is answered and learned in this time"
              + " on average, such as 5us, as measured on this computer.")
  Latency latency;

  @Option(
      names = "--lags",
      paramLabel = "K",
      description =
          "For numeric labels in chronological order: use the K latest known labels as features"
              + " of each row; auto chooses K. predict and evaluate then expect the rows that"
              + " follow the training data.")
  LagCount lags;

  @Option(
      names = "--plot",
      paramLabel = "FILE.png",
      description =
          "Draw the error along the stream and the drifts found. Also draws, where they apply:"
              + " FILE-search.png, the search of automatic mode; FILE-tree.png, a tree over two"
              + " features; FILE-clusters.png, the clusters; FILE-band.png, the latest answers"
              + " with --interval. The numbers of each are in FILE.png.csv.")
  Path plot;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description =
          "Write an HTML report: error along the stream, confusion matrix, important columns (for"
              + " online, over time), the largest core points, and what automatic mode chose and"
              + " why.")
  Path html;

  @Option(names = "--json", description = "Print the results as one JSON object.")
  boolean json;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print warnings only, no progress.")
  boolean quiet;

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
    return shuffle == null ? mayShuffle : shuffle;
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
    WaitingNote waiting = new WaitingNote(input.source().isStream() && !quiet, warmUp);
    try {
      data = look();
    } finally {
      waiting.stop();
    }
    if (unlabelled().isPresent()) {
      data.comeWith(unlabelled().get());
    }
    if (Boolean.TRUE.equals(shuffle)) {
      data.ignoreTimeOrder();
    }
    if (costs().isPresent() && data.rules(learning).task().kind() != Task.Kind.BINARY) {
      throw new Failure(Failure.USAGE, "--cost needs data with two classes");
    }
    notes().print(shuffles(), runs() == 1, quiet);
    if (!quiet && growsTrees() && data.survey().dimension() > Average.MOST_TREE_COLUMNS) {
      System.err.printf(
          "boosted trees use at most %,d features, those that alone tell most of the label%n",
          Average.MOST_TREE_COLUMNS);
    }
    if (latency != null && !options().resumes()) {
      int size = latency.size(data.rules(learning), data);
      learning = learning.with("max-size", size);
      System.err.printf("%s means --max-size %d on this computer%n", latency, size);
    }
    return data;
  }

  /** Whether the number of lags is chosen from the data. */
  boolean choosesLags() {
    return lags != null && lags.isAutomatic();
  }

  private PreparedData look() throws IOException {
    DataSource source = input.source();
    if (lags == null) {
      return PreparedData.look(source, learning, warmUp);
    }
    if (!choosesLags()) {
      int count = lags.known().getAsInt();
      return PreparedData.lookWithLags(source, learning, count, (int) delay());
    }
    if (!quiet) {
      System.err.println("--lags auto tries these numbers of lags: " + LagChoice.COUNTS);
    }
    LagChoice choice = LagChoice.of(source, learning);
    if (!quiet) {
      System.err.println(LearningNotes.text(choice));
    }
    return choice.data();
  }

  private LearningNotes notes() {
    return new LearningNotes(data, learning);
  }

  void check() {
    learning = adapt(LearnerOptions.spec(spec));
    checkPlot();
    Failure.ifNotWritable(input.data, outputs());
    reportTo = Standard.besides(model(), scores, answers, html);
    if (freeze && model() == null) {
      throw new Failure(Failure.USAGE, "--freeze needs -m MODEL");
    }
    if (latency != null && learning.has("max-size")) {
      throw new Failure(Failure.USAGE, "--target-latency and --max-size cannot be combined");
    }
    checkpoints.check();
    checkLags();
    if (input.source().isStream() && (passes() > 1 || input.data.size() > 1)) {
      throw new Failure(
          Failure.USAGE,
          "standard input or a pipe can be read only once, and not together with other files");
    }
    if (warmUp < 1 || checkpoints.every < 1 || passes() < 1 || runs() < 1) {
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
    Stream<Path> plots = plot == null ? Stream.of() : RunFigure.files(plot).stream();
    return Stream.concat(Stream.of(model(), scores, answers, html, checkpoints.file), plots)
        .toArray(Path[]::new);
  }

  private void checkLags() {
    if (lags == null) {
      return;
    }
    if (delay() > LabelLags.LONGEST_DELAY) {
      throw new Failure(
          Failure.USAGE, "--lags allows a --delay of at most " + LabelLags.LONGEST_DELAY);
    }
    if (lags.isAutomatic() && !shufflesFiles()) {
      throw new Failure(
          Failure.USAGE, "--lags auto is only for train; give the number of labels instead");
    }
    if (input.source().isStream() || learning.isUnsupervised()) {
      throw new Failure(Failure.USAGE, "--lags needs a file with labels, not standard input");
    }
    if (runs() > 1 || Boolean.TRUE.equals(shuffle)) {
      throw new Failure(
          Failure.USAGE,
          "--lags needs rows in their original order and cannot be combined with --runs or"
              + " --shuffle");
    }
  }

  private void checkPlot() {
    if (plot == null) {
      return;
    }
    if (!plot.toString().endsWith(".png")) {
      throw new Failure(Failure.USAGE, "--plot must end in .png: '" + plot + "'");
    }
    if (!RunFigure.canDraw()) {
      throw new Failure(Failure.USAGE, "--plot needs a font, and this Java installation has none");
    }
  }

  private RunOptions options() {
    return RunOptions.DEFAULT
        .withPasses(passes(), shuffles())
        .withModel(freeze ? null : model())
        .withScores(scores)
        .withAnswers(answers)
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
        new Progress(System.err, quiet, spec.name(), data.rows() * passes() * learners())) {
      progress.keep(html == null ? null : last);
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
      if (!isMean && !quiet) {
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
    if (!isComplete) {
      run.markPartial();
    }
    try {
      RunReport report = finish(run, progress);
      if (plot != null) {
        new RunFigure(report.metrics(), report.curve(), run.pipeline()).write(plot);
        if (report.band().isPresent()) {
          BandChart.plot(report.band().get(), plot);
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
          new RunWords(data, learning, spec, shuffles()).of(run, report, saved, clustered.rows());
      if (costs().isPresent() && report.threshold().isEmpty()) {
        notes().printNoThreshold(isComplete);
      }
      words.addWarnings(notes().warnings(shuffles(), runs() == 1));
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
    if (html != null) {
      PreparedModel model = run.model();
      new RunPage("avm " + spec.name() + " " + input.source(), model)
          .lastRows(last.labelled())
          .importance(model.preparation().background().importance().orElse(null))
          .of(report, words.rows())
          .write(html);
    }
  }

  private void saveFrozen(Run run, Path target) throws IOException {
    if (freeze && Standard.isMeant(target)) {
      run.model().write(new StandardOutput());
    } else if (freeze) {
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
    reportTo.print(json ? report.json() : report.table());
  }

  private int callRuns() throws IOException {
    if (model() != null
        || scores != null
        || answers != null
        || html != null
        || plot != null
        || checkpoints.file != null) {
      throw new Failure(
          Failure.USAGE,
          "--runs only measures and cannot be combined with -m, --scores, --answers, --html,"
              + " --plot or --checkpoint");
    }
    List<Instance> rows = data.all();
    List<RunReport> reports;
    try (Progress progress = new Progress(System.err, quiet, "runs", (long) runs() * rows.size());
        WorkerPool cores = threads.cores(runs())) {
      reports = new RepeatedRuns(data, learning, options(), progress).run(rows, runs(), cores);
    }
    print(Report.of(reports));
    return 0;
  }
}
