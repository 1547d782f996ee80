package org.avm4j.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.avm4j.AvmModel;
import org.avm4j.AvmOptions;
import org.avm4j.BatchNewton;
import org.avm4j.Features;
import org.avm4j.Prediction;
import org.avm4j.codec.Savable;
import org.avm4j.data.Instance;
import org.avm4j.eval.Metrics;
import org.avm4j.pipeline.Preparation;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.run.ColumnStudy;
import org.avm4j.run.PreparedData;
import org.avm4j.spec.DefaultRules;
import org.avm4j.spec.LearnerSpec;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code avm train}: learn a model and save it. */
@Command(
    name = "train",
    description = {
      "Learn a model from data, in one or more passes, and save it.",
      "Rows of files are taken in a random order, so that a sorted file is learned as well as any. First a",
      "sample of them tells how much each column should count, unless --scale is given. The figures are of",
      "the first pass: each row is answered before it is learned. With --batch all rows are held in memory",
      "and the model is found by exact Newton passes over the core points."
    },
    footer = {
      "",
      "Examples:",
      "  avm train train.libsvm -m model.avm -g 0.5 --passes 3",
      "  avm train train.libsvm -m model.avm --batch --gamma 4 --max-size 300",
      "  avm train table.csv -m model.avm --label class",
      "  avm train table.csv -m model.avm --time 60s"
    })
final class TrainCommand extends LearningCommand {
  /** The number of columns that the report names. */
  private static final int SHOWN = 5;

  @Option(
      names = {"-m", "--model"},
      required = true,
      paramLabel = "MODEL",
      description = "Save the learner there.")
  Path model;

  @Option(
      names = "--passes",
      paramLabel = "N",
      defaultValue = "1",
      description = "How often to go over the data. Default: ${DEFAULT-VALUE}.")
  int passes;

  @Option(
      names = "--batch",
      description =
          "Exact Newton passes over the core points until nothing changes, instead of learning row"
              + " by row; at most --passes of them, 20 if not given. The model does not learn on.")
  boolean batch;

  @Option(
      names = "--time",
      paramLabel = "TIME",
      description =
          "Stop after that time, such as 60s, 5m or 1h, with what was learned by then. The result then"
              + " depends on the computer.")
  TimeLimit time;

  private long started;
  private ColumnStudy study;

  @Override
  public Integer call() throws IOException {
    started = System.nanoTime();
    if (batch && time != null) {
      throw new Failure(Failure.USAGE, "--time is for learning row by row, not for --batch");
    }
    return batch ? trainBatch() : super.call();
  }

  /** Weighs the columns of a table; a checkpoint knows their weights already. */
  @Override
  boolean study(PreparedData data) throws IOException {
    if (resumes() || !shuffles() || !ColumnStudy.isFor(data, learning())) {
      return true;
    }
    long length = ColumnStudy.mostRows(data.rows());
    try (Progress progress = new Progress(System.err, quiet, "columns", length)) {
      study = new ColumnStudy(data, learning(), progress, this::tell);
      try (Interrupt interrupt = new Interrupt(this::saveBest)) {
        progress.stopAt(() -> interrupt.isRequested() || isOver(2));
        study.run().ifPresent(data::weigh);
        if (interrupt.isRequested()) {
          interrupt.end();
        }
        return !interrupt.isRequested();
      }
    }
  }

  private void tell(ColumnStudy.Round round) {
    if (!quiet && !Boolean.getBoolean("avm.terminal")) {
      String what =
          round.number() == 0 ? "columns alike" : "columns weighed, round " + round.number();
      System.err.println(what + ": " + words(round) + " of held-out rows");
    }
  }

  private static String words(ColumnStudy.Round round) {
    return FigureText.words(round.figure()) + " " + FigureText.text(round.figure(), round.value());
  }

  /** Saves the best learner of the study, which knows only a sample of the rows. */
  private void saveBest() {
    if (study.pipeline().isEmpty()) {
      System.err.println("interrupted before anything was learned, no model is saved");
      return;
    }
    Savable best = freeze ? study.pipeline().get().snapshot() : study.pipeline().get();
    try {
      if (Standard.isMeant(model)) {
        best.write(new StandardOutput());
      } else {
        best.save(model);
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    System.err.println(
        "interrupted: the model has learned a sample of the rows, saved to " + model);
  }

  /** Whether a part of the time is over. */
  private boolean isOver(int part) {
    return time != null && System.nanoTime() - started > time.time().toNanos() / part;
  }

  @Override
  boolean isOver() {
    return isOver(1);
  }

  @Override
  void addTo(Report report) {
    List<String> heaviest = study == null ? List.of() : study.heaviest(SHOWN);
    if (!heaviest.isEmpty()) {
      ColumnStudy.Round alike = study.rounds().get(0);
      String better = study.best().map(TrainCommand::words).orElse("");
      report.add(
          "columns",
          "weighed: %s; %s of held-out rows, %s with all columns alike"
              .formatted(
                  String.join(", ", heaviest),
                  better,
                  FigureText.text(alike.figure(), alike.value())));
    }
  }

  private int trainBatch() throws IOException {
    check();
    if (probability) {
      throw new Failure(
          Failure.USAGE, "--probability needs scores from before learning, --batch has none");
    }
    if (learning().isAnomaly()) {
      throw LearnerOptions.notForAnomalies();
    }
    PreparedData data = prepare();
    DefaultRules rules = data.rules(learning()).single();
    AvmOptions options = rules.avmOptions();
    Preparation preparation = rules.preparation();
    List<Instance> rows =
        shuffles() ? PreparedData.shuffled(data.all(), learning().seed()) : data.all();
    long start = System.nanoTime();
    AvmModel trained =
        BatchNewton.train(
            options,
            rows.stream().map(row -> scaled(preparation, row)).toList(),
            rows.stream().mapToDouble(row -> preparation.labels().transform(row.label())).toArray(),
            passes > 1 ? passes : 20);
    double seconds = (System.nanoTime() - start) / 1e9;
    PreparedModel prepared = new PreparedModel(preparation, trained);
    prepared.save(model);
    print(prepared, rows, seconds);
    return 0;
  }

  private static Features scaled(Preparation preparation, Instance row) {
    return preparation.transform(row.features(), new Features.Buffer());
  }

  private void print(PreparedModel trained, List<Instance> rows, double seconds) {
    Metrics metrics = Metrics.of(trained, false);
    for (Instance row : rows) {
      Prediction answer = trained.answer(row.features());
      metrics.add(row.label(), answer.label(), answer.scores());
    }
    Map<String, Object> results = new LinkedHashMap<>();
    results.put("instances", rows.size());
    results.put(
        "training" + (trained.task().isRegression() ? "Rmse" : "MistakeRate"), metrics.value());
    results.put("cells", trained.status().cells());
    results.put("seconds", seconds);
    results.put("model", model.toString());
    results.put("learner", trained.status().settings());
    System.out.print(json ? Json.of(results) : Text.table(Text.rows(results)));
  }

  /** A model that is to answer later knows no neighbours: the order of the rows does not count. */
  @Override
  LearnerSpec adapt(LearnerSpec typed) {
    if (typed.text("change", "none").equals("auto")) {
      throw new Failure(Failure.USAGE, "--change auto is for online, where the order counts");
    }
    return typed.family().isAutomatic(typed) ? typed.with("change", "none") : typed;
  }

  @Override
  boolean shufflesFiles() {
    return true;
  }

  @Override
  Path model() {
    return model;
  }

  @Override
  int passes() {
    return passes;
  }
}
