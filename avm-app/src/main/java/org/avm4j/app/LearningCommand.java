package org.avm4j.app;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import org.avm4j.Task;
import org.avm4j.data.Instance;
import org.avm4j.data.InstanceReader;
import org.avm4j.data.Scaling;
import org.avm4j.lab.ClassificationMetrics;
import org.avm4j.lab.Metrics;
import org.avm4j.lab.Prequential;
import org.avm4j.lab.RegressionMetrics;
import org.avm4j.pipeline.Pipeline;
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
      defaultValue = "none",
      description =
          "Scale features: none, unit to [0,1], symmetric to [-1,1], standard to mean 0 and deviation"
              + " 1; by a first pass over files, by the warm-up of standard input. Kept in the model."
              + " Default: ${DEFAULT-VALUE}.")
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

  @Option(names = "--json", description = "Print the results as one JSON object.")
  boolean json;

  @Option(
      names = {"-q", "--quiet"},
      description = "No progress.")
  boolean quiet;

  @ArgGroup(validate = false, heading = "%nCheckpoints:%n")
  Checkpoints checkpoints = new Checkpoints();

  private Prepared prepared;
  private Prequential run;
  private ScoreFile scoreFile;
  private long read;

  abstract Path model();

  abstract int passes();

  int runs() {
    return 1;
  }

  @Override
  public Integer call() throws IOException {
    check();
    prepared = new Prepared(input, scaling, warmUp);
    note();
    return runs() > 1 ? callRuns() : callOnce();
  }

  private void check() {
    Failure.ifNotWritable(model());
    Failure.ifNotWritable(scores);
    Failure.ifNotWritable(checkpoints.file);
    if (checkpoints.resume && checkpoints.file == null) {
      throw new Failure(Failure.USAGE, "--resume needs --checkpoint FILE");
    }
    if (input.isStandardInput() && (passes() > 1 || input.data.size() > 1)) {
      throw new Failure(Failure.USAGE, "standard input can be read only once and alone");
    }
    if (warmUp < 1 || checkpoints.every < 1 || passes() < 1 || runs() < 1) {
      throw new Failure(
          Failure.USAGE, "--warm-up, --checkpoint-every, --passes and --runs must be at least 1");
    }
    if (input.reading.unlabelled) {
      throw new Failure(Failure.USAGE, "learning needs labels, --no-label is for predict");
    }
  }

  /** Says on standard error what was found out, and what -c means. */
  private void note() {
    PrintStream err = System.err;
    if (quiet) {
      return;
    }
    if (prepared.isPipe() && scaling != Scaling.NONE) {
      err.printf("scaling is fixed by the first %,d rows%n", prepared.survey().rows());
    }
    if (learner.c != null) {
      err.printf(
          "-c %s means --lambda %s, 1/(C rows)%n",
          learner.c, learner.regularization(prepared.rows()));
    }
  }

  private int callOnce() throws IOException {
    start();
    try (Interrupt interrupt = new Interrupt()) {
      int code = pass(interrupt);
      run.finish();
      save();
      print();
      return code;
    } finally {
      if (scoreFile != null) {
        scoreFile.close();
      }
    }
  }

  private void start() throws IOException {
    long scoreBytes = 0;
    if (checkpoints.resume && Files.exists(checkpoints.file)) {
      Checkpoint found = Checkpoint.load(checkpoints.file, command());
      run = found.run();
      read = found.read();
      scoreBytes = found.scoreBytes();
    } else {
      Pipeline pipeline = prepared.pipeline(learner);
      run = new Prequential(pipeline, metrics(pipeline));
    }
    scoreFile = scores == null ? null : new ScoreFile(scores, scoreBytes);
  }

  private Metrics metrics(Pipeline pipeline) {
    return prepared.task(learner) instanceof Task.Regression
        ? new RegressionMetrics()
        : new ClassificationMetrics(Learners.hasLogits(pipeline.learner()));
  }

  /** All passes, from where the run is; returns the exit code. */
  private int pass(Interrupt interrupt) throws IOException {
    long length = prepared.rows() * passes();
    long seen = 0;
    try (Progress progress = new Progress(System.err, quiet, spec.name(), length)) {
      for (int pass = 0; pass < passes(); pass++) {
        try (InstanceReader rows = rows(pass)) {
          while (rows.next()) {
            if (++seen > read) {
              learn(rows, progress);
              if (interrupt.isRequested()) {
                checkpoint();
                return Failure.INTERRUPTED;
              }
            }
          }
        }
      }
    } catch (IOException | Failure stopped) {
      checkpoint();
      save();
      throw stopped;
    }
    return 0;
  }

  private InstanceReader rows(int pass) throws IOException {
    return shuffle
        ? new Rows(shuffled(prepared.all(), learner.seed + pass), null)
        : prepared.open();
  }

  static List<Instance> shuffled(List<Instance> rows, long seed) {
    List<Instance> shuffled = new ArrayList<>(rows);
    Collections.shuffle(shuffled, new Random(seed));
    return shuffled;
  }

  private void learn(InstanceReader rows, Progress progress) throws IOException {
    read++;
    try {
      if (Double.isNaN(rows.label())) {
        throw new IllegalArgumentException("a label is expected");
      }
      if (run.step(rows.features(), rows.label())) {
        progress.inspect(run.metrics().name(), run.curve().get(run.curve().size() - 1));
      }
      if (scoreFile != null) {
        scoreFile.write(run.scores());
      }
    } catch (IllegalArgumentException refused) {
      prepared.reject(refused.getMessage());
    }
    progress.step(read);
    if (read % checkpoints.every == 0) {
      checkpoint();
    }
  }

  private void checkpoint() throws IOException {
    if (checkpoints.file != null) {
      long bytes = scoreFile == null ? 0 : scoreFile.sync();
      new Checkpoint(command(), read, bytes, run).save(checkpoints.file);
    }
  }

  private void save() throws IOException {
    if (model() != null) {
      Pipeline pipeline = (Pipeline) run.learner();
      new Pipeline(prepared.schema(), pipeline.scaler(), pipeline.pair(), pipeline.learner())
          .save(model());
    }
  }

  /** The command as typed, but for what does not change the run. */
  private String command() {
    List<String> words = new ArrayList<>(spec.commandLine().getParseResult().originalArgs());
    words.removeAll(List.of("--resume", "--quiet", "-q", "--json"));
    return String.join(" ", words);
  }

  private void print() {
    Report report = Report.of(run, prepared, model());
    System.out.print(json ? report.json() : report.table());
  }

  private int callRuns() throws IOException {
    if (model() != null || scores != null || checkpoints.file != null) {
      throw new Failure(
          Failure.USAGE, "--runs only measures: give no -m, --scores or --checkpoint with it");
    }
    List<Instance> rows = prepared.all();
    List<Prequential> runs = new Runs(prepared, learner, this::metrics).of(rows, runs(), quiet);
    Report report = Report.of(runs, prepared);
    System.out.print(json ? report.json() : report.table());
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
