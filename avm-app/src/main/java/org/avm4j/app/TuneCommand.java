package org.avm4j.app;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Coverage;
import org.avm4j.Task;
import org.avm4j.data.Instance;
import org.avm4j.data.Scaling;
import org.avm4j.lab.ClassificationMetrics;
import org.avm4j.lab.Metrics;
import org.avm4j.lab.Prequential;
import org.avm4j.lab.RegressionMetrics;
import org.avm4j.pipeline.Pipeline;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code avm tune}: the paper's grids. */
@Command(
    name = "tune",
    description = {
      "Try the paper's grids of gamma, lambda = 2^k/rows and delta, and print the best command line.",
      "Gamma, delta and lambda that are given are taken as given."
    },
    footer = {
      "",
      "Examples:",
      "  avm tune train.libsvm",
      "  avm tune train.libsvm --by holdout --rows 5000 --state tune.txt"
    })
final class TuneCommand implements Callable<Integer> {
  enum By {
    PREQUENTIAL,
    HOLDOUT;

    @Override
    public String toString() {
      return Choices.name(this);
    }
  }

  /** One setting, and what it gave. */
  private record Trial(double gamma, double delta, double lambda, double metric, int cells) {
    String line() {
      return gamma + " " + delta + " " + lambda + " " + metric + " " + cells;
    }

    boolean isOf(double otherGamma, double otherDelta, double otherLambda) {
      return gamma == otherGamma && delta == otherDelta && lambda == otherLambda;
    }

    static Trial parse(String line) {
      String[] words = line.split(" ");
      return new Trial(
          Double.parseDouble(words[0]),
          Double.parseDouble(words[1]),
          Double.parseDouble(words[2]),
          Double.parseDouble(words[3]),
          Integer.parseInt(words[4]));
    }
  }

  @Spec CommandSpec spec;

  @Mixin InputOptions input;

  @ArgGroup(validate = false, heading = "%nLearner:%n")
  LearnerOptions learner = new LearnerOptions();

  @Option(
      names = "--scale",
      paramLabel = "HOW",
      defaultValue = "none",
      description = "none, unit, symmetric or standard. Default: ${DEFAULT-VALUE}.")
  Scaling scaling;

  @Option(
      names = "--by",
      paramLabel = "WHAT",
      defaultValue = "prequential",
      description =
          "What decides: prequential, or holdout: learn from four fifths, answer the rest. Default:"
              + " ${DEFAULT-VALUE}.")
  By by;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "10000",
      description = "Random rows to use, 0 for all. Default: ${DEFAULT-VALUE}.")
  int rows;

  @Option(
      names = "--state",
      paramLabel = "FILE",
      description = "Keep finished trials there; a run that was killed goes on from it.")
  Path state;

  @Option(
      names = "--most-cells",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Give up a setting at so many vectors. Default: ${DEFAULT-VALUE}.")
  int mostCells;

  @Option(names = "--json", description = "Print the results as one JSON object.")
  boolean json;

  @Option(
      names = {"-q", "--quiet"},
      description = "No progress.")
  boolean quiet;

  private Prepared prepared;
  private Task task;
  private List<Instance> data;
  private final List<Trial> trials = new ArrayList<>();
  private int done;

  @Override
  public Integer call() throws IOException {
    Failure.ifNotWritable(state);
    prepared = new Prepared(input, scaling, Integer.MAX_VALUE);
    task = prepared.task(learner);
    data = sample();
    resume();
    List<Trial> wanted = grid();
    try (Progress progress = new Progress(System.err, quiet, "tune", wanted.size())) {
      wanted.parallelStream().forEach(trial -> run(trial, progress));
    }
    print();
    return 0;
  }

  /** Shuffled rows as the learner sees them. */
  private List<Instance> sample() throws IOException {
    Pipeline pipeline = prepared.pipeline(learner);
    List<Instance> all = LearningCommand.shuffled(prepared.all(), learner.seed);
    return all.subList(0, rows == 0 ? all.size() : Math.min(rows, all.size())).stream()
        .map(
            row ->
                new Instance(
                    pipeline.scaler().apply(row.features()).copy(),
                    pipeline.pair() == null ? row.label() : pipeline.pair().learned(row.label())))
        .toList();
  }

  /** The settings of the paper that are not given and not done. */
  private List<Trial> grid() {
    double[] gammas =
        given(learner.gamma, IntStream.of(-8, -4, -2, 0, 2, 4, 8).mapToDouble(TuneCommand::power));
    double[] deltas =
        given(learner.delta, DoubleStream.of(prepared.survey().distances().diameters(5)));
    double n = Math.max(prepared.survey().rows(), data.size());
    double[] lambdas =
        given(learner.lambda, IntStream.rangeClosed(-2, 8).mapToDouble(k -> power(2 * k) / n));
    List<Trial> grid = new ArrayList<>();
    for (double gamma : gammas) {
      for (double delta : deltas) {
        for (double lambda : lambdas) {
          if (trials.stream().noneMatch(trial -> trial.isOf(gamma, delta, lambda))) {
            grid.add(new Trial(gamma, delta, lambda, Double.NaN, 0));
          }
        }
      }
    }
    return grid;
  }

  private static double power(int k) {
    return Math.pow(2, k);
  }

  private static double[] given(Double value, DoubleStream grid) {
    return value == null ? grid.toArray() : new double[] {value};
  }

  private void run(Trial trial, Progress progress) {
    Avm avm = new Avm(options(trial));
    Metrics metrics =
        task instanceof Task.Regression
            ? new RegressionMetrics()
            : new ClassificationMetrics(false);
    boolean within = by == By.PREQUENTIAL ? prequential(avm, metrics) : holdout(avm, metrics);
    double metric = within ? metrics.value() : Double.POSITIVE_INFINITY;
    finish(new Trial(trial.gamma, trial.delta, trial.lambda, metric, avm.cells()), progress);
  }

  private AvmOptions options(Trial trial) {
    return learner
        .options(task, prepared.survey(), data.size())
        .change()
        .kernel(learner.kernel.of(trial.gamma))
        .coverage(
            learner.coverage == LearnerOptions.CoverageName.RECTANGLE
                ? new Coverage.Rectangle(trial.delta)
                : new Coverage.Sphere(trial.delta))
        .regularization(trial.lambda)
        .build();
  }

  private boolean prequential(Avm avm, Metrics metrics) {
    Prequential run = new Prequential(avm, metrics);
    for (Instance row : data) {
      run.step(row.features(), row.label());
      if (avm.size() > mostCells) {
        return false;
      }
    }
    return true;
  }

  private boolean holdout(Avm avm, Metrics metrics) {
    int learned = data.size() * 4 / 5;
    for (Instance row : data.subList(0, learned)) {
      avm.learn(row.features(), row.label());
      if (avm.size() > mostCells) {
        return false;
      }
    }
    for (Instance row : data.subList(learned, data.size())) {
      metrics.add(row.label(), avm.predict(row.features()), new double[0]);
    }
    return true;
  }

  private synchronized void finish(Trial trial, Progress progress) {
    trials.add(trial);
    done++;
    progress.stepTo(done);
    if (state != null) {
      try {
        Files.writeString(state, trial.line() + "\n", CREATE, APPEND);
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      }
    }
  }

  /** What an earlier run of the same command finished; a half-written last line is left out. */
  private void resume() throws IOException {
    if (state == null) {
      return;
    }
    String command = "# " + command();
    if (!Files.exists(state)) {
      Files.writeString(state, command + "\n");
      return;
    }
    String text = Files.readString(state);
    String whole = text.substring(0, text.lastIndexOf('\n') + 1);
    Files.writeString(state, whole);
    List<String> lines = whole.lines().toList();
    if (lines.isEmpty() || !lines.get(0).equals(command)) {
      throw new Failure(
          Failure.USAGE, state + ": belongs to another run, expected the first line " + command);
    }
    try {
      lines.stream().skip(1).map(Trial::parse).forEach(trials::add);
    } catch (RuntimeException damaged) {
      throw new Failure(Failure.BAD_DATA, state + ": not a file of finished trials");
    }
  }

  private String command() {
    List<String> words = words();
    words.removeAll(List.of("--quiet", "-q", "--json"));
    return String.join(" ", words);
  }

  /** The words after {@code avm tune}. */
  private List<String> words() {
    List<String> words = spec.commandLine().getParseResult().originalArgs();
    return new ArrayList<>(words.subList(words.indexOf(spec.name()) + 1, words.size()));
  }

  private void print() {
    List<Trial> best =
        trials.stream()
            .sorted(
                Comparator.comparingDouble(Trial::metric)
                    .thenComparingInt(Trial::cells)
                    .thenComparing(Trial::line))
            .toList();
    if (best.isEmpty() || !Double.isFinite(best.get(0).metric)) {
      throw new Failure(
          Failure.BAD_DATA, "every setting made more vectors than --most-cells " + mostCells);
    }
    String metric = task instanceof Task.Regression ? "rmse" : "mistakeRate";
    System.out.print(json ? Json.of(values(best, metric)) : table(best, metric));
  }

  private Map<String, Object> values(List<Trial> best, String metric) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("command", winner(best.get(0)));
    values.put("rows", data.size());
    values.put(
        "trials",
        best.stream()
            .map(
                trial -> {
                  Map<String, Object> row = new LinkedHashMap<>();
                  row.put("gamma", trial.gamma);
                  row.put("delta", trial.delta);
                  row.put("lambda", trial.lambda);
                  row.put(metric, trial.metric);
                  row.put("cells", trial.cells);
                  return row;
                })
            .toList());
    return values;
  }

  private String table(List<Trial> best, String metric) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            "%12s %12s %12s %16s %8s%n",
            "gamma", "delta", "lambda", Report.words(metric), "cells"));
    for (Trial trial : best.subList(0, Math.min(10, best.size()))) {
      text.append(
          String.format(
              Locale.ROOT,
              "%12.6g %12.6g %12.6g %16.6g %8d%n",
              trial.gamma,
              trial.delta,
              trial.lambda,
              trial.metric,
              trial.cells));
    }
    return text.append("\n").append(winner(best.get(0))).append("\n").toString();
  }

  /** The command line that runs the best setting. */
  private String winner(Trial best) {
    StringBuilder line = new StringBuilder("avm online");
    List<String> words = words();
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      boolean hasValue =
          List.of(
                  "--by",
                  "--rows",
                  "--state",
                  "--most-cells",
                  "--gamma",
                  "-g",
                  "--delta",
                  "--lambda")
              .contains(word);
      boolean isOurs =
          hasValue
              || word.matches(
                  "(--json|--quiet|-q)|(--by|--rows|--state|--most-cells|--gamma|--delta|--lambda)=.*");
      i += hasValue ? 1 : 0;
      line.append(isOurs ? "" : " " + quoted(word));
    }
    return line.append(" --gamma ")
        .append(best.gamma)
        .append(" --delta ")
        .append(best.delta)
        .append(" --lambda ")
        .append(best.lambda)
        .toString();
  }

  private static String quoted(String word) {
    return word.matches("[-\\w./=,:+]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
