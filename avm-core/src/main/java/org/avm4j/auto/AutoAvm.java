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
import org.avm4j.auto.expert.KeptInstances;
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
 * with the best settings learns these instances and goes on with the stream. After the last search,
 * at 2,048, a tree of machines ({@link AvmTree}) learns the rest of the stream, or one machine if a
 * size or forgetting is given. A tree with a metric races against one without if experts follow the
 * stream. At 8,192 a tree with new weights of features races against the present one. A search runs
 * in slices, one with each instance that follows. Answers already given do not change.
 *
 * <p>Where rows are learned in the order in which they are answered, experts stand beside it: the
 * mean, the latest label, linear models and boosted trees from the start, and beside a tree small
 * machines that forget, neighbours and a forest of decision trees. The answer is a mixture of all,
 * so that it is hardly ever worse than any of them.
 *
 * <p>The task follows from the labels; should they contradict it later, a third label where two
 * were known or a fraction among classes, the race starts anew from the first instances.
 *
 * <p>In a file, kind {@code avm-auto}: options, first answer (8), instances (8), «first», «race»,
 * «laps», then if present «later» and its count of values (8), «experts», «settings-search»,
 * «origin».
 */
public final class AutoAvm implements OnlineLearner {
  /** The kind of a file that holds such a learner. */
  public static final String KIND = "avm-auto";

  private static final String EXPERTS = "experts";

  /** Experts of earlier builds, which are not read: new ones take their place. */
  private static final String EARLIER_EXPERTS = "ensemble";

  private static final String SEARCH = "settings-search";

  private static final String ORIGIN = "origin";

  /** A search of earlier builds, which begins again in the way of this one. */
  private static final String EARLIER_SEARCH = "search";

  private final AutoOptions options;
  private final double firstAnswer;

  final FirstRows kept = new FirstRows();
  private final List<Standing> standings = new ArrayList<>();
  private LabelSurvey survey;
  private Race race;

  /** What stands beside the race; null where nothing does. */
  private Ensemble ensemble;

  /** What is being searched for; null at rest. */
  private Search search;

  /** Whether an earlier build had a search under way, which begins anew with the next row. */
  private boolean isSearchLeft;

  /** Settings that another order of the rows has led to, where a search begins; else null. */
  private Candidate origin;

  /** The result of a last search that was made early, since the last row; else null. */
  private Race early;

  private Features measured;
  private double[] scores = {};
  private long t;
  private BooleanSupplier areNames = () -> false;

  /** A learner that knows nothing yet and chooses everything from the stream. */
  public AutoAvm() {
    this(AutoOptions.all());
  }

  /** A learner that knows nothing yet. */
  public AutoAvm(AutoOptions options) {
    this(options, 0);
  }

  /**
   * A learner that knows nothing yet.
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

  /** What is given and what is free. */
  public AutoOptions options() {
    return options;
  }

  /** The learner that leads: one machine, or a tree of machines. */
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

  /** How its features are scaled. */
  public Scaling scaling() {
    return race.scaling();
  }

  /** How many learners run: one, or two while a rival races against the one that leads. */
  public int running() {
    return race.size();
  }

  /** How all candidates stood in the searches at 2, 4, 8, … instances. */
  public List<Standing> standings() {
    return Collections.unmodifiableList(standings);
  }

  /**
   * The status of the learner that answers now. Its drifts are counted from the start of the
   * stream; one that won a challenge knows of none before its own start.
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

  /** The task as it is known so far. */
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
    KeptInstances.check(x, y);
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

  /** Whether rows are only kept, because nobody asks before a search has seen more of them. */
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

  /** Keeps the first instances, and later ones while a search needs them, or is to come. */
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

  /** Starts a search where one is due, and goes on with it. */
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
        && Lineup.dimension(kept.all()) <= Constants.MOST_INPUTS;
  }

  private Search newSearch() {
    boolean isFinal = kept.first().size() >= Constants.WARM_UP && !options.isGiven();
    return newSearch(isFinal, Optional.empty());
  }

  private Search newSearch(boolean isFinal, Optional<Candidate> present) {
    Task task = freeTask();
    Labels labels = present.isEmpty() ? survey.of(task) : race.labels();
    int rows = kept.all().size();
    SearchStart start =
        new SearchStart(task, labels, rows, isFinal, present, Optional.ofNullable(origin));
    return new Search(start, options, race, kept.all());
  }

  /** What was found takes part from now on. */
  private void takeOver(Search found) {
    search = null;
    measured = null;
    found.standings().forEach(standings::add);
    if (found.isForRival()) {
      found.rival().ifPresent(race::challenge);
      return;
    }
    race = found.race();
    ensemble = found.beside(ensemble, t);
  }

  /** {@inheritDoc} Until the task is settled, any number may be one. */
  @Override
  public void checkLabel(double y) {
    Task.regression().check(y);
    if (!isSurprise(y)) {
      race.checkLabel(y);
    }
  }

  private boolean isSurprise(double y) {
    boolean isOpen = isTaskOpen() || origin == null && survey.labels().size() < 2;
    boolean isAccepted = race.accepts(y) && (search == null || search.accepts(y));
    return isOpen && (!isAccepted || isTaskOpen() && isNewKind(y));
  }

  /** Whether a label says that what looked like classes may be numbers. */
  private boolean isNewKind(double y) {
    boolean hasClasses =
        task().kind() == Task.Kind.MULTICLASS || search != null && search.hasClasses();
    return hasClasses && !areNames.getAsBoolean() && !survey.mayBeClass(y);
  }

  /** What stands beside the race judges the row, and learns it. */
  private void learnBeside(Features x, double y, double weight) {
    if (ensemble == null && t > Constants.WARM_UP && options.followsChange()) {
      ensemble = race.experts(kept.first()).startAt(t - 1, null);
      measured = null;
    }
    if (ensemble != null) {
      measure(x);
      ensemble.learn(race.labels().transform(y), weight);
      if (ensemble.isLeadOutdated()) {
        race.plant();
      }
    }
  }

  /** Finds the scores of all for a row, as they are learned, unless it was measured last. */
  private double[] measure(Features x) {
    if (!x.equals(measured)) {
      double[] lead = race.learnedScores(x);
      scores = ensemble == null ? lead : ensemble.combine(x, lead, race.learnedClasses());
      measured = x.copy();
    }
    return scores;
  }

  @Override
  public int columns() {
    return race.columns();
  }

  @Override
  public double[] classes() {
    return race.classes();
  }

  @Override
  public void score(Features x, double[] into) {
    double[] found = measure(x);
    System.arraycopy(found, 0, into, 0, found.length);
    race.labels().inverseScores(into);
  }

  @Override
  public double predict(Features x) {
    return race.answer(measure(x));
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
   * A learner that has the settings of {@link #settled} and the known classes, and has learned
   * nothing. It does not search. Call this after the first search.
   */
  public OnlineLearner fresh() {
    return settledRace().fresh();
  }

  /**
   * A learner that has learned nothing, for the same rows in another order. It only keeps the first
   * 2,048 of them, and then makes a single search, which begins with the settings of this one: it
   * is to be asked when it has learned all rows. Call this after the first search.
   */
  public AutoAvm another() {
    AutoAvm other = new AutoAvm(options, firstAnswer);
    other.race = race.replanted();
    other.origin = race.settings().asFirst(options, race.task());
    return other;
  }

  /** Whether the stream was short: in another order about the same settings would be found. */
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

  /** This learner after the search that is under way. */
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
    out.section("first", section -> KeptInstances.encode(kept.first(), section));
    out.section("race", race::encode);
    out.section("laps", section -> StandingCodec.encode(standings, section));
    kept.encodeLater(out);
    if (ensemble != null) {
      out.section(EXPERTS, ensemble::encode);
    }
    if (search != null) {
      out.section(SEARCH, search::encode);
    } else if (isSearchLeft) {
      out.section(EARLIER_SEARCH, nothing -> {});
    }
    if (origin != null) {
      out.section(ORIGIN, origin::encode);
    }
  }

  /** The learner that {@link #encode} appended. */
  public static AutoAvm decode(Decoder in) throws ModelFileException {
    AutoOptions options = in.section("options", AutoOptions::decode);
    AutoAvm auto = new AutoAvm(options, in.version() == 1 ? 0 : in.finite("the first answer"));
    auto.t = in.count("the instances");
    in.section("first", KeptInstances::decode).forEach(auto::keepFirst);
    auto.race = in.section("race", Race::decode);
    auto.standings.addAll(in.section("laps", StandingCodec::decode));
    auto.kept.decodeLater(in);
    if (in.hasSection(EARLIER_EXPERTS)) {
      in.skip(EARLIER_EXPERTS);
    }
    auto.ensemble = in.hasSection(EXPERTS) ? in.section(EXPERTS, Ensemble::decode) : null;
    boolean isForRace = auto.ensemble == null || auto.ensemble.isFor(auto.race.task());
    Decoder.check(isForRace, "experts must have the task of the race", auto.race.task());
    if (in.hasSection(EARLIER_SEARCH)) {
      in.skip(EARLIER_SEARCH);
      boolean isTree = auto.best().inspect(AvmTree.class).isPresent();
      auto.isSearchLeft = !isTree && auto.t == auto.kept.all().size();
    } else if (in.hasSection(SEARCH)) {
      auto.search =
          in.section(
              SEARCH, section -> Search.decode(section, options, auto.race, auto.kept.all()));
    }
    if (in.hasSection(ORIGIN)) {
      auto.origin = in.section(ORIGIN, Candidate::decode);
    }
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
