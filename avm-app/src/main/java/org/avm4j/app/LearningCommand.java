package org.avm4j.app;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import org.avm4j.data.Instance;
import org.avm4j.data.InstanceReader;
import org.avm4j.data.Scaler;
import org.avm4j.data.Scaling;
import org.avm4j.eval.Prequential;
import org.avm4j.lab.paper.RunFigure;
import org.avm4j.pipeline.Labels;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.Preparation;
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
              + " the race, to FILE-race.png. The numbers stand beside them, in FILE.png.csv.")
  Path plot;

  @Option(names = "--json", description = "Print the results as one JSON object.")
  boolean json;

  @Option(
      names = {"-q", "--quiet"},
      description = "No progress.")
  boolean quiet;

  @ArgGroup(validate = false, heading = "%nCheckpoints:%n")
  Checkpoints checkpoints = new Checkpoints();

  private Prepared prepared;
  private Scaler scaler;
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
    prepared = prepare();
    return runs() > 1 ? callRuns() : callOnce();
  }

  /** Looks at the data, and says on standard error what was found out. */
  Prepared prepare() throws IOException {
    learner.mayRace(scaling != null);
    Scaling by = scaling == null ? Scaling.NONE : scaling;
    Prepared found = new Prepared(input, by, warmUp, !learner.isAnomaly());
    note(found);
    if (probability) {
      found.giveProbabilities();
    }
    if (latency != null && !goesOn()) {
      learner.maxSize = latency.size(learner, found);
      System.err.printf("%s means --max-size %d on this computer%n", latency, learner.maxSize);
    }
    return found;
  }

  void check() {
    Failure.ifNotWritable(model(), input.data);
    Failure.ifNotWritable(scores, input.data);
    Failure.ifNotWritable(checkpoints.file, input.data);
    if (plot != null) {
      RunFigure.files(plot).forEach(file -> Failure.ifNotWritable(file, input.data));
    }
    if (plot != null && !plot.toString().endsWith(".png")) {
      throw new Failure(Failure.USAGE, "--plot must end in .png: '" + plot + "'");
    }
    if (plot != null && !RunFigure.canDraw()) {
      throw new Failure(Failure.USAGE, "--plot needs a font, and this Java finds none");
    }
    if (latency != null && learner.maxSize != null) {
      throw new Failure(Failure.USAGE, "--target-latency finds the size, give no --max-size");
    }
    if (checkpoints.resume && checkpoints.file == null) {
      throw new Failure(Failure.USAGE, "--resume needs --checkpoint FILE");
    }
    if (input.isPipe() && (passes() > 1 || input.data.size() > 1)) {
      throw new Failure(
          Failure.USAGE, "standard input, or a pipe, can be read only once and alone");
    }
    if (warmUp < 1 || checkpoints.every < 1 || passes() < 1 || runs() < 1) {
      throw new Failure(
          Failure.USAGE, "--warm-up, --checkpoint-every, --passes and --runs must be at least 1");
    }
    if (input.reading.unlabelled && !learner.isAnomaly()) {
      throw new Failure(
          Failure.USAGE, "learning needs labels, --no-label is for predict and --task anomaly");
    }
  }

  private void note(Prepared found) {
    PrintStream err = System.err;
    if (quiet) {
      return;
    }
    if (found.isPipe() && scaling != null && scaling != Scaling.NONE) {
      err.printf("scaling is fixed by the first %,d rows%n", found.survey().rows());
    }
    if (learner.c != null) {
      err.printf(
          "-c %s means --lambda %s, 1/(C rows)%n", learner.c, learner.regularization(found.rows()));
    }
  }

  private int callOnce() throws IOException {
    start();
    try (Interrupt interrupt = new Interrupt(this::end)) {
      int code = pass(interrupt);
      synchronized (interrupt) {
        if (!interrupt.isEnded()) {
          end();
        }
      }
      return code;
    }
  }

  /** Closes, saves and prints what is known. */
  private void end() {
    try {
      if (scoreFile != null) {
        scoreFile.close();
      }
      run.finish();
      save();
      print();
      if (plot != null) {
        new RunFigure(run).write(plot);
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Whether there is a run to resume. */
  private boolean goesOn() {
    return checkpoints.resume && Files.exists(checkpoints.file);
  }

  private void start() throws IOException {
    long scoreBytes = 0;
    if (goesOn()) {
      Checkpoint found = Checkpoint.load(checkpoints.file, command());
      scaler = found.scaler();
      run = found.run();
      read = found.read();
      scoreBytes = found.scoreBytes();
      prepared.rejected(found.rejected());
    } else {
      scaler = prepared.survey().scaler();
      Pipeline pipeline = prepared.pipelineOfScaled(learner);
      run = new Prequential(pipeline, Learners.metrics(pipeline));
    }
    scoreFile = scores == null ? null : new ScoreFile(scores, scoreBytes);
  }

  /** All passes, from where the run is; returns the exit code. */
  private int pass(Interrupt interrupt) throws IOException {
    long length = prepared.rows() * passes();
    long seen = 0;
    try (Progress progress = new Progress(System.err, quiet, spec.name(), length)) {
      for (int pass = 0; pass < passes(); pass++) {
        try (InstanceReader rows = rows(pass)) {
          while (rows.next()) {
            if (++seen > read && !go(interrupt, rows, progress)) {
              return Failure.INTERRUPTED;
            }
          }
        }
      }
    } catch (IOException | Failure stopped) {
      checkpoint();
      end();
      throw stopped;
    }
    return 0;
  }

  /** Learns one row, unless the run is to end: then it leaves a checkpoint. */
  private boolean go(Interrupt interrupt, InstanceReader rows, Progress progress)
      throws IOException {
    synchronized (interrupt) {
      if (interrupt.isEnded()) {
        return false;
      }
      learn(rows, progress);
      if (interrupt.isRequested()) {
        checkpoint();
      }
      return !interrupt.isRequested();
    }
  }

  private InstanceReader rows(int pass) throws IOException {
    return shuffle
        ? new Rows(shuffled(prepared.all(), learner.seed + pass), null, scaler)
        : prepared.open(scaler);
  }

  static List<Instance> shuffled(List<Instance> rows, long seed) {
    List<Instance> shuffled = new ArrayList<>(rows);
    Collections.shuffle(shuffled, new Random(seed));
    return shuffled;
  }

  private void learn(InstanceReader rows, Progress progress) throws IOException {
    try {
      if (run.step(rows.features(), rows.label())) {
        progress.inspect(run.metrics().name(), run.curve().get(run.curve().size() - 1));
      }
      if (scoreFile != null) {
        scoreFile.write(run.scores());
      }
    } catch (IllegalArgumentException refused) {
      prepared.reject(refused.getMessage());
    }
    read++;
    progress.step(read);
    if (read % checkpoints.every == 0) {
      checkpoint();
    }
  }

  private void checkpoint() throws IOException {
    if (checkpoints.file != null) {
      long bytes = scoreFile == null ? 0 : scoreFile.sync();
      new Checkpoint(command(), read, bytes, prepared.rejected(), scaler, run)
          .save(checkpoints.file);
    }
  }

  private void save() throws IOException {
    if (model() != null) {
      Pipeline pipeline = (Pipeline) run.learner();
      Labels labels = pipeline.preparation().labels();
      Preparation preparation = new Preparation(prepared.schema(), scaler, labels);
      new Pipeline(preparation, pipeline.learner(), pipeline.calibration().orElse(null))
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
    if (model() != null || scores != null || plot != null || checkpoints.file != null) {
      throw new Failure(
          Failure.USAGE,
          "--runs only measures: give no -m, --scores, --plot or --checkpoint with it");
    }
    List<Instance> rows = prepared.all();
    List<Prequential> runs = new Runs(prepared, learner).of(rows, runs(), quiet);
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
