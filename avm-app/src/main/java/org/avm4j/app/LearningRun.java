package org.avm4j.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.avm4j.Task;
import org.avm4j.eval.Inspection;
import org.avm4j.lab.paper.RunFigure;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.run.Estimate;
import org.avm4j.run.PreparedData;
import org.avm4j.run.Run;
import org.avm4j.run.RunReport;
import org.avm4j.spec.LearnerSpec;

/**
 * One run of {@code online} or {@code train}: learns the rows, then saves the model and prints the
 * report, also if it is interrupted.
 */
final class LearningRun {
  private final LearningCommand command;
  private final PreparedData data;
  private final LearnerSpec learning;
  private final OutputFlags output;
  private final LastRows last = new LastRows();

  /** A sample of rows with labels, to compare with the final clusters. */
  private final RowSample clustered = new RowSample(10_000, true);

  private volatile boolean isComplete;

  LearningRun(LearningCommand command, PreparedData data, LearnerSpec learning) {
    this.command = command;
    this.data = data;
    this.learning = learning;
    output = command.output;
  }

  /** Runs, and returns the exit code. */
  int call() throws IOException {
    long length = data.rows() * command.passes() * command.learners();
    try (Progress progress = new Progress(System.err, output.quiet, command.spec.name(), length)) {
      progress.keep(output.html == null ? null : last);
      Run run = Run.start(data, learning, command.options(), progress);
      if (run.pipeline().task().kind() == Task.Kind.CLUSTER && run.read() == 0) {
        progress.sample(clustered);
      }
      if (command.measuresColumns()) {
        run.measureColumns();
      }
      command.costs().ifPresent(run::decideBy);
      if (command.watchesDrift()) {
        run.watchDrift(event -> {});
      }
      if (command.tracksColumns()) {
        run.trackColumns();
      }
      if (command.shuffles() && command.measuresColumns() && run.read() == 0) {
        progress.whenUsable(data.rows(), (metric, point) -> printEarly(metric, point, progress));
      }
      try (Interrupt interrupt = new Interrupt(() -> end(run, progress))) {
        progress.stopAt(() -> interrupt.isRequested() || command.isOver());
        boolean isWhole = learn(run, interrupt);
        if (isWhole && command.learners() > 1) {
          average(run, interrupt, progress);
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
    long rows = data.rows() * command.passes();
    command.notes().printTimeIsOver(run.read(), rows);
    boolean isTooEarly = run.read() < Math.max(Progress.FEWEST_ROWS, rows / 100);
    if (isTooEarly) {
      run.markPartial();
    }
    return isTooEarly ? Failure.TOO_EARLY : 0;
  }

  /**
   * Prints that a model of the first rows, which come in random order, can be kept. Their error is
   * that of new rows, unless the rows are in the order of time: they then lie between others.
   */
  private void printEarly(String metric, Inspection point, Progress progress) {
    String figure =
        data.timeOrder().isKnown()
            ? ""
            : ", with "
                + FigureText.words(metric)
                + " about "
                + FigureText.rounded(metric, point.recent(), point.recent() / 10);
    progress.say(
        Text.format(
            "a model of %,d rows is ready%s; press Ctrl-C to keep it%s, or wait for a better one",
            point.instances(), figure, keptAs()));
  }

  /** Prints the error of the first model, which the user may keep by stopping now. */
  private void printFirst(Run run, Progress progress) throws IOException {
    run.first()
        .filter(Estimate::isTelling)
        .ifPresent(
            first ->
                progress.say(
                    String.format(
                        "a first model is ready, with %s about %s; press Ctrl-C to keep it%s, or"
                            + " wait for a better one",
                        FigureText.words(first.name()),
                        FigureText.withMargin(first.name(), first.value(), first.margin()),
                        keptAs())));
  }

  /** Where Ctrl-C keeps a model, if an older one is at its place. */
  private String keptAs() {
    boolean isOther = command.model() != null && Files.exists(command.model());
    return isOther ? " as " + Run.partial(command.model()) : "";
  }

  /** Trains further learners; if this fails, the first model is saved before the exception. */
  private void average(Run run, Interrupt interrupt, Progress progress) throws IOException {
    try (WorkerPool cores = command.threads.cores(command.learners() - 1)) {
      printFirst(run, progress);
      int learners = command.learners();
      boolean isMean =
          command.growsTrees()
              ? run.averageBesideTrees(learners, cores)
              : run.average(learners, cores);
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
    boolean isEarly = progress.isStopRequested() && !command.isOver() && run.isUntouched();
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
    Path target = command.model() == null ? null : run.target(command.model());
    try {
      run.finish();
      saveFrozen(run, target);
    } catch (IOException failed) {
      lost = failed;
    }
    progress.close();
    if (lost == null && target != null && !target.equals(command.model())) {
      System.err.printf(
          "the run was not completed: %s is unchanged, the partial model was saved to %s%n",
          command.model(), target);
    }
    RunReport report = run.finish();
    if (!Standard.isClosed(lost) && report.metrics().instances() > 0) {
      Path saved = lost == null ? target : null;
      Report words =
          new ReportBuilder(data, learning, command.spec, command.shuffles())
              .of(run, report, saved, clustered.rows());
      if (command.costs().isPresent() && report.threshold().isEmpty()) {
        command.notes().printNoThreshold(isComplete);
      }
      command.print(words);
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
      new RunPage("avm " + command.spec.name() + " " + command.input.source(), model)
          .lastRows(last.labelled())
          .importance(model.preparation().background().importance().orElse(null))
          .of(report, words.rows())
          .write(output.html);
    }
  }

  private void saveFrozen(Run run, Path target) throws IOException {
    if (command.modelFlags.freeze && Standard.isMeant(target)) {
      run.model().write(new StandardOutput());
    } else if (command.modelFlags.freeze) {
      run.model().save(target);
    }
  }
}
