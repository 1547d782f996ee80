package org.avm4j.app;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.avm4j.Task;
import org.avm4j.asking.AskOptions;
import org.avm4j.data.Instance;
import org.avm4j.pipeline.Costs;
import org.avm4j.pipeline.LabelLags;
import org.avm4j.run.Average;
import org.avm4j.run.DataSource;
import org.avm4j.run.LagChoice;
import org.avm4j.run.PreparedData;
import org.avm4j.run.RepeatedRuns;
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

  private LearnerSpec learning;
  private PreparedData data;
  private PrintStream reportTo = System.out;

  abstract Path model();

  abstract int passes();

  /** Whether files are shuffled by default. */
  abstract boolean shufflesFiles();

  boolean shuffles() {
    boolean mayShuffle =
        shufflesFiles() && !learning.isUnsupervised() && !input.source().isStream();
    return rowFlags.shuffle == null ? mayShuffle : rowFlags.shuffle;
  }

  LearnerSpec adapt(LearnerSpec typed) {
    return typed;
  }

  /** Whether rows are held out to measure which columns matter. */
  boolean measuresColumns() {
    return false;
  }

  /** Whether all rows are learned together, in no order and with none held out. */
  boolean learnsAllAtOnce() {
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
    return runs() > 1 ? callRuns() : new LearningRun(this, data, learning).call();
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
    if (Boolean.TRUE.equals(rowFlags.shuffle) || learnsAllAtOnce()) {
      data.ignoreTimeOrder();
    }
    if (costs().isPresent() && data.rules(learning).task().kind() != Task.Kind.BINARY) {
      throw Failure.usage("--cost needs data with two classes");
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

  LearningNotes notes() {
    return new LearningNotes(data, learning, measuresColumns());
  }

  void check() {
    learning = adapt(LearnerOptions.spec(spec));
    output.check();
    Failure.ifNotWritable(input.data, outputs());
    reportTo = Standard.besides(model(), output.scores, output.answers, output.html);
    if (modelFlags.freeze && model() == null) {
      throw Failure.usage("--freeze needs -m MODEL");
    }
    if (modelFlags.latency != null && learning.has("max-size")) {
      throw Failure.usage("--target-latency and --max-size cannot be combined");
    }
    checkpoints.check();
    checkLags();
    if (input.source().isStream() && (passes() > 1 || input.data.size() > 1)) {
      throw Failure.usage(
          "standard input or a pipe can be read only once, and not together with other files");
    }
    if (rowFlags.warmUp < 1 || checkpoints.every < 1 || passes() < 1 || runs() < 1) {
      throw Failure.usage("--warm-up, --checkpoint-every, --passes and --runs must be at least 1");
    }
    if (input.reading.unlabelled && !learning.isUnsupervised()) {
      throw Failure.usage(
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
      throw Failure.usage("--lags allows a --delay of at most " + LabelLags.LONGEST_DELAY);
    }
    if (rowFlags.lags.isAutomatic() && !shufflesFiles()) {
      throw Failure.usage("--lags auto is only for train; give the number of labels instead");
    }
    if (input.source().isStream() || learning.isUnsupervised()) {
      throw Failure.usage("--lags needs a file with labels, not standard input");
    }
    if (runs() > 1 || Boolean.TRUE.equals(rowFlags.shuffle)) {
      throw Failure.usage(
          "--lags needs rows in their original order and cannot be combined with --runs or"
              + " --shuffle");
    }
  }

  RunOptions options() {
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

  /** The command as typed, without flags that do not change the run. */
  private String command() {
    List<String> words = new ArrayList<>(spec.commandLine().getParseResult().originalArgs());
    words.removeAll(List.of("--resume", "--quiet", "-q", "--json"));
    return String.join(" ", words);
  }

  void print(Report report) {
    reportTo.print(output.json ? report.json() : report.table());
  }

  private int callRuns() throws IOException {
    if (model() != null || checkpoints.file != null || output.hasFiles()) {
      throw Failure.usage(
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
