package org.avm4j.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.avm4j.eval.Metrics;
import org.avm4j.io.ReadOptions;
import org.avm4j.run.Average;
import org.avm4j.run.DataSource;
import org.avm4j.run.Estimate;
import org.avm4j.run.RowStream;
import org.avm4j.run.Run;
import org.avm4j.run.Scoring;

/**
 * Checks the error on new rows that {@code avm train} promises: tables are split many times,
 * automatic mode learns one part, and its error on the other is compared with its promise.
 */
final class Promises {
  private final Path folder;
  private final ExecutorService cores;
  private final int learners;

  private Promises(Path folder, ExecutorService cores, int learners) {
    this.folder = folder;
    this.cores = cores;
    this.learners = learners;
  }

  record Outcome(Estimate promise, double error) {
    boolean isWithin() {
      return Math.abs(error - promise.value()) <= promise.margin();
    }
  }

  static void main(String[] words) throws IOException {
    Arguments arguments =
        new Arguments(words, List.of("splits", "tables", "rows", "learners"), List.of("each"));
    int splits = arguments.number("splits", 10);
    int rows = arguments.number("rows", PromiseTables.USUAL_ROWS);
    int learners = arguments.number("learners", Average.USUAL_LEARNERS);
    Path folder = Files.createTempDirectory("avm-promises");
    ExecutorService cores =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    try {
      Promises promises = new Promises(folder, cores, learners);
      System.out.println(header());
      List<Outcome> all = new ArrayList<>();
      List<Double> ratios = new ArrayList<>();
      for (PromiseTables.Table table :
          PromiseTables.tables(arguments.list("tables", List.of()), rows)) {
        List<Outcome> some = promises.outcomes(table, splits, arguments.has("each"));
        System.out.println(line(table.name(), some));
        all.addAll(some);
        ratios.add(ratio(some));
      }
      double mean = ratios.stream().mapToDouble(ratio -> ratio).average().orElse(Double.NaN);
      System.out.printf(
          Locale.ROOT,
          "%d splits: mean of the ratios %.3f, %.0f %% within%n",
          all.size(),
          mean,
          100 * within(all));
    } finally {
      cores.shutdown();
      for (Path file : Files.list(folder).toList()) {
        Files.delete(file);
      }
      Files.delete(folder);
    }
  }

  static String header() {
    return String.format(
        Locale.ROOT,
        "%-14s %10s %10s %10s %16s %8s",
        "table",
        "promise",
        "±",
        "error",
        "error / promise",
        "within");
  }

  static String line(String name, List<Outcome> some) {
    return String.format(
        Locale.ROOT,
        "%-14s %10.4g %10.3g %10.4g %16.3f %6.0f %%",
        name,
        some.stream().mapToDouble(one -> one.promise.value()).average().orElse(0),
        some.stream().mapToDouble(one -> one.promise.margin()).average().orElse(0),
        some.stream().mapToDouble(Outcome::error).average().orElse(0),
        ratio(some),
        100 * within(some));
  }

  /** The mean error over the mean promise. */
  static double ratio(List<Outcome> some) {
    double promised = some.stream().mapToDouble(one -> one.promise.value()).sum();
    return some.stream().mapToDouble(Outcome::error).sum() / promised;
  }

  static double within(List<Outcome> some) {
    return some.stream().filter(Outcome::isWithin).count() / (double) some.size();
  }

  private List<Outcome> outcomes(PromiseTables.Table table, int splits, boolean isEachTold)
      throws IOException {
    List<Outcome> outcomes = new ArrayList<>();
    for (int seed = 1; seed <= splits; seed++) {
      Outcome one = outcome(table, seed);
      outcomes.add(one);
      if (isEachTold) {
        System.out.println(line(table.name() + " " + seed, List.of(one)));
      }
    }
    return outcomes;
  }

  /** What {@code avm train} does with a table, then what {@code avm evaluate} finds. */
  Outcome outcome(PromiseTables.Table table, long seed) throws IOException {
    PromiseTables.Split split = table.split(seed);
    DataSource learned = source(table, table.write(folder, "learned", split.learned()));
    Run run = TrainedFile.run(learned, Map.of("seed", seed), learners, cores);
    Estimate promise = run.finish().estimate().orElseThrow();
    Scoring scoring = new Scoring(run.model()).requireLabels();
    try (RowStream rows =
        scoring.open(source(table, table.write(folder, "tried", split.tried())))) {
      Metrics metrics = scoring.run(rows, (right, answer) -> {});
      return new Outcome(promise, metrics.value());
    }
  }

  private static DataSource source(PromiseTables.Table table, Path file) {
    DataSource source = DataSource.of(file.toString());
    return table.label() == null
        ? source
        : source.withOptions(ReadOptions.DEFAULT.withLabel(table.label()));
  }
}
