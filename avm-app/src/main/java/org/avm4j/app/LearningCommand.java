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
          "Scale features: none, unit to [0,1], symmetric to [-1,1], standard to mean 0 and"
              + " deviation 1, numbers as standard but for columns of 0 and 1; by a first pass over"
              + " files, by the warm-up of standard input. Kept in the model. Default: whichever"
              + " wins, from the first 2,048 rows; none by sgd, or where --gamma or --delta is"
              + " given.")
  Scaling scaling;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      defaultValue = "1000",
      description =
          "Rows of standard input to look at before learning from them, or fewer where they come"
              + " slowly: what came in 5 seconds. Default: ${DEFAULT-VALUE}.")
  int warmUp;

  @Option(
      names = "--shuffle",
      negatable = true,
      description =
          "Take the rows in a random order by --seed. Default: train does with files, online takes"
              + " rows as they come.")
  Boolean shuffle;

  @Option(
      names = "--scores",
      paramLabel = "FILE",
      description =
          "Write one line an instance: the scores before it was learned, one for each class seen so"
              + " far in ascending order of label. - is standard output.")
  Path scores;

  @Option(
      names = "--answers",
      paramLabel = "FILE",
      description =
          "Write one line an instance, also without a label: the answer before it was learned, as"
              + " soon as it is given. - is standard output, then the report goes to standard"
              + " error.")
  Path answers;

  @Option(
      names = "--freeze",
      description =
          "Save only the predictor, which is small and does not learn on; else the whole learner.")
  boolean freeze;

  @Option(
      names = "--probability",
      description =
          "Learn, beside the scores, how likely each class is: Platt scaling of the scores before"
              + " learning. Reported, and kept in the model for predict --probability.")
  boolean probability;

  @Option(
      names = "--interval",
      paramLabel = "PERCENT",
      description =
          "Say with each answer how sure it is: an interval that holds the true number, or a set of"
              + " labels that holds the true one, that often, such as 90. In --answers, reported,"
              + " and kept in the model for predict and evaluate.")
  Double interval;

  @Option(
      names = "--target-latency",
      paramLabel = "TIME",
      description =
          "Instead of --max-size: the largest number of core points with which an instance is"
              + " answered and learned in that time on average, such as 5us, by measurement on this"
              + " computer.")
  Latency latency;

  @Option(
      names = "--lags",
      paramLabel = "K",
      description =
          "For numbers in the order of time: each row also sees the K latest known labels; auto"
              + " chooses K. Kept in the model: predict and evaluate take rows as those that"
              + " follow.")
  LagCount lags;

  @Option(
      names = "--plot",
      paramLabel = "FILE.png",
      description =
          "Draw the error along the stream, with the drifts that were found; of automatic mode also"
              + " the search for settings, to FILE-search.png; of two features also the tree, to"
              + " FILE-tree.png; the clusters of --task cluster, to FILE-clusters.png; with"
              + " --interval of numbers the latest answers, to FILE-band.png. The numbers stand"
              + " beside them, in FILE.png.csv.")
  Path plot;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description =
          "Write one page to look at: the error along the stream, what was taken for what, which"
              + " columns matter, of online also when, the largest core points, what was chosen and"
              + " why.")
  Path html;

  @Option(names = "--json", description = "Print the results as one JSON object.")
  boolean json;

  @Option(
      names = {"-q", "--quiet"},
      description = "No progress.")
  boolean quiet;

  @ArgGroup(validate = false, heading = "%nCheckpoints:%n")
  CheckpointFlags checkpoints = new CheckpointFlags();

  /** A model of fewer rows, or of less than 1 % of the data, takes the place of no other. */
  private static final int FEWEST_ROWS = 100;

  private LearnerSpec learning;
  private final LastRows last = new LastRows();

  /** Rows with labels, to compare the clusters of the end with. */
  private final RowSample clustered = new RowSample(10_000, true);

  private PreparedData data;
  private PrintStream reportTo = System.out;
  private volatile boolean isComplete;

  abstract Path model();

  abstract int passes();

  /** Whether files are shuffled unless it is said otherwise. */
  abstract boolean shufflesFiles();

  /** Whether rows are shuffled. */
  boolean shuffles() {
    boolean mayShuffle =
        shufflesFiles() && !learning.isUnsupervised() && !input.source().isStream();
    return shuffle == null ? mayShuffle : shuffle;
  }

  /** The learner that is meant by what was typed. */
  LearnerSpec adapt(LearnerSpec typed) {
    return typed;
  }

  /** Whether rows are held out to tell which columns matter. */
  boolean measuresColumns() {
    return false;
  }

  /** Whether rises of the error are explained. */
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

  /** The costs of mistakes, if the model is to have a threshold. */
  Optional<Costs> costs() {
    return Optional.empty();
  }

  /** How many learners the model is the mean of. */
  int learners() {
    return 1;
  }

  long delay() {
    return 0;
  }

  /** Rows without labels that come between those of the data. */
  Optional<DataSource> unlabelled() {
    return Optional.empty();
  }

  /** How many labels are asked for; null if all of them are learned. */
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

  /** Looks at the data, and says on standard error what was found out. */
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
          "boosted trees use %,d of the %,d features, those that alone tell most of the label%n",
          Average.MOST_TREE_COLUMNS, data.survey().dimension());
    }
    if (latency != null && !options().resumes()) {
      int size = latency.size(data.rules(learning), data);
      learning = learning.with("max-size", size);
      System.err.printf("%s means --max-size %d on this computer%n", latency, size);
    }
    return data;
  }

  /** Whether the number of lags is to be found by trials. */
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
      throw new Failure(Failure.USAGE, "--freeze needs -m MODEL, where the predictor is saved");
    }
    if (latency != null && learning.has("max-size")) {
      throw new Failure(Failure.USAGE, "--target-latency finds the size, give no --max-size");
    }
    checkpoints.check();
    checkLags();
    if (input.source().isStream() && (passes() > 1 || input.data.size() > 1)) {
      throw new Failure(
          Failure.USAGE, "standard input, or a pipe, can be read only once and alone");
    }
    if (warmUp < 1 || checkpoints.every < 1 || passes() < 1 || runs() < 1) {
      throw new Failure(
          Failure.USAGE, "--warm-up, --checkpoint-every, --passes and --runs must be at least 1");
    }
    if (input.reading.unlabelled && !learning.isUnsupervised()) {
      throw new Failure(
          Failure.USAGE,
          "learning needs labels, --no-label is for predict, --task anomaly and --task cluster");
    }
  }

  /** All files that may be written; null for those not asked for. */
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
      throw new Failure(Failure.USAGE, "--lags auto is for train, give the number of labels");
    }
    if (input.source().isStream() || learning.isUnsupervised()) {
      throw new Failure(Failure.USAGE, "--lags needs a file with labels, not standard input");
    }
    if (runs() > 1 || Boolean.TRUE.equals(shuffle)) {
      throw new Failure(Failure.USAGE, "--lags needs rows in their order: no --runs, no --shuffle");
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
      throw new Failure(Failure.USAGE, "--plot needs a font, and this Java finds none");
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

  /** Whether boosted trees are trained beside several learners. */
  boolean growsTrees() {
    return false;
  }

  /** Whether the run has had its time. */
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
          sayFirst(run, progress);
          average(run, interrupt);
        }
        isComplete = !interrupt.isRequested();
        int code = isWhole ? 0 : codeOfPart(run);
        interrupt.end();
        return code;
      }
    }
  }

  /**
   * The exit code of a run that was stopped by the user, or by its time. A script must notice a
   * time that was too short, since a model that was there is then kept.
   */
  private int codeOfPart(Run run) {
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

  /** Whoever has seen enough can stop here. */
  private void sayFirst(Run run, Progress progress) {
    run.first()
        .filter(Estimate::isTelling)
        .ifPresent(
            first ->
                progress.say(
                    String.format(
                        "a first model is ready, %s about %s: Ctrl-C keeps it, else it gets better",
                        FigureText.words(first.name()),
                        FigureText.withMargin(first.name(), first.value(), first.margin()))));
  }

  /** Lets others learn too; what the first has learned is not lost if that fails. */
  private void average(Run run, Interrupt interrupt) throws IOException {
    try (Cores cores = threads.cores(learners() - 1)) {
      boolean isMean =
          growsTrees() ? run.averageBesideTrees(learners(), cores) : run.average(learners(), cores);
      if (!isMean && !quiet) {
        System.err.println("one learner alone: the rows are too few, or too many for the memory");
      }
    } catch (IOException | RuntimeException | Error failed) {
      interrupt.end();
      throw failed;
    }
  }

  /** Learns all rows; what was learned before reading failed is reported too. */
  private static boolean learn(Run run, Interrupt interrupt) throws IOException {
    try {
      return run.learn();
    } catch (IOException failed) {
      interrupt.end();
      throw failed;
    }
  }

  /**
   * Closes, saves and prints the report; if a file cannot be written, the report is printed first.
   */
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
          "the run did not come to its end: %s is as it was, what was learned is in %s%n",
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
      throw new Failure(Failure.CANNOT_CREATE, target + ": cannot be written there");
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
          "--runs only measures: give no -m, --scores, --answers, --html, --plot or --checkpoint"
              + " with it");
    }
    List<Instance> rows = data.all();
    List<RunReport> reports;
    try (Progress progress = new Progress(System.err, quiet, "runs", (long) runs() * rows.size());
        Cores cores = threads.cores(runs())) {
      reports = new RepeatedRuns(data, learning, options(), progress).run(rows, runs(), cores);
    }
    print(Report.of(reports));
    return 0;
  }
}
