package org.avm4j.lab.paper;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The runs to execute, and those that are impossible.
 *
 * @param rules the number of runs and their time limit
 * @param experiments the first run of each variant of a method on each data set
 * @param obstacles sentences on requested runs that are impossible
 */
public record Plan(Rules rules, List<Experiment> experiments, List<String> obstacles) {
  /**
   * The number of runs of a method and their time limit.
   *
   * @param runs the number of runs, each in another order of the rows
   * @param fewRuns the number of runs of a slow method
   * @param slowSeconds a method is slow if its first run takes more processor seconds than this
   * @param limit processor seconds after which a run is stopped
   */
  public record Rules(int runs, int fewRuns, double slowSeconds, double limit) {
    public Rules {
      if (runs < 1 || fewRuns < 1 || !(limit > 0)) {
        throw new IllegalArgumentException("runs and time limit must be above 0");
      }
    }

    /** The number of runs, given the outcome of the first one. */
    public int runs(Experiment first, Outcome outcome) {
      boolean isOnce =
          first.contender().isDeterministic() || !outcome.isDone() || !first.study().hasTable();
      return isOnce ? 1 : outcome.seconds() > slowSeconds ? Math.min(fewRuns, runs) : runs;
    }
  }

  /** The request. */
  public record Request(List<Study> studies, List<DataSet> data, List<Contender> contenders) {}

  /** The plan for a request, in which empty lists mean all. */
  public static Plan of(
      Request request,
      Rules rules,
      Catalogue catalogue,
      SettingsTable settings,
      DataFolder folder) {
    List<Experiment> experiments = new ArrayList<>();
    List<String> obstacles = new ArrayList<>();
    for (Study study : request.studies()) {
      List<DataSet> sets = request.data().isEmpty() ? catalogue.of(study) : request.data();
      for (DataSet set : sets) {
        if (!set.suits(study)) {
          obstacles.add(set.name() + " is not for the study " + study.id());
        } else if (!folder.missing(set).isEmpty()) {
          obstacles.add(
              set.name() + " is missing: " + String.join(", ", folder.missing(set)) + ".libsvm.gz");
        } else {
          add(experiments, obstacles, study, set, request.contenders(), settings);
        }
      }
    }
    return new Plan(rules, experiments, obstacles.stream().distinct().toList());
  }

  private static void add(
      List<Experiment> experiments,
      List<String> obstacles,
      Study study,
      DataSet set,
      List<Contender> wanted,
      SettingsTable settings) {
    for (Contender contender : Contender.values()) {
      boolean isWanted = wanted.isEmpty() || wanted.contains(contender);
      if (isWanted && contender.takesPart(study, set.task())) {
        settings
            .find(set, contender)
            .ifPresentOrElse(
                recorded -> experiments.addAll(Sweep.of(study, set, contender, recorded)),
                () ->
                    obstacles.add(
                        "no settings are recorded for " + contender.id() + " on " + set.name()));
      }
    }
  }

  /**
   * All runs in three rounds: the first run of everything, then up to {@code fewRuns}, then the
   * rest. So an interrupted plan has results for everything. A round starts after the previous one,
   * which shows which methods are slow.
   */
  List<List<Experiment>> rounds() {
    int few = Math.min(rules.fewRuns(), rules.runs());
    return List.of(experiments, runs(2, few), runs(few + 1, rules.runs()));
  }

  private List<Experiment> runs(int from, int to) {
    List<Experiment> runs = new ArrayList<>();
    for (Experiment first : experiments) {
      if (first.study().hasTable()) {
        LongStream.rangeClosed(from, to).mapToObj(first::withSeed).forEach(runs::add);
      }
    }
    return runs;
  }

  /** The runs that are still needed, as far as is known now. */
  public List<Experiment> open(Results results) throws IOException {
    List<Experiment> open = new ArrayList<>();
    for (List<Experiment> round : rounds()) {
      open.addAll(open(round, results));
    }
    return open;
  }

  /** The runs of a round that are still needed. */
  List<Experiment> open(List<Experiment> round, Results results) throws IOException {
    List<Experiment> open = new ArrayList<>();
    for (Experiment experiment : round) {
      if (!isDone(experiment, results)) {
        open.add(experiment);
      }
    }
    return open;
  }

  /** Whether a run is done, or not needed because of what its first run showed. */
  boolean isDone(Experiment experiment, Results results) throws IOException {
    Experiment first = experiment.withSeed(1);
    if (experiment.seed() > 1 && results.isDone(first, rules.limit())) {
      int needed = rules.runs(first, results.find(first).orElseThrow());
      if (experiment.seed() > needed) {
        return true;
      }
    }
    return results.isDone(experiment, rules.limit());
  }
}
