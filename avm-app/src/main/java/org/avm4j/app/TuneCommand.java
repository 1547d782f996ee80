package org.avm4j.app;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.avm4j.data.Instance;
import org.avm4j.run.PreparedData;
import org.avm4j.spec.DefaultRules;
import org.avm4j.spec.GridSearch;
import org.avm4j.spec.GridSearch.Trial;
import org.avm4j.spec.Judge;
import org.avm4j.spec.Judges;
import org.avm4j.spec.LearnerSpec;
import org.avm4j.table.Scaling;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code avm tune}: searches the paper's grids for the best settings. */
@Command(
    name = "tune",
    description = {
      "Search the paper's parameter grids and print the best command line.",
      "For avm the grid covers gamma, delta by the paper's heuristic, and lambda = 2^k/rows with"
          + " --update sgd or the prior with newton. For baselines it covers gamma and eta, lambda"
          + " or C. Parameters given on the command line stay fixed.",
      "Automatic mode is measured on the same rows, and is recommended if nothing in the grid is"
          + " better."
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

  @Spec CommandSpec spec;

  @Mixin InputOptions input;

  @Mixin Threads threads;

  @ArgGroup(validate = false, heading = "%nLearner:%n")
  LearnerOptions learner = new LearnerOptions();

  @Option(
      names = "--scale",
      paramLabel = "HOW",
      description =
          "Scaling of the features: none, unit, symmetric, standard or numbers. Default: chosen"
              + " by automatic mode.")
  Scaling scaling;

  @Option(
      names = "--by",
      paramLabel = "WHAT",
      defaultValue = "prequential",
      description =
          "Error to compare by: prequential, or holdout, which learns four fifths of the rows and"
              + " measures on the rest. Default: ${DEFAULT-VALUE}.")
  By by;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "10000",
      description = "Number of random rows to use; 0 means all. Default: ${DEFAULT-VALUE}.")
  int rows;

  @Option(
      names = "--state",
      paramLabel = "FILE",
      description = "File to save finished trials in. An interrupted run continues from it.")
  Path state;

  @Option(
      names = "--most-cells",
      paramLabel = "N",
      defaultValue = "1000",
      description =
          "Abandon a setting that reaches this number of vectors. Default: ${DEFAULT-VALUE}.")
  int mostCells;

  @Option(names = "--json", description = "Print the results as one JSON object.")
  boolean json;

  @Option(
      names = {"-q", "--quiet"},
      description = "Do not print progress.")
  boolean quiet;

  private DefaultRules rules;
  private List<Instance> data;
  private AutomaticTrial automatic;

  @Override
  public Integer call() throws IOException {
    if (rows < 0 || mostCells < 1) {
      throw Failure.usage("--rows must be at least 0 and --most-cells at least 1");
    }
    Failure.ifNotWritable(state, input.data);
    LearnerSpec learning = LearnerOptions.spec(spec);
    if (learning.isUnsupervised()) {
      throw LearnerOptions.unsupervisedFailure();
    }
    PreparedData prepared = PreparedData.look(input.source(), learning, Integer.MAX_VALUE);
    if (!quiet) {
      InputOptions.tell(prepared.notes());
    }
    data = sample(prepared, learning.seed());
    automatic = AutomaticTrial.of(learning, prepared, data, by == By.HOLDOUT);
    rules = automatic.rules();
    print(search());
    return 0;
  }

  /** A random sample of the rows. */
  private List<Instance> sample(PreparedData prepared, long seed) throws IOException {
    List<Instance> all = PreparedData.shuffled(prepared.all(), seed);
    return all.subList(0, rows == 0 ? all.size() : Math.min(rows, all.size()));
  }

  /** All trials, the best first. */
  private List<Trial> search() throws IOException {
    TrialLog log = new TrialLog(state, command());
    GridSearch search = new GridSearch(rules.grid(), judge()).resume(log.finished());
    AtomicInteger done = new AtomicInteger();
    try (Progress progress = new Progress(System.err, quiet, "tune", search.open());
        WorkerPool cores = threads.cores(search.open())) {
      return search
          .run(
              cores,
              trial -> {
                progress.stepTo(done.incrementAndGet());
                log.append(trial);
              })
          .stream()
          .sorted(Trial.BEST_FIRST)
          .toList();
    }
  }

  private Judge judge() {
    Judges.Learners learners = point -> rules.with(rules.spec().with(point)).pipeline();
    return by == By.PREQUENTIAL
        ? Judges.prequential(rules.task(), learners, List.of(data), mostCells)
        : Judges.holdout(rules.task(), learners, data, mostCells);
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

  private void print(List<Trial> best) {
    if (!Double.isFinite(best.get(0).metric()) && !automatic.isBetterThan(best.get(0).metric())) {
      throw new Failure(
          Failure.BAD_DATA, "every setting needed more vectors than --most-cells " + mostCells);
    }
    String metric = rules.task().isRegression() ? "rmse" : "mistakeRate";
    System.out.print(json ? Json.of(values(best, metric)) : table(best, metric));
  }

  private Map<String, Object> values(List<Trial> best, String metric) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("command", recommended(best.get(0)));
    values.put("rows", data.size());
    values.put("scale", rules.spec().scaling().word());
    automatic
        .metric()
        .ifPresent(
            value -> {
              values.put("automatic", value);
              values.put("isAutomaticBetter", automatic.isBetterThan(best.get(0).metric()));
            });
    values.put(
        "trials",
        best.stream()
            .map(
                trial -> {
                  Map<String, Object> row = new LinkedHashMap<>(trial.point());
                  row.put(metric, trial.metric());
                  row.put("size", trial.size());
                  return row;
                })
            .toList());
    return values;
  }

  private String table(List<Trial> best, String metric) {
    StringBuilder text = new StringBuilder();
    best.get(0).point().keySet().forEach(name -> text.append(String.format("%15s", name)));
    text.append(String.format("%15s %8s%n", FigureText.words(metric), "size"));
    for (Trial trial : best.subList(0, Math.min(10, best.size()))) {
      trial.point().values().forEach(v -> text.append(Text.format("%15.6g", v)));
      text.append(Text.format("%15.6g %8d%n", trial.metric(), trial.size()));
    }
    automatic.metric().ifPresent(value -> text.append(compared(value, best.get(0), metric)));
    return text.append("\n").append(recommended(best.get(0))).append("\n").toString();
  }

  private String compared(double value, Trial best, String metric) {
    String said =
        automatic.isBetterThan(best.metric())
            ? "automatic mode is better: %s %.6g; it needs no settings"
            : "automatic mode: %s %.6g";
    return Text.format("%n" + said + "%n", FigureText.words(metric), value);
  }

  /** The command line of the best setting, or of automatic mode if that is better. */
  private String recommended(Trial best) {
    return automatic.isBetterThan(best.metric()) ? line(Map.of()) : winner(best);
  }

  /** The command line that runs the best setting. */
  private String winner(Trial best) {
    Map<String, Object> point = new LinkedHashMap<>(best.point());
    if (rules.spec().scaling() != Scaling.NONE || automatic.metric().isPresent()) {
      point.put(LearnerSpec.SCALE, rules.spec().scaling().word());
    }
    return line(point);
  }

  /** The typed command line, with these options instead of those of the search. */
  private String line(Map<String, Object> point) {
    List<String> ours =
        new ArrayList<>(List.of("--by", "--rows", "--state", "--most-cells", "-g", "-c"));
    point.keySet().forEach(name -> ours.add("--" + name));
    List<String> flags = List.of("--json", "--quiet", "-q");
    StringBuilder line = new StringBuilder("avm online");
    Iterator<String> words = words().iterator();
    while (words.hasNext()) {
      String word = words.next();
      if (ours.contains(word)) {
        words.next();
      } else if (!flags.contains(word) && !ours.contains(word.replaceFirst("=.*", ""))) {
        line.append(' ').append(ReproduceLine.quoted(word));
      }
    }
    point.forEach((name, value) -> line.append(" --" + name + " " + value));
    return line.toString();
  }
}
