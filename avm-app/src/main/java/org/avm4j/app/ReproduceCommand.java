package org.avm4j.app;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.avm4j.lab.paper.Catalogue;
import org.avm4j.lab.paper.Contender;
import org.avm4j.lab.paper.DataFolder;
import org.avm4j.lab.paper.DataSet;
import org.avm4j.lab.paper.Experiment;
import org.avm4j.lab.paper.Laboratory;
import org.avm4j.lab.paper.Outcome;
import org.avm4j.lab.paper.Plan;
import org.avm4j.lab.paper.Results;
import org.avm4j.lab.paper.SettingsTable;
import org.avm4j.lab.paper.Study;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code avm reproduce}: recreates the paper's tables and figures. */
@Command(
    name = "reproduce",
    description = {
      "Reproduce the paper's tables and figures and compare the numbers.",
      "First prints what will run, which data is missing and how long it may take. Each finished"
          + " run is saved in its own file, so an interrupted command continues where it stopped"
          + " and computes nothing twice."
    },
    footer = {
      "",
      "Examples:",
      "  avm reproduce all --plan",
      "  avm reproduce online --datasets a9a,cod-rna --learners fogd,avm-hinge --runs 3 --plan"
    })
final class ReproduceCommand implements Callable<Integer> {
  private static final String ALL = "all";
  private static final String SETTINGS = "settings";

  @Parameters(
      arity = "1..*",
      paramLabel = "STUDY",
      description =
          "Study to run: batch, online or regression (Tables 3, 4, 5 and their figures),"
              + " hyperparameters, budget, coverage, or all. settings searches gamma, lambda, eta"
              + " and C again in the paper's grids.")
  List<String> studies;

  @Option(
      names = "--datasets",
      paramLabel = "NAME",
      split = ",",
      description =
          "Data sets to use, separated by commas; avm data get --list prints them. Default: all"
              + " of the study.")
  List<String> datasets = new ArrayList<>();

  @Option(
      names = "--learners",
      paramLabel = "NAME",
      split = ",",
      description = "Learners to use, separated by commas. Default: all of the study.")
  List<String> learners = new ArrayList<>();

  @Option(
      names = "--runs",
      paramLabel = "N",
      defaultValue = "10",
      description =
          "Number of random orders of the rows. Default: ${DEFAULT-VALUE}, as in the paper.")
  int runs;

  @Option(
      names = "--few-runs",
      paramLabel = "N",
      defaultValue = "3",
      description = "Number of random orders for slow runs. Default: ${DEFAULT-VALUE}.")
  int fewRuns;

  @Option(
      names = "--slow",
      paramLabel = "SECONDS",
      defaultValue = "120",
      description = "Processor time from which a run counts as slow. Default: ${DEFAULT-VALUE}.")
  double slow;

  @Option(
      names = "--time-limit",
      paramLabel = "SECONDS",
      defaultValue = "7200",
      description =
          "Processor time after which a run is stopped and reported as stopped. Default:"
              + " ${DEFAULT-VALUE}, two hours as in the paper.")
  double limit;

  @Option(
      names = {"-o", "--out"},
      paramLabel = "DIR",
      defaultValue = "reproduce",
      description = "Folder for runs, tables, figures and the report. Default: ${DEFAULT-VALUE}.")
  Path out;

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      defaultValue = "${env:AVM_DATA}",
      description = "Folder with the data. Default: the environment variable AVM_DATA.")
  Path data;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "0",
      description = "Number of parallel runs. Default: one per processor.")
  int threads;

  @Option(names = "--plan", description = "Print what would run and exit.")
  boolean planOnly;

  @Option(
      names = "--catalogue",
      paramLabel = "FILE",
      hidden = true,
      description = "Use this catalogue of data sets instead of the built-in one.")
  Path catalogueFile;

  @Option(
      names = "--settings",
      paramLabel = "FILE",
      description =
          "Use these settings instead of the recorded ones: a file with rows of"
              + " data,learner,settings.")
  Path settingsFile;

  @Option(
      names = {"-q", "--quiet"},
      description = "Do not print progress.")
  boolean quiet;

  private Catalogue catalogue;
  private DataFolder folder;
  private Results results;
  private SettingsTable settings;

  @Override
  public Integer call() throws IOException, InterruptedException {
    check();
    catalogue = catalogueFile == null ? Catalogue.standard() : read(catalogueFile, Catalogue::read);
    folder = new DataFolder(data);
    results = new Results(out);
    List<DataSet> sets = datasets.stream().map(catalogue::named).toList();
    List<Contender> contenders = learners.stream().map(Contender::named).toList();
    if (studies.contains(SETTINGS)) {
      return new SettingsSearch(catalogue, folder, out, quiet).run(sets, contenders, threads());
    }
    settings =
        settingsFile == null ? SettingsTable.standard() : read(settingsFile, SettingsTable::read);
    Plan plan =
        Plan.of(
            new Plan.Request(studies(), sets, contenders),
            new Plan.Rules(runs, fewRuns, slow, limit),
            catalogue,
            settings,
            folder);
    List<Experiment> open = plan.open(results);
    System.out.print(shown(plan, open));
    return planOnly ? 0 : run(plan, open);
  }

  private void check() {
    if (runs < 1 || fewRuns < 1 || !(limit > 0) || !(slow >= 0) || threads < 0) {
      throw Failure.usage(
          "--runs, --few-runs and --time-limit must be above 0, --slow and --threads at least 0");
    }
    if (data != null && !Files.isDirectory(data)) {
      throw new Failure(Failure.NO_INPUT, data + ": no such folder");
    }
  }

  private static <T> T read(Path file, Function<Reader, T> parser) throws IOException {
    try (Reader reader = Files.newBufferedReader(file)) {
      return parser.apply(reader);
    } catch (IllegalArgumentException wrong) {
      throw new Failure(Failure.BAD_DATA, file + ": " + wrong.getMessage());
    }
  }

  private int threads() {
    return threads == 0 ? Runtime.getRuntime().availableProcessors() : threads;
  }

  private List<Study> studies() {
    return studies.contains(ALL)
        ? Arrays.asList(Study.values())
        : studies.stream().map(ReproduceCommand::study).distinct().toList();
  }

  private static Study study(String word) {
    return Arrays.stream(Study.values())
        .filter(study -> study.id().equals(word.toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () ->
                Failure.usage(
                    "a study must be one of batch, online, regression, hyperparameters, budget,"
                        + " coverage, all or settings: "
                        + word));
  }

  private String shown(Plan plan, List<Experiment> open) throws IOException {
    StringBuilder text = new StringBuilder();
    Map<String, Integer> counts = new LinkedHashMap<>();
    for (Experiment experiment : open) {
      counts.merge(experiment.study().id() + " " + experiment.data().title(), 1, Integer::sum);
    }
    counts.forEach((name, count) -> text.append(String.format("%6d runs  %s%n", count, name)));
    plan.obstacles().forEach(sentence -> text.append("   not run  ").append(sentence).append('\n'));
    Forecast forecast = new Forecast(plan, results);
    text.append(
        Text.format(
            "%d runs at most, %s on %d threads%n",
            open.size(),
            open.isEmpty()
                ? "nothing to do"
                : "about " + Text.seconds(forecast.left(open, threads())),
            threads()));
    return text.toString();
  }

  private int run(Plan plan, List<Experiment> open) throws IOException, InterruptedException {
    createFolder();
    Forecast forecast = new Forecast(plan, results);
    List<Experiment> left = new ArrayList<>(open);
    Laboratory laboratory =
        new Laboratory(
            plan,
            folder,
            results,
            (experiment, outcome) -> onOutcome(experiment, outcome, left, forecast));
    try (Interrupt interrupt = new Interrupt(() -> {}, laboratory::stop)) {
      boolean isWhole = laboratory.run(threads()) && !interrupt.isRequested();
      report();
      return isWhole ? 0 : Failure.INTERRUPTED;
    }
  }

  private void report() throws IOException {
    org.avm4j.lab.paper.PaperReport report =
        new org.avm4j.lab.paper.PaperReport(catalogue, settings, results, folder, out);
    report.write();
    if (!report.hasFigures()) {
      System.err.println("avm: this computer has no fonts, so no figures were drawn");
    }
    System.out.println(out.resolve("README.md"));
    System.out.println(out.resolve("report.html"));
  }

  private void createFolder() {
    try {
      Files.createDirectories(out);
    } catch (IOException failed) {
      throw new Failure(Failure.CANNOT_CREATE, out + ": cannot be created");
    }
  }

  private void onOutcome(
      Experiment experiment, Outcome outcome, List<Experiment> left, Forecast forecast) {
    left.remove(experiment);
    forecast.learn(experiment, outcome);
    left.removeIf(other -> !forecast.isNeeded(other));
    if (!quiet) {
      System.err.printf(
          Locale.ROOT,
          "%s: %s in %s; %d runs left, about %s%n",
          experiment,
          figure(outcome),
          Text.seconds(outcome.seconds()),
          left.size(),
          Text.seconds(forecast.left(left, threads())));
    }
  }

  private static String figure(Outcome outcome) {
    return switch (outcome.status()) {
      case DONE -> Text.format("%.4g", outcome.metric());
      case TIME -> "time limit";
      case MEMORY -> "out of memory";
    };
  }
}
