package org.avm4j.auto;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.avm4j.Update;
import org.avm4j.data.Instance;

/**
 * Finds kernel, width, prior, metric and linear part. Scouts, machines with few vectors, find the
 * settings; the best settings go on with all the vectors that the options allow.
 */
final class CandidateSearch {
  /** The number of settings that are looked at more closely. */
  private static final int FINALISTS = 3;

  /** From this number of rows on candidates with a metric run beside the others. */
  private static final int METRIC_FROM = 128;

  /** No candidate is added when this number of them run. */
  private static final int MOST_RUNNERS = 20;

  /** The widest linear part that is tried: its matrix is dense. */
  static final int MOST_LINEAR = 512;

  private final SearchStart start;
  private final AutoOptions options;
  private final Lineup lineup;
  private final List<Instance> rows;
  private final Trials trials;
  private final Consumer<List<Runner>> found;
  private Candidate plainSettings;

  CandidateSearch(
      SearchStart start,
      AutoOptions options,
      Lineup lineup,
      List<Instance> rows,
      Trials trials,
      Consumer<List<Runner>> found) {
    this.start = start;
    this.options = options;
    this.lineup = lineup;
    this.rows = rows;
    this.trials = trials;
    this.found = found;
  }

  void begin() {
    switch (start.goal()) {
      case FIELD -> trials.machines(start.candidates(), this::addMetric);
      case SETTINGS -> tryPriors(start.candidates());
      default ->
          trials.machines(
              start.candidates(), all -> tryPriors(all.stream().map(Runner::candidate).toList()));
    }
  }

  /** What was best without a metric, if what was found has one; else null. */
  Candidate plainSettings() {
    return plainSettings;
  }

  private boolean mayLearnMetric() {
    int dimension = Lineup.dimension(rows);
    boolean isEnough = rows.size() >= METRIC_FROM && rows.size() >= dimension;
    return options.learnsMetric() && isEnough && dimension <= MOST_LINEAR;
  }

  /** Candidates with a metric run beside the others. */
  private void addMetric(List<Runner> runners) {
    if (mayLearnMetric() && runners.size() < MOST_RUNNERS) {
      Runner holder = runners.get(0);
      trials.relevance(
          holder,
          relevance ->
              trials.machines(
                  holder.candidate().weighted(relevance).toList(),
                  more -> addMetric(runners, more)));
    } else {
      found.accept(runners);
    }
  }

  private void addMetric(List<Runner> runners, List<Runner> more) {
    List<Runner> all = new ArrayList<>(more);
    all.addAll(runners);
    all.sort(Comparator.comparingDouble(Runner::meanLoss));
    if (all.get(0) != runners.get(0)) {
      addMetric(all);
    } else {
      found.accept(all);
    }
  }

  /** The best as scouts, at several priors; a metric is found anew. */
  private void tryPriors(List<Candidate> ranking) {
    boolean hasPlain = ranking.stream().anyMatch(candidate -> candidate.metric().isNone());
    trials.machines(
        ranking.stream()
            .filter(candidate -> !hasPlain || candidate.metric().isNone())
            .map(candidate -> candidate.withoutMetric().scout(options))
            .distinct()
            .limit(FINALISTS)
            .flatMap(candidate -> candidate.withPriors(options, start.task()).stream())
            .toList(),
        this::tryWidths);
  }

  private void tryWidths(List<Runner> best) {
    trials.machines(
        ranking(best).limit(FINALISTS).flatMap(Candidate::withWidths).toList(),
        runners -> learnMetric(runners, runners.get(0).candidate(), 0));
  }

  private static Stream<Candidate> ranking(List<Runner> runners) {
    return runners.stream().map(Runner::candidate);
  }

  /**
   * Weighs the features of the best candidate by what they tell in the first half, as long as that
   * lowers the loss of the second.
   */
  private void learnMetric(List<Runner> runners, Candidate alike, int round) {
    if (round == MetricSearch.ROUNDS || !mayLearnMetric()) {
      keepMetric(runners, alike);
    } else {
      trials.relevance(runners.get(0), relevance -> tryMetric(runners, alike, round, relevance));
    }
  }

  private void tryMetric(List<Runner> before, Candidate alike, int round, Relevance relevance) {
    Runner holder = before.get(0);
    Candidate now = holder.candidate();
    trials.machines(
        Stream.concat(now.weighted(relevance), now.mapped(relevance)).toList(),
        after -> {
          double most = MetricSearch.CLEARLY * holder.meanLoss();
          boolean isBetter = !after.isEmpty() && after.get(0).meanLoss() < most;
          learnMetric(isBetter ? after : before, alike, isBetter ? round + 1 : MetricSearch.ROUNDS);
        });
  }

  private void keepMetric(List<Runner> runners, Candidate alike) {
    boolean isPlain = runners.get(0).isPlain();
    plainSettings = isPlain ? null : alike;
    if (isPlain && start.known().isEmpty()) {
      tryFullSize(runners);
    } else {
      Stream<Candidate> known = start.known().stream().map(candidate -> candidate.scout(options));
      Stream<Candidate> all = Stream.concat(ranking(runners).limit(1), known);
      trials.machines(all.flatMap(Candidate::withWidths).toList(), this::tryFullSize);
    }
  }

  /** The best ones, and the very best with a narrower kernel, which more vectors can bear. */
  private void tryFullSize(List<Runner> runners) {
    Stream<Candidate> narrower = ranking(runners).limit(1).map(Candidate::narrower);
    trials.machines(
        Stream.of(ranking(runners).limit(1), narrower, ranking(runners))
            .flatMap(some -> some)
            .distinct()
            .limit(FINALISTS)
            .map(candidate -> candidate.full(options))
            .toList(),
        this::chooseLinear);
  }

  private void chooseLinear(List<Runner> runners) {
    List<Candidate> ranking = ranking(runners).toList();
    if (options.isFree(AutoOptions.Choice.LINEAR)) {
      tryLinear(ranking, runners.get(0).meanLoss(), Update.NO_LINEAR_PART, 0);
    } else {
      finish(ranking, options.base().update().linear());
    }
  }

  /** Tries the linear part with which the best candidate is clearly better than without. */
  private void tryLinear(List<Candidate> ranking, double least, int chosen, int linear) {
    int features = Lineup.dimension(rows);
    if (linear > MOST_LINEAR) {
      finish(ranking, chosen);
      return;
    }
    trials.machines(
        List.of(ranking.get(0).withLinear(linear)),
        runners -> {
          double loss = runners.get(0).meanLoss();
          int better = loss < MetricSearch.CLEARLY * least ? linear : chosen;
          if (linear == features) {
            finish(ranking, better);
          } else {
            tryLinear(ranking, Math.min(loss, least), better, features);
          }
        });
  }

  /**
   * The best go on at full size, or the best of them as a tree. Few rows tell little of many
   * features: where they said no to a linear part, a tree that has one goes on beside it.
   */
  private void finish(List<Candidate> ranking, int linear) {
    if (!options.growsTree()) {
      List<Candidate> all = ranking.stream().map(c -> c.withLinear(linear)).toList();
      trials.stay(lineup.runners(all, options, rows), found);
      return;
    }
    Candidate winner = ranking.get(0).withLinear(linear);
    List<Runner> trees = new ArrayList<>(List.of(lineup.tree(winner, options, rows)));
    int features = Lineup.dimension(rows);
    boolean mayHelp = features > linear && features <= MOST_LINEAR;
    if (options.isFree(AutoOptions.Choice.LINEAR) && mayHelp) {
      trees.add(lineup.tree(winner.withLinear(features), options, rows));
    }
    trials.stay(trees, any -> found.accept(trees));
  }
}
