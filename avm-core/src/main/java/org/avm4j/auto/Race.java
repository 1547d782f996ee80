package org.avm4j.auto;

import java.util.Arrays;
import java.util.List;
import org.avm4j.AvmOptions;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.OnlineLearner;
import org.avm4j.Task;
import org.avm4j.Update;
import org.avm4j.auto.constants.Constants;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;
import org.avm4j.data.Metric;
import org.avm4j.data.Scaler;
import org.avm4j.data.Schema;
import org.avm4j.pipeline.Labels;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.Preparation;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.table.Scaling;

/**
 * The leading learner, with the settings found by a search, and at most one rival that may replace
 * it. A rival is a learner with other settings that has learned the same rows, or a new tree
 * planted when the memory of the leader may do harm.
 *
 * <p>In a file: task, labels, n× scaler, the number of learners (4) and each of them, the place of
 * the leading one (4), «rival» or «seedling». Only files of earlier builds have several learners,
 * of which the leading one is kept.
 */
final class Race {
  private static final String SEEDLING = "seedling";
  private static final String RIVAL = "rival";

  /** Settings in files of earlier builds. They are not needed any more. */
  private static final String PLAIN = "plain";

  private final Task task;
  private final Labels labels;
  private final LearnerFactory factory;
  private final Features.Buffer scaled = new Features.Buffer();
  private CandidateLearner best;

  /** The learner that may replace the best one; null if there is none. */
  private CandidateLearner rival;

  private boolean isRivalYoung;

  /**
   * A race with a leading learner.
   *
   * @param factory the factory that made the learner
   * @param found the leading learner, and after it a rival, if there is one
   */
  Race(Task task, Labels labels, LearnerFactory factory, List<CandidateLearner> found) {
    this.task = task;
    this.labels = labels;
    this.factory = factory;
    best = found.get(0);
    rival = found.size() > 1 ? found.get(1) : null;
  }

  /**
   * A race with an untrained machine. Its update is second-order: the first step of the paper's
   * update gives scores of about 1/λ, and one such score spoils the calibration of probabilities.
   */
  static Race empty(Task task, double answer) {
    AvmOptions options =
        AvmOptions.binary()
            .task(task)
            .loss(task.defaultLoss())
            .update(Update.newton(1, Update.NO_LINEAR_PART))
            .build();
    Candidate none =
        new Candidate(Scaling.NONE, options.kernel(), 0, 1, 0, Update.NO_LINEAR_PART, Metric.NONE);
    LearnerFactory factory = new LearnerFactory(task);
    CandidateLearner machine = new CandidateLearner(none, factory.scaler(none, List.of()), options);
    return new Race(task, emptyLabels(task, answer), factory, List.of(machine));
  }

  private static Labels emptyLabels(Task task, double answer) {
    return switch (task.kind()) {
      case BINARY -> Labels.Pair.SIGNS;
      case REGRESSION -> new Labels.Standard(answer, 1);
      case MULTICLASS, ANOMALY, CLUSTER -> new Labels.Plain();
    };
  }

  /** The factory that made the leading learner. */
  LearnerFactory factory() {
    return factory;
  }

  /** The settings of the leading learner. */
  Candidate settings() {
    return best.candidate();
  }

  /**
   * Whether a search starts with instance t: at each power of two up to {@link Constants#WARM_UP}.
   * A single instance is enough for numbers, but not for classes.
   */
  static boolean startsAt(long t, Task task) {
    return t <= Constants.WARM_UP && Long.bitCount(t) == 1 && (t > 1 || task.isRegression());
  }

  /** Throws an exception if a label does not fit the task. */
  void checkLabel(double y) {
    task.check(labels.transform(y));
  }

  /** Learns an instance. */
  void learn(Features x, double y, double weight) {
    double label = labels.transform(y);
    if (rival == null) {
      best.learner().learn(transform(x), label, weight);
      return;
    }
    double loss = best.learn(transform(x), label, weight);
    rival.compare(loss - rival.learn(rival.scaler().apply(x, scaled), label, weight));
    judgeRival();
  }

  /** The row in the scaling and metric of the leading learner. */
  Features transform(Features x) {
    return best.scaler().apply(x, scaled);
  }

  /**
   * Plants a rival: a tree that knows the classes and nothing else. What the present tree has
   * learned may no longer hold, but it leads until the new tree is clearly better, because the rise
   * of the error may be temporary.
   */
  void plant() {
    if (rival == null && best.isTree()) {
      rival = best.replanted();
      isRivalYoung = true;
    }
  }

  /**
   * Enters a rival with other settings that has learned the same rows, unless the present rival is
   * ahead of the leader.
   */
  void challenge(CandidateLearner other) {
    if (rival == null || rival.lead() <= 0) {
      rival = other;
      isRivalYoung = false;
    }
  }

  private void judgeRival() {
    double lead = rival.lead();
    double sure = isRivalYoung ? Constants.VERY_SURE : Constants.SURE;
    if (lead > sure) {
      best = rival;
      best.compareAnew();
      rival = null;
    } else if (lead < -sure || rival.compared() >= Constants.MANY_ROWS) {
      rival = null;
    }
  }

  Task task() {
    return task;
  }

  OnlineLearner best() {
    return best.learner();
  }

  /** The number of learners: 1, or 2 with a rival. */
  int size() {
    return rival == null ? 1 : 2;
  }

  double[] classes() {
    return labels.inverse(best.learner().classes());
  }

  /** Whether a label is a number, or one of the classes learned so far. */
  boolean knows(double y) {
    return task.isRegression() || Arrays.stream(classes()).anyMatch(known -> known == y);
  }

  /** The scores of the leading learner for a row, before labels are mapped back. */
  double[] learnedScores(Features x) {
    return best.learner().score(transform(x));
  }

  /**
   * The classes of the leading learner, before labels are mapped back; empty if there is one
   * column.
   */
  double[] learnedClasses() {
    boolean isOneColumn = task.kind() != Task.Kind.MULTICLASS;
    return isOneColumn ? new double[0] : best.learner().classes();
  }

  /** Untrained experts to run beside the leading learner. */
  Ensemble experts(List<Instance> first, int delay) {
    return Ensemble.of(first, task.kind(), labels, List.of(best), delay);
  }

  /** How labels are learned. */
  Labels labels() {
    return labels;
  }

  /** The prediction that scores stand for. */
  double answer(double[] scores) {
    return labels.inverse(task.predict(scores, best.learner().classes()));
  }

  /**
   * A frozen copy of the leading learner and the experts.
   *
   * @param beside the experts beside the race, or null
   */
  Model snapshot(Ensemble beside) {
    Model alone = best.learner().snapshot();
    Model all = beside == null ? alone : beside.snapshot(alone, best.scaler());
    Scaler scaler = all == alone ? best.scaler() : Scaler.none();
    return new PreparedModel(new Preparation(new Schema(), scaler, labels), all);
  }

  /** A race whose only learner is untrained and has the settings and classes of the leading one. */
  Race replanted() {
    return new Race(task, labels, factory, List.of(best.replanted()));
  }

  /** An untrained learner with the settings and the classes of the leading one. */
  OnlineLearner fresh() {
    Preparation preparation = new Preparation(new Schema(), best.scaler(), labels);
    return new Pipeline(preparation, best.replanted().learner());
  }

  void encode(Encoder out) {
    task.encode(out);
    labels.encode(out);
    factory.encodeScalers(rival == null ? List.of(best) : List.of(best, rival), out);
    out.int32(1);
    out.section("runner", best::encode);
    out.int32(0);
    out.optional(isRivalYoung ? SEEDLING : RIVAL, rival, CandidateLearner::encode);
  }

  private CandidateLearner decodeRival(Decoder in) throws ModelFileException {
    CandidateLearner other = CandidateLearner.decode(in, factory.scalers());
    boolean fits = best.isTree() == other.isTree() && other.learner().task().kind() == task.kind();
    Decoder.check(fits, "a rival must have the task and form of the best", other.candidate());
    return other;
  }

  static Race decode(Decoder in) throws ModelFileException {
    Task task = Task.decode(in);
    Labels labels = Labels.decode(in);
    LearnerFactory factory = new LearnerFactory(task);
    factory.decodeScalers(in);
    ModelFile.Content<CandidateLearner> reader =
        section -> CandidateLearner.decode(section, factory.scalers());
    List<CandidateLearner> learners =
        in.list("the machines", 1000, machine -> machine.section("runner", reader));
    Decoder.check(!learners.isEmpty(), "at least one machine must run", learners.size());
    CandidateLearner best = learners.get(in.int32("the best", learners.size() - 1));
    Race race = new Race(task, labels, factory, List.of(best));
    in.skipIfPresent(PLAIN);
    race.isRivalYoung = in.hasSection(SEEDLING);
    if (race.isRivalYoung || in.hasSection(RIVAL)) {
      race.rival = in.section(race.isRivalYoung ? SEEDLING : RIVAL, race::decodeRival);
    }
    return race;
  }
}
