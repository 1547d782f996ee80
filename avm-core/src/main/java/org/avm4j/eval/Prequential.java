package org.avm4j.eval;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.avm4j.FeatureException;
import org.avm4j.Features;
import org.avm4j.OnlineLearner;
import org.avm4j.Prediction;
import org.avm4j.Status;
import org.avm4j.asking.LabelBudget;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.pipeline.Calibration;
import org.avm4j.pipeline.LabelLags;

/**
 * Prequential evaluation, the online setting of Section 9: each instance is answered first and then
 * learned, and the answers along the way are measured. The curve is inspected at the numbers with
 * at most three significant binary digits: 1 to 8, 10, 12, 14, 16, 20 and so on, four to each
 * doubling; from 8,192 on with at most six, 32 to each doubling.
 *
 * <p>Labels may be known late: with a delay of N an instance is learned N answers after its own,
 * and {@link #finish} learns those that still wait. Labels may be scarce: with a {@link
 * LabelBudget} only the labels that it asks for are learned, while every answer is measured. Rows
 * whose label is not asked for, or not known, are {@linkplain #observe observed}. {@link
 * Yardsticks} are measured beside the learner.
 */
public final class Prequential {
  private final OnlineLearner learner;
  private final Metrics total;
  private Metrics recent;
  private Stopwatch time = new Stopwatch(0, 0);
  private final List<Inspection> curve = new ArrayList<>();
  private final boolean isCalibrated;
  private double[] scores = {};
  private double answer = Double.NaN;
  private Prediction prediction;
  private CoverageFigures coverage;
  private Yardsticks yardsticks;
  private DelayedRows delayed;

  /** Decides which labels the learner gets; null if it gets all. */
  private LabelBudget budget;

  private boolean isAsked = true;

  private UnlabelledRows unlabelled = new UnlabelledRows();

  /** Evaluates a learner from its start, with empty metrics. */
  public Prequential(OnlineLearner learner, Metrics metrics) {
    this(learner, metrics, 0);
  }

  /**
   * Evaluates a learner from its start, with empty metrics.
   *
   * @param delay the number of further answers before an instance is learned
   */
  public Prequential(OnlineLearner learner, Metrics metrics, long delay) {
    this(learner, metrics, new DelayedRows(delay));
    tellDelay();
  }

  private Prequential(OnlineLearner learner, Metrics metrics, DelayedRows delayed) {
    this.learner = learner;
    this.total = metrics;
    this.recent = metrics.fresh();
    isCalibrated = learner.isCalibrated();
    learner.certaintyLevel().ifPresent(level -> coverage = new CoverageFigures(level));
    this.delayed = delayed;
    boolean isMeasured = !learner.task().isUnsupervised();
    yardsticks = isMeasured ? new Yardsticks(learner.task().isRegression()) : null;
  }

  private void tellDelay() {
    if (!delayed.isNone()) {
      learner.labelsComeLate((int) Math.min(delayed.delay(), LabelLags.LONGEST_DELAY));
    }
  }

  /**
   * Gives the learner only the labels that the budget asks for; call this before the first step.
   */
  public void ask(LabelBudget within) {
    budget = within;
  }

  /**
   * Answers and learns one instance of weight 1.
   *
   * @return whether this is a point of the curve
   */
  public boolean step(Features x, double y) {
    return step(x, y, 1);
  }

  /**
   * Answers and learns one instance; the weight affects learning, but not the figures.
   *
   * @return whether this is a point of the curve
   * @throws IllegalArgumentException if the learner refuses the instance, which is then not
   *     counted; or if it refuses one that waited for its label, which is left out, while this one
   *     was answered and counts
   */
  public boolean step(Features x, double y, double weight) {
    score(x);
    double predicted = learner.predict(x);
    Prediction whole = wholeAnswer(x);
    boolean isKnown = budget == null || budget.isWorthAsking(whole);
    if (isKnown && delayed.isNone()) {
      learner.learn(x, y, weight);
    }
    if (budget != null) {
      FeatureException.check(x);
      budget.count(whole, isKnown);
    }
    if (!isKnown) {
      learner.observe(x);
    }
    isAsked = isKnown;
    answer = predicted;
    prediction = whole;
    if (isCalibrated) {
      addProbabilities(y, whole);
    }
    if (coverage != null) {
      coverage.add(y, whole);
    }
    measure(y);
    if (!delayed.isNone()) {
      delayed.add(x, y, isAsked ? weight : 0, coverage != null && isAsked ? whole : null);
      delayed.learnDue(learner).ifPresent(this::noteLearned);
    }
    return isInspected(total.instances()) && inspect();
  }

  private void score(Features x) {
    scores = scores.length == learner.columns() ? scores : new double[learner.columns()];
    learner.score(x, scores);
  }

  /** The answer with all that belongs to it; null where the answer alone is enough. */
  private Prediction wholeAnswer(Features x) {
    boolean isWhole = isCalibrated || coverage != null || budget != null;
    return isWhole ? learner.answer(x) : null;
  }

  /**
   * Lets the learner observe an instance without a label. No figure counts it, because the right
   * answer is unknown.
   *
   * @return whether the learner used it
   */
  public boolean observe(Features x) {
    unlabelled.add();
    return unlabelled.observe(learner, x);
  }

  /**
   * The same, after it was answered: {@link #scores}, {@link #answer} and {@link #prediction} are
   * then those of this instance.
   *
   * @return whether the learner had a use for it
   */
  public boolean answerAndObserve(Features x) {
    unlabelled.add();
    score(x);
    answer = learner.predict(x);
    prediction = wholeAnswer(x);
    isAsked = budget == null;
    return unlabelled.observe(learner, x);
  }

  /** The number of instances without a label. */
  public long unlabelled() {
    return unlabelled.count();
  }

  /** The number of instances without a label that the learner used. */
  public long observed() {
    return unlabelled.observed();
  }

  private void measure(double y) {
    total.add(y, answer, scores);
    recent.add(y, answer, scores);
    if (yardsticks != null) {
      yardsticks.answered(y, answer);
    }
    if (isAsked && delayed.isNone()) {
      noteLearned(y);
    }
  }

  private void noteLearned(double y) {
    if (yardsticks != null) {
      yardsticks.learned(y);
    }
  }

  /** The scores of the last instance, from before it was learned. */
  public double[] scores() {
    return scores;
  }

  /** The answer to the last instance, from before it was learned. */
  public double answer() {
    return answer;
  }

  /**
   * The whole answer to the last instance, before it was learned; empty if all labels are learned
   * and the learner gives neither probabilities nor certainties.
   */
  public Optional<Prediction> prediction() {
    return Optional.ofNullable(prediction);
  }

  /**
   * How often intervals or sets held the true label; empty if the learner does not say how sure it
   * is.
   */
  public Optional<CoverageFigures> coverage() {
    return Optional.ofNullable(coverage);
  }

  /** The budget of labels, if not all of them are learned. */
  public Optional<LabelBudget> budget() {
    return Optional.ofNullable(budget);
  }

  /** Whether the label of the last instance was asked for; always so without a budget. */
  public boolean isAsked() {
    return isAsked;
  }

  /** The learner. */
  public OnlineLearner learner() {
    return learner;
  }

  /** The figures over the whole stream. */
  public Metrics metrics() {
    return total;
  }

  /** The curve so far. */
  public List<Inspection> curve() {
    return List.copyOf(curve);
  }

  /** The last point of the curve; there is one after the first instance. */
  public Inspection lastInspection() {
    return curve.get(curve.size() - 1);
  }

  /** The time spent, all resumed parts together. */
  public double seconds() {
    return time.seconds();
  }

  /** The processor time that the process spent meanwhile, all resumed parts together. */
  public double processorSeconds() {
    return time.processorSeconds();
  }

  /**
   * How good simple rules would have been; empty for anomalies, and if this run was resumed from a
   * file without them.
   */
  public Optional<Yardsticks> yardsticks() {
    return Optional.ofNullable(yardsticks);
  }

  /** The number of further answers before an instance is learned. */
  public long delay() {
    return delayed.delay();
  }

  /** Learns the instances that wait for their labels, and ends the curve at the last instance. */
  public void finish() {
    delayed.learnRest(learner);
    if (recent.instances() > 0) {
      inspect();
    }
  }

  /** Appends everything but the learner. */
  public void encode(Encoder out) {
    total.encode(out);
    recent.encode(out);
    out.float64(seconds());
    out.list(curve, Inspection::encode);
    out.section("processor", content -> content.float64(processorSeconds()));
    out.optional("yardsticks", yardsticks, Yardsticks::encode);
    out.section("delayed", delayed::encode);
    out.optional("coverage", coverage, CoverageFigures::encode);
    out.optional("budget", budget, LabelBudget::encode);
    if (unlabelled() > 0) {
      out.section("unlabelled", unlabelled::encode);
    }
  }

  /** Reads what {@link #encode} wrote, for a given learner. */
  public static Prequential decode(Decoder in, OnlineLearner learner) throws ModelFileException {
    Prequential run = new Prequential(learner, Metrics.decode(in), new DelayedRows(0));
    run.recent = Metrics.decode(in);
    double seconds = in.finite("the time spent");
    run.curve.addAll(in.list("the points of the curve", 1 << 16, Inspection::decode));
    run.time = new Stopwatch(seconds, in.optional("processor", Decoder::float64).orElse(0.0));
    run.decodeSections(in);
    run.tellDelay();
    return run;
  }

  /**
   * Reads the sections that files before version 0.1 lack. Yardsticks are not started late, because
   * they would be wrong.
   */
  private void decodeSections(Decoder in) throws ModelFileException {
    yardsticks = in.optional("yardsticks", Yardsticks::decode).orElse(null);
    delayed = in.optional("delayed", DelayedRows::decode).orElse(delayed);
    coverage = in.optional("coverage", CoverageFigures::decode).orElse(null);
    budget = in.optional("budget", LabelBudget::decode).orElse(null);
    unlabelled = in.optional("unlabelled", UnlabelledRows::decode).orElse(unlabelled);
  }

  private void addProbabilities(double y, Prediction answer) {
    double[] classes = answer.classes();
    double[] plain = Calibration.uncalibrated(answer.scores(), classes);
    total.addProbabilities(y, classes, answer.probabilities(), plain);
    recent.addProbabilities(y, classes, answer.probabilities(), plain);
  }

  private boolean inspect() {
    Status status = learner.status();
    curve.add(
        new Inspection(
            total.instances(),
            total.value(),
            recent.value(),
            learner.size(),
            seconds(),
            status.forgets() ? status.memory() : total.instances(),
            status.drifts()));
    if (yardsticks != null) {
      yardsticks.inspect();
    }
    if (coverage != null) {
      coverage.inspect();
    }
    recent = total.fresh();
    return true;
  }

  private static boolean isInspected(long t) {
    int digits = 64 - Long.numberOfLeadingZeros(t) - Long.numberOfTrailingZeros(t);
    return digits <= (t < 8192 ? 3 : 6);
  }
}
