package org.avm4j.auto;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.avm4j.Status.Standing;
import org.avm4j.Task;
import org.avm4j.auto.constants.Constants;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;

/**
 * Finds settings on the rows that were kept, a slice of the work with each row of the stream, so
 * that no row waits for a whole search. Then a learner with these settings, and the experts beside
 * it, learn all rows that were kept, those that came meanwhile too.
 *
 * <p>Work is counted and not timed, so a search takes the same number of rows on every machine. A
 * file holds its start and the number of slices done (4); reading the file repeats those slices.
 */
final class Search {
  private final SearchStart start;
  private final AutoOptions options;
  private final Lineup lineup;
  private final StepwiseSearch settings;

  /** The rows on which candidates are judged. */
  private final List<Instance> rows;

  /** All rows that are kept, which become more as the search goes on. */
  private final List<Instance> kept;

  private boolean isDecided;

  /** What is found, first the learner that leads; empty before that. */
  private List<Runner> found = List.of();

  /** The experts beside it; null before it has learned all rows, or if there are none. */
  private Ensemble beside;

  private int learned;
  private int learnedBeside;
  private int slices;

  /**
   * A search that has not done anything yet.
   *
   * @param before the race so far, whose scalers a rival shares
   * @param kept the rows so far; the caller adds those that follow
   */
  Search(SearchStart start, AutoOptions options, Race before, List<Instance> kept) {
    this.start = start;
    this.options = options;
    this.kept = kept;
    rows = sample(kept.subList(0, start.rows()));
    TrialRows trialRows = new TrialRows(start.task().kind(), start.labels(), rows);
    if (isForRival()) {
      lineup = before.lineup().withSameScalers();
      settings = new RivalSearch(start, options, lineup, rows, trialRows);
    } else {
      lineup = new Lineup(start.task());
      settings = new CandidateSearch(start, options, lineup, rows, trialRows);
    }
  }

  private static List<Instance> sample(List<Instance> all) {
    int every = (all.size() - 1) / Constants.SEARCH_ROWS + 1;
    return IntStream.iterate(0, i -> i < all.size(), i -> i + every).mapToObj(all::get).toList();
  }

  /**
   * Does a slice of the work; returns whether the search is over.
   *
   * @param known the number of rows that are kept by now
   */
  boolean goOn(int known) {
    slices++;
    return work(Constants.SLICE, known);
  }

  /** Does all that is left. */
  Search finish() {
    work(Long.MAX_VALUE, kept.size());
    return this;
  }

  /** Does all that is left but for the experts, and returns what is found. */
  Race finishRace() {
    while (!isFound() || learned < kept.size()) {
      step();
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
      left -= isFound() && learned >= known ? learnBeside() : step();
    }
    return isOver(known);
  }

  private boolean isOver(int known) {
    boolean areExpertsReady = !hasExperts() || learnedBeside >= known;
    return isDecided && (!isFound() || learned >= known && areExpertsReady);
  }

  private boolean isFound() {
    return !found.isEmpty();
  }

  /** Whether experts begin anew beside what is found. */
  private boolean hasExperts() {
    return options.followsChange() && start.present().isEmpty();
  }

  /** Goes on with the settings, or lets what was found learn one more row. */
  private long step() {
    if (isFound()) {
      return learn();
    }
    if (!settings.isOver()) {
      return settings.step();
    }
    found = settings.found();
    isDecided = true;
    return Constants.LEAST_WORK;
  }

  private long learn() {
    Instance row = kept.get(learned++);
    double label = start.labels().transform(row.label());
    long work = 0;
    for (Runner runner : found) {
      runner.learner().learn(runner.scaler().apply(row.features()), label, row.weight());
      work += runner.work(row);
    }
    return work;
  }

  private long learnBeside() {
    if (beside == null) {
      beside = Ensemble.of(rows, start.task().kind(), start.labels(), found);
    }
    Instance row = kept.get(learnedBeside++);
    beside.follow(row.features(), start.labels().transform(row.label()), row.weight());
    long inputs = row.features().dimension();
    long linear = inputs < Constants.MOST_INPUTS ? 4 * inputs * inputs : 0;
    return Math.max(
        linear, found.get(0).isTree() ? Constants.WORK_OF_ALL : Constants.WORK_OF_CHEAP);
  }

  /** What was found, in a race of its own. */
  Race race() {
    return new Race(start.task(), start.labels(), lineup, found);
  }

  /** Whether what is found must beat the present learner in a race. */
  boolean isForRival() {
    return start.present().isPresent();
  }

  /** The learner that may take the place of the present one. */
  Optional<Runner> rival() {
    return found.stream().findFirst();
  }

  /** The experts beside it from instance t on, if any, with the weights that are known. */
  Ensemble beside(Ensemble before, long t) {
    return beside == null ? before : beside.startAt(t, before);
  }

  /** How all candidates were judged. */
  Stream<Standing> standings() {
    return settings.standings();
  }

  /** Whether a label fits what is searched for. */
  boolean accepts(double y) {
    return start.labels().accepts(y);
  }

  /** Whether what is found has several classes. */
  boolean hasClasses() {
    return start.task().kind() == Task.Kind.MULTICLASS;
  }

  void encode(Encoder out) {
    start.encode(out);
    out.int32(slices);
  }

  /** Reads what {@link #encode} wrote, and does the slices again. */
  static Search decode(Decoder in, AutoOptions options, Race before, List<Instance> kept)
      throws ModelFileException {
    SearchStart start = SearchStart.decode(in);
    Optional<Candidate> present = start.present();
    boolean fits =
        present.isEmpty() || present.get().metric().dimension() <= Lineup.dimension(kept);
    Decoder.check(fits, "the present metric must have the features of the rows", present);
    boolean areKept = start.rows() > 0 && start.rows() <= kept.size();
    Decoder.check(areKept, "the rows of a search must be kept", start.rows());
    int later = Math.min(kept.size() - start.rows(), Constants.MOST_ROWS);
    int slices = in.int32("the slices of a search", later + 1);
    for (Instance row : kept) {
      Decoder.check(start.labels().accepts(row.label()), "a label must fit", row.label());
    }
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
