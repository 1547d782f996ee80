package org.avm4j.auto;

import java.util.List;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;
import org.avm4j.tree.AvmTree;

/**
 * Finds settings by trials on the rows that were kept, a slice of the work with each row of the
 * stream, so that no row waits for a whole search. The runners that are found have learned all rows
 * that came meanwhile, too.
 *
 * <p>Work is counted and not timed, so a search takes the same number of rows on every machine. A
 * file holds its start and the number of slices done (4); reading the file repeats those slices.
 */
final class Search {
  /**
   * The work of a slice in multiplications, about ten milliseconds. With a quarter of it a search
   * takes some hundred rows more: elec has 7.7 % mistakes in 5,000 rows instead of 6.2 %.
   */
  private static final long SLICE = 1 << 23;

  /** Work for a row of the cheap experts beside the runners. */
  private static final long WORK_OF_CHEAP = 1 << 15;

  /** Work for a row of all experts beside a tree. */
  private static final long WORK_OF_ALL = 1 << 17;

  private final SearchStart start;
  private final Lineup lineup;
  private final Trials trials;
  private final CandidateSearch settings;

  /** All rows that are kept, which become more as the search goes on. */
  private final List<Instance> kept;

  /** Whether experts are to stand beside the runners. */
  private final boolean hasExperts;

  /** Those experts; null before the runners are found. */
  private Ensemble beside;

  private List<Runner> found = List.of();
  private int learned;
  private int learnedBeside;
  private int slices;

  /**
   * A search that has not done anything yet.
   *
   * @param before the race so far; trees with another metric see features as scaled as it does
   * @param kept the rows so far; the caller adds those that follow
   */
  Search(SearchStart start, AutoOptions options, Race before, List<Instance> kept) {
    this.start = start;
    this.kept = kept;
    List<Instance> rows = List.copyOf(kept.subList(0, start.rows()));
    learned = start.rows();
    boolean isForMetric = start.goal() == SearchStart.Goal.METRIC;
    lineup = isForMetric ? before.lineup() : new Lineup(start.task(), start.labels());
    trials = new Trials(lineup, options, rows);
    settings =
        new CandidateSearch(start, options, lineup, rows, trials, runners -> found = runners);
    hasExperts = options.followsChange() && !isForMetric;
    if (isForMetric) {
      new MetricSearch(start, trials, runners -> found = runners).begin();
    } else {
      settings.begin();
    }
  }

  /**
   * Does a slice of the work; returns whether the search is over.
   *
   * @param known the number of rows that are kept by now
   */
  boolean goOn(int known) {
    slices++;
    return work(SLICE, known);
  }

  /** Does all that is left. */
  Search finish() {
    work(Long.MAX_VALUE, kept.size());
    return this;
  }

  /** Does all that is left but for the experts, and returns the race among those found. */
  Race finishRace() {
    while (!trials.areOver()) {
      trials.step();
    }
    while (learned < kept.size()) {
      learnLater(kept.size());
    }
    return race();
  }

  /**
   * Goes on until the work is done or the search is over.
   *
   * @param known the number of rows that are known by now
   */
  private boolean work(long most, int known) {
    long left = most;
    while (left > 0 && !isOver(known)) {
      left -= trials.areOver() ? learnLater(known) : trials.step();
    }
    return isOver(known);
  }

  private boolean isOver(int known) {
    return trials.areOver() && learned >= known && (!hasExperts || learnedBeside >= known);
  }

  /** Lets what was found learn one more row; once it has caught up, the experts beside it do. */
  private long learnLater(int known) {
    if (learned >= known) {
      if (beside == null) {
        List<Instance> rows = kept.subList(0, start.rows());
        beside = Ensemble.of(rows, start.task().kind(), start.labels(), found.get(0));
      }
      Instance row = kept.get(learnedBeside++);
      beside.follow(row.features(), start.labels().transform(row.label()), row.weight());
      return found.get(0).isTree() ? WORK_OF_ALL : WORK_OF_CHEAP;
    }
    Instance row = kept.get(learned++);
    double label = start.labels().transform(row.label());
    long work = Replay.LEAST_WORK;
    for (Runner runner : found) {
      runner.learn(runner.scaler().apply(row.features()), label, row.weight());
      work += Replay.work(runner, row);
    }
    return work;
  }

  /** The race among those that were found. */
  Race race() {
    return new Race(start.task(), start.labels(), lineup, found, settings.plainSettings());
  }

  /** The experts beside them from instance t on, if any, with the weights that are known. */
  Ensemble beside(Ensemble before, long t) {
    return beside == null ? before : beside.startAt(t, before);
  }

  /** Trees that may be better than the one that answers, if it was a search for a metric. */
  List<Runner> trees() {
    return found;
  }

  /** Whether a label fits what is searched for. */
  boolean accepts(double y) {
    return start.labels().accepts(y);
  }

  /** Whether what is found has several classes. */
  boolean hasClasses() {
    return start.task().kind() == Task.Kind.MULTICLASS;
  }

  boolean isForMetric() {
    return start.goal() == SearchStart.Goal.METRIC;
  }

  void encode(Encoder out) {
    start.encode(out);
    out.int32(slices);
  }

  /** Reads what {@link #encode} wrote, and does the slices again. */
  static Search decode(Decoder in, AutoOptions options, Race before, List<Instance> kept)
      throws ModelFileException {
    SearchStart start = SearchStart.decode(in);
    Decoder.check(start.rows() <= kept.size(), "the rows of a search must be kept", start.rows());
    int later = Math.min(kept.size() - start.rows(), FirstRows.MOST_LATER);
    int slices = in.int32("the slices of a search", later + 1);
    for (Instance row : kept) {
      Decoder.check(start.labels().accepts(row.label()), "a label must fit", row.label());
    }
    boolean isTree = before.best().inspect(AvmTree.class).isPresent();
    boolean fits = isTree && Lineup.dimension(kept) <= CandidateSearch.MOST_LINEAR;
    Decoder.check(
        start.goal() != SearchStart.Goal.METRIC || fits && start.candidates().size() == 1,
        "a metric must be for a tree of few features",
        start.goal());
    try {
      Search search = new Search(start, options, before, kept);
      for (int i = 0; i < slices; i++) {
        search.goOn(start.rows() + i);
      }
      return search;
    } catch (IllegalArgumentException | IndexOutOfBoundsException refused) {
      throw new ModelFileException("damaged content: " + refused.getMessage());
    }
  }
}
