package org.avm4j.auto;

import java.io.IOException;
import java.nio.file.Path;
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
import org.avm4j.auto.constants.Constants;
import org.avm4j.auto.expert.InstanceCodec;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;
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
 */
public final class AutoAvm implements OnlineLearner {
  /** The kind of a file that holds such a learner. */
  public static final String KIND = "avm-auto";

  AutoState state;
  private SearchSchedule searches;
  private AutoStep step;

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
    start(new AutoState(options, firstAnswer, () -> false));
  }

  private AutoAvm(AutoState state) {
    start(state);
  }

  private void start(AutoState from) {
    state = from;
    searches = new SearchSchedule(from);
    step = new AutoStep(from, searches);
  }

  @Override
  public void reset() {
    start(new AutoState(state.options, state.firstAnswer, state.areNames));
  }

  /** Which options are given and which are chosen from the stream. */
  public AutoOptions options() {
    return state.options;
  }

  /** The leading learner: one machine, or a tree of machines. */
  public OnlineLearner best() {
    return state.race.best();
  }

  @Override
  public <T> Optional<T> inspect(Class<T> type) {
    return type.isInstance(this) ? Optional.of(type.cast(this)) : best().inspect(type);
  }

  @Override
  public Features inTree(Features x) {
    return state.race.transform(x);
  }

  /** How the leading learner scales features. */
  public Scaling scaling() {
    return state.race.settings().scaling();
  }

  /** The number of learners: one, or two while a rival races against the leading one. */
  public int running() {
    return state.race.size();
  }

  /** How all candidates stood in the searches at 2, 4, 8, … instances. */
  public List<Standing> standings() {
    return Collections.unmodifiableList(state.standings);
  }

  /**
   * The status of the learner that answers now. Positions of drifts count from the start of the
   * stream; a rival that took the lead knows of no drift before its own start.
   */
  @Override
  public Status status() {
    return state.status();
  }

  /** The number of instances learned. */
  public long instances() {
    return state.t;
  }

  /** The task as far as it is known. */
  @Override
  public Task task() {
    return state.race.task();
  }

  @Override
  public boolean isTaskOpen() {
    return state.isTaskOpen();
  }

  @Override
  public double[] acceptedLabels() {
    boolean isClosed = !isTaskOpen() && task().kind() == Task.Kind.BINARY;
    return isClosed && state.survey.labels().size() > 1 ? classes() : new double[0];
  }

  @Override
  public void namesOfLabels(BooleanSupplier supplier) {
    state.areNames = supplier;
  }

  @Override
  public void learn(Features x, double y, double weight) {
    InstanceCodec.check(x, y);
    OnlineLearner.checkWeight(weight);
    step.learn(x, y, weight);
  }

  /**
   * {@inheritDoc} Only one expert, the label graph, learns such rows: for classes, up to 64
   * features, and once two labels are known.
   */
  @Override
  public boolean observe(Features x) {
    FeatureException.check(x);
    return step.observe(x);
  }

  /** {@inheritDoc} Until the task is settled, any finite number is accepted. */
  @Override
  public void checkLabel(double y) {
    Task.regression().check(y);
    if (!searches.isSurprise(y)) {
      state.race.checkLabel(y);
    }
  }

  @Override
  public int columns() {
    return best().columns();
  }

  @Override
  public double[] classes() {
    return state.race.classes();
  }

  @Override
  public void score(Features x, double[] into) {
    double[] found = step.scores(x, false);
    System.arraycopy(found, 0, into, 0, found.length);
    state.race.labels().inverseScores(into);
  }

  @Override
  public double predict(Features x) {
    return state.race.answer(step.scores(x, false));
  }

  @Override
  public void labelsComeLate(int rows) {
    if (rows != state.options.delay()) {
      step.labelsComeLate(rows);
    }
  }

  @Override
  public Model snapshot() {
    return state.race.snapshot(state.ensemble);
  }

  /** {@inheritDoc} From 128 to 2,047 instances, the last search is made early. */
  @Override
  public Model settled() {
    return searches.settled();
  }

  /**
   * An untrained learner with the settings of {@link #settled} and the known classes. It does not
   * search. Call this after the first search.
   */
  public OnlineLearner fresh() {
    return searches.settledRace().fresh();
  }

  /**
   * An untrained learner for the same rows in another order. Instead of searching at 2, 4, 8, …
   * rows, it stores the first 2,048 of them and then searches, starting with the settings of this
   * learner. It must not be asked before it has learned 2,048 rows. Call this method after the
   * first search.
   */
  public AutoAvm another() {
    AutoAvm other = new AutoAvm(state.options, state.firstAnswer);
    other.state.race = state.race.replanted();
    other.state.origin = state.race.settings().asFirst(state.options, state.race.task());
    return other;
  }

  /**
   * Whether the stream is so short that at least half of its rows took part in the search. Then
   * another order of the rows would lead to about the same settings.
   */
  public boolean isShort() {
    return state.t <= Constants.SEARCH_ROWS;
  }

  @Override
  public AutoAvm copy() {
    return new AutoAvm(state.copy());
  }

  @Override
  public int size() {
    return state.size();
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public void encode(Encoder out) {
    state.encode(out);
  }

  /** The learner that {@link #encode} appended. */
  public static AutoAvm decode(Decoder in) throws ModelFileException {
    return new AutoAvm(AutoState.decode(in));
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
