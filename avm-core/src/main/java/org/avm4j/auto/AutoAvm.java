package org.avm4j.auto;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.avm4j.FeatureException;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.OnlineLearner;
import org.avm4j.Status;
import org.avm4j.Status.Standing;
import org.avm4j.Task;
import org.avm4j.auto.AutoOptions.Choice;
import org.avm4j.auto.constants.Constants;
import org.avm4j.auto.expert.InstanceCodec;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;
import org.avm4j.form.StatusBuilder;
import org.avm4j.pipeline.LabelSurvey;
import org.avm4j.pipeline.Labels;
import org.avm4j.table.Scaling;
import org.avm4j.tree.AvmTree;

/**
 * A machine that finds its options from the stream, in one pass and without looking ahead.
 *
 * <p>Whenever the number of instances has doubled, up to 2,048, a search chooses scaling, kernel,
 * width, prior, metric ({@link org.avm4j.data.Metric}) and linear part, one after the other.
 * Candidates are compared by cross-validation on all instances so far, which are kept. A machine
 * with the best settings learns these instances and then continues with the stream. After the last
 * search, at 2,048, a tree of machines ({@link AvmTree}) learns the rest of the stream, or one
 * machine if a size or forgetting is given. If experts follow the stream, a tree with a metric
 * races against one without. At 8,192 a tree with new weights of features races against the present
 * one. A search runs in slices, one with each later instance. Answers already given do not change.
 *
 * <p>Where rows are learned in the order in which they are answered, experts run beside it: the
 * mean, the latest label, linear models and boosted trees from the start; small machines that
 * forget, nearest neighbours and a forest of decision trees once there is a tree. The answer is a
 * mixture of all of them, and is hardly ever worse than the best.
 *
 * <p>The task follows from the labels. If later labels contradict it (a third label where there
 * were two, or a fraction among classes), the search starts again with the stored instances.
 *
 * <p>In a file, kind {@code avm-auto}: options, first answer (8), instances (8), «first», «race»,
 * «laps», then if present «later» and its count of values (8), «experts», «settings-search»,
 * «origin».
 */
public final class AutoAvm implements OnlineLearner {
  /** The kind of a file that holds such a learner. */
  public static final String KIND = "avm-auto";

  private static final String EXPERTS = "experts";

  /** Experts in files of earlier builds. They are not read; new experts replace them. */
  private static final String EARLIER_EXPERTS = "ensemble";

  private static final String SEARCH = "settings-search";

  private static final String ORIGIN = "origin";

  /** An unfinished search in files of earlier builds; it is started again. */
  private static final String EARLIER_SEARCH = "search";

  private AutoOptions options;
  private final double firstAnswer;

  final StoredRows kept = new StoredRows();
  private final List<Standing> standings = new ArrayList<>();
  private LabelSurvey survey;
  private Race race;

  /** The experts beside the race; null if there are none. */
  private Ensemble ensemble;

  /** The search in progress; null if there is none. */
  private Search search;

  /**
   * Whether the file of an earlier build held an unfinished search, which starts again with the
   * next row.
   */
  private boolean isSearchLeft;

  /**
   * The settings with which a search starts, from a learner of the same rows in another order; null
   * if a search starts with all candidates.
   */
  private Candidate origin;

  /**
   * Result of a last search that was made early for {@link #settled}; null if a row was learned
   * since.
   */
  private Race early;

  private Features measured;
  private boolean isMeasuredLate;
  private double[] scores = {};
  private long t;
  private BooleanSupplier areNames = () -> false;

  /** An untrained learner that chooses everything from the stream. */
  public AutoAvm() {
    this(AutoOptions.all());
  }

  /** An untrained learner. */
  public AutoAvm(AutoOptions options) {
    this(options, 0);
  }

  /**
   * An untrained learner.
   *
   * @param firstAnswer what a regression task predicts before the first instance is learned
   */
  public AutoAvm(AutoOptions options, double firstAnswer) {
    this.options = options;
    this.firstAnswer = firstAnswer;
    reset();
  }

  @Override
  public void reset() {
    kept.clear();
    standings.clear();
    survey = new LabelSurvey();
    t = 0;
    race = Race.empty(freeTask(), firstAnswer);
    ensemble = null;
    search = null;
    isSearchLeft = false;
    origin = null;
    early = null;
    measured = null;
  }

  /** Which options are given and which are chosen from the stream. */
  public AutoOptions options() {
    return options;
  }

  /** The leading learner: one machine, or a tree of machines. */
  public OnlineLearner best() {
    return race.best();
  }

  @Override
  public <T> Optional<T> inspect(Class<T> type) {
    return type.isInstance(this) ? Optional.of(type.cast(this)) : best().inspect(type);
  }

  @Override
  public Features inTree(Features x) {
    return race.transform(x);
  }

  /** How the leading learner scales features. */
  public Scaling scaling() {
    return race.settings().scaling();
  }

  /** The number of learners: one, or two while a rival races against the leading one. */
  public int running() {
    return race.size();
  }

  /** How all candidates stood in the searches at 2, 4, 8, … instances. */
  public List<Standing> standings() {
    return Collections.unmodifiableList(standings);
  }

  /**
   * The status of the learner that answers now. Positions of drifts count from the start of the
   * stream; a rival that took the lead knows of no drift before its own start.
   */
  @Override
  public Status status() {
    Status status = StatusBuilder.within(best().status(), mode(), t);
    return ensemble == null
        ? status
        : StatusBuilder.withChange(status, ensemble.change(leadWord()), t, size());
  }

  private String leadWord() {
    return best().inspect(AvmTree.class).isPresent() ? "tree" : "machine";
  }

  private Status.Automatic mode() {
    return new Status.Automatic(
        scaling().word(), options.freeWords(), running(), List.copyOf(standings));
  }

  /** The number of instances learned. */
  public long instances() {
    return t;
  }

  /** The task as far as it is known. */
  @Override
  public Task task() {
    return race.task();
  }

  private Task freeTask() {
    return isTaskOpen() ? survey.task(areNames.getAsBoolean()) : options.base().task();
  }

  @Override
  public boolean isTaskOpen() {
    return options.isFree(Choice.TASK);
  }

  @Override
  public double[] acceptedLabels() {
    boolean isClosed = !isTaskOpen() && task().kind() == Task.Kind.BINARY;
    return isClosed && survey.labels().size() > 1 ? classes() : new double[0];
  }

  @Override
  public void namesOfLabels(BooleanSupplier supplier) {
    areNames = supplier;
  }

  @Override
  public void learn(Features x, double y, double weight) {
    InstanceCodec.check(x, y);
    OnlineLearner.checkWeight(weight);
    boolean isSurprise = isSurprise(y);
    if (!isSurprise) {
      race.checkLabel(y);
    }
    t++;
    early = null;
    keep(new Instance(x.copy(), y, weight), isSurprise);
    if (isGathering()) {
      return;
    }
    if (isSurprise || origin != null && t == Constants.WARM_UP) {
      kept.forgetLater();
      takeOver(newSearch().finish());
    } else {
      learnBeside(x, y, weight);
      measured = null;
      OnlineLearner before = best();
      race.learn(x, y, weight);
      if (ensemble != null && before != best()) {
        ensemble.leadChanged();
      }
      advanceSearch();
    }
  }

  /** Whether rows are only stored, because there are too few for the search. */
  private boolean isGathering() {
    return origin != null && t < Constants.WARM_UP;
  }

  /**
   * {@inheritDoc} Only one expert, the label graph, learns such rows: for classes, up to 64
   * features, and once two labels are known.
   */
  @Override
  public boolean observe(Features x) {
    FeatureException.check(x);
    measured = null;
    boolean areClassesKnown = survey.labels().size() > 1;
    return areClassesKnown && ensemble != null && ensemble.observe(x, kept.first(), race.labels());
  }

  /** Stores the first instances, and later ones while a search runs or is still to come. */
  private void keep(Instance instance, boolean isSurprise) {
    if (t <= Constants.WARM_UP || isSurprise) {
      keepFirst(instance);
    } else if (search != null || isSearchLeft || maySearchAgain() && kept.all().size() == t - 1) {
      kept.addLater(instance);
    }
  }

  /** Whether a second search is still to come, or begins now. */
  private boolean maySearchAgain() {
    return t <= Constants.MANY_ROWS && kept.hasRoom() && options.learnsMetric();
  }

  /** Starts a search if one is due, and does the next slice of a running one. */
  private void advanceSearch() {
    boolean isDue = Race.startsAt(t, freeTask());
    if (search != null && search.isForRival() && !kept.hasRoom()) {
      search = null;
    } else if (search != null && (isDue || !kept.hasRoom())) {
      takeOver(search.finish());
    }
    if (isDue || isSearchLeft) {
      isSearchLeft = false;
      search = newSearch();
    } else if (isSecondSearchDue()) {
      search = newSearch(true, Optional.of(race.settings()));
    }
    if (search != null && search.goOn(kept.all().size())) {
      takeOver(search);
    }
    if (search == null && !maySearchAgain()) {
      kept.forgetLater();
    }
  }

  private boolean isSecondSearchDue() {
    return t == Constants.MANY_ROWS
        && search == null
        && kept.all().size() == t
        && LearnerFactory.dimension(kept.all()) <= Constants.MOST_INPUTS;
  }

  private Search newSearch() {
    boolean isFinal = kept.first().size() >= Constants.WARM_UP && !options.isGiven();
    return newSearch(isFinal, Optional.empty());
  }

  private Search newSearch(boolean isFinal, Optional<Candidate> present) {
    Task task = freeTask();
    boolean areGiven = origin != null && !isTaskOpen() && !task.isRegression();
    Labels labels = areGiven || present.isPresent() ? race.labels() : survey.of(task);
    int rows = kept.all().size();
    SearchStart start =
        new SearchStart(task, labels, rows, isFinal, present, Optional.ofNullable(origin));
    return new Search(start, options, race, kept.all());
  }

  /** Puts the result of a search to use. */
  private void takeOver(Search found) {
    search = null;
    measured = null;
    found.standings().forEach(standings::add);
    if (found.isForRival()) {
      found.found().stream().limit(1).forEach(race::challenge);
      return;
    }
    race = found.race();
    ensemble = found.beside(ensemble, t);
  }

  /** {@inheritDoc} Until the task is settled, any finite number is accepted. */
  @Override
  public void checkLabel(double y) {
    Task.regression().check(y);
    if (!isSurprise(y)) {
      race.checkLabel(y);
    }
  }

  private boolean isSurprise(double y) {
    boolean isOpen = isTaskOpen() || origin == null && survey.labels().size() < 2;
    boolean isAccepted =
        race.labels().accepts(y) && (search == null || search.start().labels().accepts(y));
    return isOpen && (!isAccepted || isTaskOpen() && isNewKind(y));
  }

  /** Whether a label suggests that labels taken for classes are in fact numbers. */
  private boolean isNewKind(double y) {
    Task.Kind next = search == null ? task().kind() : search.start().task().kind();
    boolean hasClasses = task().kind() == Task.Kind.MULTICLASS || next == Task.Kind.MULTICLASS;
    return hasClasses && !areNames.getAsBoolean() && !survey.mayBeClass(y);
  }

  /** Lets the experts judge the row and learn it. */
  private void learnBeside(Features x, double y, double weight) {
    if (ensemble == null && t > Constants.WARM_UP && options.followsChange()) {
      ensemble = race.experts(kept.first(), options.delay()).startAt(t - 1, null);
      measured = null;
    }
    if (ensemble != null) {
      measure(x, true);
      ensemble.learn(race.labels().transform(y), weight);
      if (ensemble.isLeadOutdated()) {
        race.plant();
      }
    }
  }

  /**
   * The scores of the mixture for a row, before labels are mapped back; cached for the latest row.
   *
   * @param isLearned whether they are those that the row had when it was answered
   */
  private double[] measure(Features x, boolean isLearned) {
    boolean isLate = isLearned && options.delay() > 0;
    if (!x.equals(measured) || isLate != isMeasuredLate) {
      double[] lead = race.learnedScores(x);
      scores = ensemble == null ? lead : ensemble.combine(x, lead, race.learnedClasses(), isLate);
      measured = x.copy();
      isMeasuredLate = isLate;
    }
    return scores;
  }

  @Override
  public int columns() {
    return best().columns();
  }

  @Override
  public double[] classes() {
    return race.classes();
  }

  @Override
  public void score(Features x, double[] into) {
    double[] found = measure(x, false);
    System.arraycopy(found, 0, into, 0, found.length);
    race.labels().inverseScores(into);
  }

  @Override
  public double predict(Features x) {
    return race.answer(measure(x, false));
  }

  @Override
  public void labelsComeLate(int rows) {
    if (rows == options.delay()) {
      return;
    }
    options = options.withDelay(rows);
    measured = null;
    if (search != null) {
      takeOver(search.finish());
    }
    if (ensemble != null) {
      ensemble.labelsComeLate(rows);
    }
  }

  @Override
  public Model snapshot() {
    return race.snapshot(ensemble);
  }

  /** {@inheritDoc} From 128 to 2,047 instances, the last search is made early. */
  @Override
  public Model settled() {
    return search == null || search.isForRival() || isEarly()
        ? settledRace().snapshot(ensemble)
        : copy().finished().snapshot();
  }

  /**
   * An untrained learner with the settings of {@link #settled} and the known classes. It does not
   * search. Call this after the first search.
   */
  public OnlineLearner fresh() {
    return settledRace().fresh();
  }

  /**
   * An untrained learner for the same rows in another order. Instead of searching at 2, 4, 8, …
   * rows, it stores the first 2,048 of them and then searches, starting with the settings of this
   * learner. It must not be asked before it has learned 2,048 rows. Call this method after the
   * first search.
   */
  public AutoAvm another() {
    AutoAvm other = new AutoAvm(options, firstAnswer);
    other.race = race.replanted();
    other.origin = race.settings().asFirst(options, race.task());
    return other;
  }

  /**
   * Whether the stream is so short that at least half of its rows took part in the search. Then
   * another order of the rows would lead to about the same settings.
   */
  public boolean isShort() {
    return t <= Constants.SEARCH_ROWS;
  }

  /** Whether the last search is still to come, and there are enough instances for it. */
  private boolean isEarly() {
    return t >= Constants.POINTS && t < Constants.WARM_UP && !options.isGiven();
  }

  private Race settledRace() {
    if (isEarly()) {
      Race found = early == null ? newSearch(true, Optional.empty()).finishRace() : early;
      early = found;
      return found;
    }
    return search == null || search.isForRival() ? race : copy().finished().race;
  }

  /** A copy of this learner in which the running search is finished. */
  private AutoAvm finished() {
    takeOver(search.finish());
    return this;
  }

  @Override
  public AutoAvm copy() {
    return ModelFile.copy(this, AutoAvm::decode);
  }

  @Override
  public int size() {
    return race.best().size() + (ensemble == null ? 0 : ensemble.size());
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public void encode(Encoder out) {
    out.section("options", options::encode);
    out.float64(firstAnswer);
    out.int64(t);
    out.section("first", section -> InstanceCodec.encode(kept.first(), section));
    out.section("race", race::encode);
    out.section("laps", section -> section.list(standings, StandingCodec::encode));
    kept.encodeLater(out);
    out.optional(EXPERTS, ensemble, Ensemble::encode);
    if (search != null) {
      out.section(SEARCH, search::encode);
    } else if (isSearchLeft) {
      out.section(EARLIER_SEARCH, nothing -> {});
    }
    out.optional(ORIGIN, origin, Candidate::encode);
  }

  /** The learner that {@link #encode} appended. */
  public static AutoAvm decode(Decoder in) throws ModelFileException {
    AutoOptions options = in.section("options", AutoOptions::decode);
    AutoAvm auto = new AutoAvm(options, in.version() == 1 ? 0 : in.finite("the first answer"));
    auto.t = in.count("the instances");
    in.section("first", InstanceCodec::decode).forEach(auto::keepFirst);
    auto.race = in.section("race", Race::decode);
    in.section(
        "laps",
        laps -> auto.standings.addAll(laps.list("the standings", 1 << 20, StandingCodec::decode)));
    auto.kept.decodeLater(in);
    in.skipIfPresent(EARLIER_EXPERTS);
    auto.ensemble =
        in.optional(EXPERTS, file -> Ensemble.decode(file, options.delay())).orElse(null);
    boolean isForRace = auto.ensemble == null || auto.ensemble.isFor(auto.race.task());
    Decoder.check(isForRace, "experts must have the task of the race", auto.race.task());
    if (in.skipIfPresent(EARLIER_SEARCH)) {
      boolean isTree = auto.best().inspect(AvmTree.class).isPresent();
      auto.isSearchLeft = !isTree && auto.t == auto.kept.all().size();
    }
    auto.search =
        in.optional(SEARCH, file -> Search.decode(file, options, auto.race, auto.kept.all()))
            .orElse(null);
    auto.origin = in.optional(ORIGIN, Candidate::decode).orElse(null);
    if (auto.search == null && !auto.isSearchLeft && !auto.maySearchAgain()) {
      auto.kept.forgetLater();
    }
    return auto;
  }

  private void keepFirst(Instance instance) {
    kept.addFirst(instance);
    survey.add(instance.label());
  }

  /** The learner that was saved in a file; it goes on bit for bit as if it had never stopped. */
  public static AutoAvm load(Path file) throws IOException {
    return ModelFile.open(file).read(Map.of(KIND, AutoAvm::decode));
  }

  /** What it is and how large, in one line. */
  @Override
  public String toString() {
    return status().summary();
  }
}
