package org.avm4j.auto;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.avm4j.Status.Standing;
import org.avm4j.auto.constants.Constants;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;

/**
 * Finds settings on the stored rows. Each row of the stream does one slice of the work, so that no
 * row waits for a whole search. Then a learner with these settings, and the experts beside it,
 * learn all stored rows, including those that arrived during the search.
 *
 * <p>Work is counted and not timed, so a search takes the same number of rows on every machine. A
 * file holds its start and the number of slices done (4); reading the file repeats those slices.
 */
final class Search {
  private final SearchStart start;
  private final AutoOptions options;
  private final LearnerFactory factory;
  private final StepwiseSearch settings;

  /** The rows on which candidates are judged. */
  private final List<Instance> rows;

  /** All stored rows; the caller appends to this list while the search runs. */
  private final List<Instance> kept;

  private boolean isDecided;

  /** The learners found, the leading one first; empty until the settings are decided. */
  private List<CandidateLearner> found = List.of();

  /**
   * The experts beside the new learner; null until that learner has learned all rows, or if there
   * are none.
   */
  private Ensemble beside;

  private int learned;
  private int learnedBeside;
  private int slices;

  /**
   * A search that has not started.
   *
   * @param before the race so far, whose scalers a rival shares
   * @param kept the rows so far; the caller adds those that follow
   */
  Search(SearchStart start, AutoOptions options, Race before, List<Instance> kept) {
    this.start = start;
    this.options = options;
    this.kept = kept;
    rows = sample(kept.subList(0, start.rows()));
    if (isForRival()) {
      factory = before.factory().withSameScalers();
      settings = new RivalSearch(start, options, factory, rows);
    } else {
      factory = new LearnerFactory(start.task());
      settings = new CandidateSearch(start, options, factory, rows);
    }
  }

  private static List<Instance> sample(List<Instance> all) {
    int every = (all.size() - 1) / Constants.SEARCH_ROWS + 1;
    return IntStream.iterate(0, i -> i < all.size(), i -> i + every).mapToObj(all::get).toList();
  }

  /**
   * Does a slice of the work; returns whether the search is over.
   *
   * @param known the number of rows stored so far
   */
  boolean goOn(int known) {
    slices++;
    return work(Constants.SLICE, known);
  }

  /** Runs the search to its end. */
  Search finish() {
    work(Long.MAX_VALUE, kept.size());
    return this;
  }

  /**
   * Runs the search to its end without training experts, and returns the race with the new learner.
   */
  Race finishRace() {
    while (!isFound() || learned < kept.size()) {
      step();
    }
    return race();
  }

  /**
   * Continues until the given amount of work is done or the search is over.
   *
   * @param known the number of rows stored so far
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

  /** Whether new experts are trained beside the new learner. */
  private boolean hasExperts() {
    return options.followsChange() && start.present().isEmpty();
  }

  /** Does one step of the search for settings, or trains the new learner on one more row. */
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
    for (CandidateLearner each : found) {
      each.learner().learn(each.scaler().apply(row.features()), label, row.weight());
      work += each.work(row);
    }
    return work;
  }

  private long learnBeside() {
    if (beside == null) {
      beside = Ensemble.of(rows, start.task().kind(), start.labels(), found, options.delay());
    }
    Instance row = kept.get(learnedBeside++);
    beside.follow(row.features(), start.labels().transform(row.label()), row.weight());
    long inputs = row.features().dimension();
    long linear = inputs < Constants.MOST_INPUTS ? 4 * inputs * inputs : 0;
    return Math.max(linear, Constants.WORK_OF_EXPERTS);
  }

  /** A race led by the learner that was found. */
  Race race() {
    return new Race(start.task(), start.labels(), factory, found);
  }

  /** Whether the learner found must first beat the present one in a race. */
  boolean isForRival() {
    return start.present().isPresent();
  }

  /** The learners found, the leading one first; empty if none may beat the present one. */
  List<CandidateLearner> found() {
    return found;
  }

  /**
   * The experts beside the new learner from instance t on, with the weights known from {@code
   * before}; null if there are none.
   */
  Ensemble beside(Ensemble before, long t) {
    return beside == null ? before : beside.startAt(t, before);
  }

  /** How all candidates were judged. */
  Stream<Standing> standings() {
    return settings.standings();
  }

  SearchStart start() {
    return start;
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
        present.isEmpty() || present.get().metric().dimension() <= LearnerFactory.dimension(kept);
    Decoder.check(fits, "the present metric must have the features of the rows", present);
    boolean areKept = start.rows() > 0 && start.rows() <= kept.size();
    Decoder.check(areKept, "the rows of a search must be kept", start.rows());
    int later = Math.min(kept.size() - start.rows(), Constants.MOST_ROWS);
    int slices = in.int32("the slices of a search", later + 1);
    for (Instance row : kept) {
      Decoder.check(start.labels().accepts(row.label()), "a label must fit", row.label());
    }
    return in.valid(
        content -> {
          Search search = new Search(start, options, before, kept);
          IntStream.range(0, slices).forEach(i -> search.goOn(start.rows() + i));
          return search;
        });
  }
}
