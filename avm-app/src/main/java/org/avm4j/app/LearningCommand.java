package org.avm4j.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.avm4j.data.Instance;
import org.avm4j.data.Scaling;
import org.avm4j.lab.paper.RunFigure;
import org.avm4j.run.PreparedData;
import org.avm4j.run.RepeatedRuns;
import org.avm4j.run.Run;
import org.avm4j.run.RunOptions;
import org.avm4j.run.RunReport;
import org.avm4j.spec.LearnerSpec;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What {@code online} and {@code train} share: rows go by, are answered, and are learned. */
abstract class LearningCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Mixin InputOptions input;

  @ArgGroup(validate = false, heading = "%nLearner:%n")
  LearnerOptions learner = new LearnerOptions();

  @Option(
      names = "--scale",
      paramLabel = "HOW",
      description =
          "Scale features: none, unit to [0,1], symmetric to [-1,1], standard to mean 0 and deviation"
              + " 1; by a first pass over files, by the warm-up of standard input. Kept in the model."
              + " Default: whichever wins, from the first 2,048 rows; none by sgd, or where --gamma or"
              + " --delta is given.")
  Scaling scaling;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      defaultValue = "1000",
      description =
          "Rows of standard input to look at before learning from them. Default: ${DEFAULT-VALUE}.")
  int warmUp;

  @Option(
      names = "--shuffle",
      description = "Read all rows into memory and shuffle them by --seed.")
  boolean shuffle;

  @Option(
      names = "--scores",
      paramLabel = "FILE",
      description =
          "Write one line an instance: the scores before it was learned, one for each class seen so"
              + " far in ascending order of label.")
  Path scores;

  @Option(
      names = "--probability",
      description =
          "Learn, beside the scores, how likely each class is: Platt scaling of the scores before"
              + " learning. Reported, and kept in the model for predict --probability.")
  boolean probability;

  @Option(
      names = "--target-latency",
      paramLabel = "TIME",
      description =
          "Instead of --max-size: as many core points as let an instance be answered and learned in"
              + " that time on average, such as 5us, by measurement on this computer.")
  Latency latency;

  @Option(
      names = "--plot",
      paramLabel = "FILE.png",
      description =
          "Draw the error along the stream, with the drifts that were found; of automatic mode also"
              + " the race, to FILE-race.png; of two features also the tree, to FILE-tree.png. The"
              + " numbers stand beside them, in FILE.png.csv.")
  Path plot;

  @Option(names = "--json", description = "Print the results as one JSON object.")
  boolean json;

  @Option(
      names = {"-q", "--quiet"},
      description = "No progress.")
  boolean quiet;

  @ArgGroup(validate = false, heading = "%nCheckpoints:%n")
  Checkpoints checkpoints = new Checkpoints();

  private LearnerSpec learning;
  private PreparedData data;

  abstract Path model();

  abstract int passes();

  /** The learner that is meant by what was typed. */
  LearnerSpec adapt(LearnerSpec typed) {
    return typed;
  }

  int runs() {
    return 1;
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
    data = PreparedData.look(input.source(), learning, warmUp);
    if (!quiet) {
      note();
    }
    if (latency != null && !options().resumes()) {
      int size = latency.size(data.rules(learning), data);
      learning = learning.with("max-size", size);
      System.err.printf("%s means --max-size %d on this computer%n", latency, size);
    }
    return data;
  }

  private void note() {
    if (data.isStream() && learning.scaling() != Scaling.NONE) {
      System.err.printf("scaling is fixed by the first %,d rows%n", data.survey().rows());
    }
    if (learning.has("c")) {
      System.err.printf(
          "-c %s means --lambda %s, 1/(C rows)%n",
          learning.number("c", 1), data.rules(learning).regularization());
    }
  }

  void check() {
    learning = adapt(LearnerOptions.spec(spec));
    Failure.ifNotWritable(model(), input.data);
    Failure.ifNotWritable(scores, input.data);
    Failure.ifNotWritable(checkpoints.file, input.data);
    checkPlot();
    if (latency != null && learning.has("max-size")) {
      throw new Failure(Failure.USAGE, "--target-latency finds the size, give no --max-size");
    }
    if (checkpoints.resume && checkpoints.file == null) {
      throw new Failure(Failure.USAGE, "--resume needs --checkpoint FILE");
    }
    if (input.source().isStream() && (passes() > 1 || input.data.size() > 1)) {
      throw new Failure(
          Failure.USAGE, "standard input, or a pipe, can be read only once and alone");
    }
    if (warmUp < 1 || checkpoints.every < 1 || passes() < 1 || runs() < 1) {
      throw new Failure(
          Failure.USAGE, "--warm-up, --checkpoint-every, --passes and --runs must be at least 1");
    }
    if (input.reading.unlabelled && !learning.isAnomaly()) {
      throw new Failure(
          Failure.USAGE, "learning needs labels, --no-label is for predict and --task anomaly");
    }
  }

  private void checkPlot() {
    if (plot == null) {
      return;
    }
    RunFigure.files(plot).forEach(file -> Failure.ifNotWritable(file, input.data));
    if (!plot.toString().endsWith(".png")) {
      throw new Failure(Failure.USAGE, "--plot must end in .png: '" + plot + "'");
    }
    if (!RunFigure.canDraw()) {
      throw new Failure(Failure.USAGE, "--plot needs a font, and this Java finds none");
    }
  }

  private RunOptions options() {
    return RunOptions.DEFAULT
        .withPasses(passes(), shuffle)
        .withModel(model())
        .withScores(scores)
        .withCheckpoint(checkpoints.file, checkpoints.every, checkpoints.resume, command());
  }

  private int callOnce() throws IOException {
    try (Progress progress = new Progress(System.err, quiet, spec.name(), data.rows() * passes())) {
      Run run = Run.start(data, learning, options(), progress);
      try (Interrupt interrupt = new Interrupt(() -> end(run, progress))) {
        progress.stopAt(interrupt::isRequested);
        boolean isWhole = learn(run, interrupt);
        interrupt.end();
        return isWhole ? 0 : Failure.INTERRUPTED;
      }
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

  /** Closes, saves and prints what is known. */
  private void end(Run run, Progress progress) {
    try {
      RunReport report = run.finish();
      progress.close();
      print(Report.of(report, model()));
      if (plot != null) {
        new RunFigure(report.metrics(), report.curve(), run.pipeline()).write(plot);
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** The command as typed, but for what does not change the run. */
  private String command() {
    List<String> words = new ArrayList<>(spec.commandLine().getParseResult().originalArgs());
    words.removeAll(List.of("--resume", "--quiet", "-q", "--json"));
    return String.join(" ", words);
  }

  private void print(Report report) {
    System.out.print(json ? report.json() : report.table());
  }

  private int callRuns() throws IOException {
    if (model() != null || scores != null || plot != null || checkpoints.file != null) {
      throw new Failure(
          Failure.USAGE,
          "--runs only measures: give no -m, --scores, --plot or --checkpoint with it");
    }
    List<Instance> rows = data.all();
    List<RunReport> reports;
    try (Progress progress = new Progress(System.err, quiet, "runs", (long) runs() * rows.size());
        Cores cores = new Cores(runs())) {
      reports = new RepeatedRuns(data, learning, progress).run(rows, runs(), cores);
    }
    print(Report.of(reports));
    return 0;
  }

  /** When the run is saved, and whether it goes on from there. */
  static final class Checkpoints {
    @Option(
        names = "--checkpoint",
        paramLabel = "FILE",
        description = "Save the whole run there every now and then.")
    Path file;

    @Option(
        names = "--checkpoint-every",
        paramLabel = "N",
        description = "Instances between two checkpoints. Default: 10000.")
    long every = 10_000;

    @Option(
        names = "--resume",
        description =
            "Go on from the checkpoint, if there is one; the run ends as if it had never stopped.")
    boolean resume;
  }
}
