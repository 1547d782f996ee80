package org.avm4j.app;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.avm4j.OnlineLearner;
import org.avm4j.Task;
import org.avm4j.Update;
import org.avm4j.data.Instance;
import org.avm4j.data.Scaling;
import org.avm4j.eval.Metrics;
import org.avm4j.eval.Prequential;
import org.avm4j.lab.baseline.Method;
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
      "Try the paper's grids and print the best command line: gamma, and for avm delta by the heuristic",
      "with lambda = 2^k/rows for --update sgd or the prior for newton, for baselines eta, lambda or C.",
      "What is given is taken as given."
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

  /** A number to vary, and the values to try. */
  private record Axis(String option, double[] values) {}

  /** One setting, and what it gave. */
  private record Trial(Map<String, Double> setting, double metric, int size) {
    String line() {
      return words() + " " + metric + " " + size;
    }

    private String words() {
      return setting.entrySet().stream()
          .map(entry -> entry.getKey() + "=" + entry.getValue())
          .collect(Collectors.joining(" "));
    }

    static Trial parse(String line) {
      String[] words = line.split(" ");
      Map<String, Double> setting = new LinkedHashMap<>();
      for (String word : Arrays.asList(words).subList(0, words.length - 2)) {
        int at = word.indexOf('=');
        setting.put(word.substring(0, at), Double.parseDouble(word.substring(at + 1)));
      }
      double metric = Double.parseDouble(words[words.length - 2]);
      return new Trial(setting, metric, Integer.parseInt(words[words.length - 1]));
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
    if (rows < 0 || mostCells < 1) {
      throw new Failure(Failure.USAGE, "--rows must be at least 0 and --most-cells at least 1");
    }
    Failure.ifNotWritable(state, input.data);
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
    List<Instance> all = LearningCommand.shuffled(prepared.all(), learner.seed);
    int most = rows == 0 ? all.size() : Math.min(rows, all.size());
    return prepared.scaled(all.subList(0, most));
  }

  /** The settings that are not done. */
  private List<Trial> grid() {
    List<Map<String, Double>> settings = new ArrayList<>();
    settings.add(new LinkedHashMap<>());
    for (Axis axis : axes()) {
      settings = settings.stream().flatMap(setting -> extended(setting, axis)).toList();
    }
    return settings.stream()
        .filter(setting -> trials.stream().noneMatch(trial -> trial.setting.equals(setting)))
        .map(setting -> new Trial(setting, Double.NaN, 0))
        .toList();
  }

  private static Stream<Map<String, Double>> extended(Map<String, Double> setting, Axis axis) {
    return Arrays.stream(axis.values)
        .mapToObj(
            value -> {
              Map<String, Double> longer = new LinkedHashMap<>(setting);
              longer.put(axis.option, value);
              return longer;
            });
  }

  /** The paper's grids for the numbers that the learner has and that are not given. */
  private List<Axis> axes() {
    List<Axis> axes = new ArrayList<>();
    add(axes, "gamma", learner.gamma, powers(-8, -4, -2, 0, 2, 4, 8));
    if (learner.name.equals(LearnerOptions.AVM)) {
      add(axes, "delta", learner.delta, prepared.survey().distances().diameters(5));
      if (learner.update() instanceof Update.Newton) {
        add(axes, "prior", learner.prior, new double[] {0.001, 0.01, 0.1, 1, 10});
      } else {
        boolean isGiven = learner.lambda != null || learner.c != null;
        Double given = isGiven ? learner.regularization(prepared.rows()) : null;
        add(axes, "lambda", given, lambdas());
      }
      return axes;
    }
    switch (Method.named(learner.name)) {
      case OGD, BOGD, FOGD, NOGD ->
          add(axes, "eta", learner.baseline.eta, new double[] {16, 8, 4, 2, .2, .02, .002, .0002});
      case BSGD_M, BSGD_R -> add(axes, "lambda", learner.lambda, lambdas());
      case BPAS ->
          add(axes, "aggressiveness", learner.baseline.aggressiveness, powers(-4, -2, 0, 2));
      default -> {}
    }
    return axes;
  }

  private static void add(List<Axis> axes, String option, Double given, double[] values) {
    axes.add(new Axis(option, given == null ? values : new double[] {given}));
  }

  private double[] lambdas() {
    double n = Math.max(prepared.survey().rows(), data.size());
    return Arrays.stream(powers(-4, -2, 0, 2, 4, 6, 8, 10, 12, 14, 16)).map(p -> p / n).toArray();
  }

  private static double[] powers(int... exponents) {
    return Arrays.stream(exponents).mapToDouble(k -> Math.pow(2, k)).toArray();
  }

  private void run(Trial trial, Progress progress) {
    LearnerOptions chosen = learner;
    for (Map.Entry<String, Double> entry : trial.setting.entrySet()) {
      chosen = chosen.with(entry.getKey(), entry.getValue());
    }
    double metric = Double.POSITIVE_INFINITY;
    int size = 0;
    try {
      OnlineLearner fresh = prepared.pipelineOfScaled(chosen);
      Metrics metrics = Learners.metrics(fresh);
      boolean within = by == By.PREQUENTIAL ? prequential(fresh, metrics) : holdout(fresh, metrics);
      metric = within ? metrics.value() : metric;
      size = fresh.size();
    } catch (IllegalArgumentException impossible) {
      // Numbers that do not go together, such as a step too long for the regularization.
    }
    finish(new Trial(trial.setting, metric, size), progress);
  }

  private boolean prequential(OnlineLearner fresh, Metrics metrics) {
    Prequential run = new Prequential(fresh, metrics);
    for (Instance row : data) {
      run.step(row.features(), row.label());
      if (fresh.size() > mostCells) {
        return false;
      }
    }
    return true;
  }

  private boolean holdout(OnlineLearner fresh, Metrics metrics) {
    int learned = data.size() * 4 / 5;
    for (Instance row : data.subList(0, learned)) {
      fresh.learn(row.features(), row.label());
      if (fresh.size() > mostCells) {
        return false;
      }
    }
    for (Instance row : data.subList(learned, data.size())) {
      metrics.add(row.label(), fresh.predict(row.features()), new double[0]);
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
                    .thenComparingInt(Trial::size)
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
                  row.putAll(trial.setting);
                  row.put(metric, trial.metric);
                  row.put("size", trial.size);
                  return row;
                })
            .toList());
    return values;
  }

  private String table(List<Trial> best, String metric) {
    StringBuilder text = new StringBuilder();
    best.get(0).setting.keySet().forEach(name -> text.append(String.format("%15s", name)));
    text.append(String.format("%15s %8s%n", Report.words(metric), "size"));
    for (Trial trial : best.subList(0, Math.min(10, best.size()))) {
      trial.setting.values().forEach(v -> text.append(String.format(Locale.ROOT, "%15.6g", v)));
      text.append(String.format(Locale.ROOT, "%15.6g %8d%n", trial.metric, trial.size));
    }
    return text.append("\n").append(winner(best.get(0))).append("\n").toString();
  }

  /** The command line that runs the best setting. */
  private String winner(Trial best) {
    List<String> ours =
        new ArrayList<>(List.of("--by", "--rows", "--state", "--most-cells", "-g", "-c"));
    best.setting.keySet().forEach(name -> ours.add("--" + name));
    List<String> flags = List.of("--json", "--quiet", "-q");
    StringBuilder line = new StringBuilder("avm online");
    Iterator<String> words = words().iterator();
    while (words.hasNext()) {
      String word = words.next();
      if (ours.contains(word)) {
        words.next();
      } else if (!flags.contains(word) && !ours.contains(word.replaceFirst("=.*", ""))) {
        line.append(' ').append(quoted(word));
      }
    }
    best.setting.forEach((name, value) -> line.append(" --" + name + " " + value));
    return line.toString();
  }

  private static String quoted(String word) {
    return word.matches("[-\\w./=,:+]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
