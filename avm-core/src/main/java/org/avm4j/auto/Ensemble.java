package org.avm4j.auto;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.Status;
import org.avm4j.Task;
import org.avm4j.auto.aggregate.Aggregation;
import org.avm4j.auto.aggregate.Blend;
import org.avm4j.auto.aggregate.Mixture;
import org.avm4j.auto.aggregate.PairedTest;
import org.avm4j.auto.expert.Expert;
import org.avm4j.auto.expert.Experts;
import org.avm4j.auto.expert.Frozen;
import org.avm4j.auto.expert.Inputs;
import org.avm4j.auto.expert.MachineExpert;
import org.avm4j.auto.expert.Moment;
import org.avm4j.auto.expert.Opinion;
import org.avm4j.auto.expert.PastLabels;
import org.avm4j.auto.expert.SharedInputs;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;
import org.avm4j.data.Scaler;
import org.avm4j.internal.Ablation;
import org.avm4j.internal.Adwin;
import org.avm4j.pipeline.Labels;

/**
 * The experts beside the race, and the aggregation of all answers. Labels and scores are those that
 * the race learns. The first member of the aggregation is the learner of the race, the lead, which
 * is not held here; then come the experts.
 *
 * <p>Cheap experts stand beside the race from the first rows on. Once a tree has grown, costlier
 * ones that forget join them. Those that the answer can do without are sent to rest for a while.
 * When the error rises, the last of them as it was before is kept as one more expert, which learns
 * no more, should the old rules return.
 */
final class Ensemble {
  /** Instances between two reviews of the experts. */
  private static final int REVIEW = 1024;

  /** Where the answer is no better than the lead, it can do without all of them. */
  private static final double ALL = Double.POSITIVE_INFINITY;

  /**
   * Experts rest if the stack of all is worse by no more than this part of its loss for it. With
   * 0.01 the error on a generated stream of moving centres is 4 % higher, and the time the same.
   */
  private static final double DISPENSABLE = 0.001;

  /** The most models of the past that are kept; then the oldest gives way. */
  private static final int MOST_FROZEN = 4;

  /** Probability of a false alarm when the error is watched. */
  private static final double FALSE_ALARM = 0.002;

  /** Standard errors by which the answer must be better than the lead to be worth its cost. */
  private static final double SURE = 3;

  /** Instances over which the answer is compared with the lead. */
  private static final double PATIENCE = 4096;

  /** A file with more experts than this is forged. */
  static final int MOST_EXPERTS = 100;

  private static final String CHECKPOINT = "checkpoint";

  private final Task.Kind task;
  private final List<Expert> experts;

  /** The number of experts that are not models of the past. */
  private final int learning;

  private final Moment moment = new Moment();
  private Aggregation aggregation;
  private RestSchedule schedule;
  private PastLabels labels = new PastLabels();
  private Adwin watch = new Adwin(FALSE_ALARM);

  /** The last expert as it was at the latest reviews, the older one first. */
  private final List<Frozen> checkpoints = new ArrayList<>();

  private long t;
  private long rises;
  private long frozen;
  private final PairedTest worth = new PairedTest(PATIENCE);
  private final PairedTest fresh = new PairedTest(Mixture.WINDOW);
  private boolean isLeadOutdated;
  private double[][] scores = {};
  private Features row;

  private Ensemble(Task.Kind task, List<Expert> experts, int learning) {
    this.task = task;
    this.experts = experts;
    this.learning = learning;
    aggregation = new Aggregation(task, members(), hasCostly());
    schedule = new RestSchedule(members(), 0);
  }

  /**
   * Experts that have learned nothing.
   *
   * @param rows the first rows
   * @param how how labels are learned
   * @param lead what answers, beside which there are more experts if it is a tree
   */
  static Ensemble of(List<Instance> rows, Task.Kind task, Labels how, Runner lead) {
    ExpertFactory factory = new ExpertFactory(rows, task, how);
    List<Expert> experts = factory.cheap();
    if (lead.isTree()) {
      experts.addAll(factory.forgetting(lead));
    }
    return new Ensemble(task, experts, experts.size());
  }

  /** The lead, the experts, and room for models of the past. */
  private int members() {
    return 1 + learning + MOST_FROZEN;
  }

  /** Whether experts that forget are among them. */
  private boolean hasCostly() {
    return experts.get(learning - 1) instanceof MachineExpert;
  }

  /**
   * These experts from instance t on; what is known of how good they are is taken from those before
   * them if the task is the same.
   *
   * @param before the ensemble whose place they take, or null
   */
  Ensemble startAt(long instances, Ensemble before) {
    t = instances;
    schedule = new RestSchedule(members(), t);
    if (before != null && before.task == task) {
      aggregation.takeOver(before.aggregation, 1 + common(before));
    }
    return this;
  }

  /** The number of first experts that are of the same kinds. */
  private int common(Ensemble other) {
    int most = Math.min(learning, other.learning);
    return (int)
        IntStream.range(0, most)
            .takeWhile(k -> experts.get(k).name().equals(other.experts.get(k).name()))
            .count();
  }

  /** Learns a row that was kept. */
  void follow(Features x, double y, double weight) {
    row = x;
    learnRow(y, weight);
  }

  /**
   * The common scores of all for a row.
   *
   * @param lead the scores of the learner of the race
   * @param classes the labels of the columns in ascending order; empty where there is one column
   * @return the answer, valid until the next call; the scores of the lead as they are if nobody
   *     else has weight
   */
  double[] combine(Features x, double[] lead, double[] classes) {
    row = x.copy();
    if (scores.length == 0 || scores[0].length != lead.length) {
      scores = new double[members()][lead.length];
    }
    moment.of(row, labels);
    System.arraycopy(lead, 0, scores[0], 0, lead.length);
    for (int k = 0; k < experts.size() && lead.length > 0; k++) {
      if (schedule.rests(1 + k)) {
        Arrays.fill(scores[1 + k], 0);
      } else {
        experts.get(k).score(moment, classes, scores[1 + k]);
      }
    }
    double[] answer = aggregation.combine(scores, classes);
    return aggregation.isFirstAlone() ? lead : answer;
  }

  /** Learns the row that was combined last. */
  void learn(double y, double weight) {
    boolean[] absent = new boolean[members()];
    for (int m = 1; m < absent.length; m++) {
      absent[m] = m > experts.size() || schedule.rests(m);
    }
    if (aggregation.learn(y, weight, absent)) {
      judge(y);
    }
    learnRow(y, weight);
    t++;
    isLeadOutdated = false;
    if (hasCostly() && t % REVIEW == 0) {
      review();
    }
  }

  private void learnRow(double y, double weight) {
    moment.of(row, labels);
    for (int k = 0; k < experts.size(); k++) {
      if (!schedule.rests(1 + k)) {
        experts.get(k).learn(moment, y, weight);
      }
    }
    labels.add(y);
  }

  /** Compares the answer with that of the lead, and watches its error. */
  private void judge(double y) {
    double loss = aggregation.loss(y);
    double ofLead = aggregation.loss(0, y);
    worth.add(ofLead - loss);
    fresh.add(ofLead - aggregation.loss(learning, y));
    double error = task == Task.Kind.REGRESSION ? loss / (loss + 1) : loss;
    if (watch.add(error) && watch.newer() > watch.older()) {
      rises++;
      keepPast();
      wakeAll();
    }
  }

  /** Keeps the last expert as it was before the error rose. */
  private void keepPast() {
    if (checkpoints.size() == 2 && !Ablation.lacks(Ablation.Part.FROZEN_MODELS)) {
      int place = (int) (learning + frozen++ % MOST_FROZEN);
      if (place == experts.size()) {
        experts.add(checkpoints.get(0));
      } else {
        experts.set(place, checkpoints.get(0));
      }
      aggregation.forget(1 + place);
      schedule.wake(1 + place, t);
      checkpoints.clear();
    }
  }

  private void wakeAll() {
    if (schedule.mayWakeAll(t)) {
      for (int m = 1; m <= experts.size(); m++) {
        if (schedule.rests(m)) {
          schedule.wake(m, t);
        }
      }
    }
  }

  /** Takes a checkpoint, and finds who may rest and who has rested enough. */
  private void review() {
    if (!schedule.rests(learning)) {
      isLeadOutdated = fresh.z() > Race.OUTDATED;
      checkpoints.add((Frozen) experts.get(learning - 1).freeze());
      if (checkpoints.size() > 2) {
        checkpoints.remove(0);
      }
    }
    if (!Ablation.lacks(Ablation.Part.REST)) {
      sendToRest();
    }
    for (int m = 1; m <= experts.size(); m++) {
      if (schedule.isDue(m, t)) {
        schedule.wake(m, t);
      }
    }
  }

  private void sendToRest() {
    boolean[] mayRest = new boolean[members()];
    for (int m = 1; m <= experts.size(); m++) {
      boolean isFree = m != aggregation.heaviest() && experts.get(m - 1).isCostly();
      mayRest[m] = isFree && schedule.mayRest(m, t);
    }
    double share = worth.z() > SURE ? DISPENSABLE : ALL;
    List<Integer> dispensable = aggregation.dispensable(mayRest, share);
    for (int m = 1; m <= experts.size(); m++) {
      if (dispensable.contains(m)) {
        schedule.rest(m, t);
      } else if (schedule.mayRest(m, t)) {
        schedule.stay(m);
      }
    }
  }

  /**
   * Whether what the lead remembers may do harm: at the review after the latest row, an expert that
   * knows only what came since the error last rose was far better.
   */
  boolean isLeadOutdated() {
    return isLeadOutdated;
  }

  /** Whether the lead has the largest weight. */
  boolean leads() {
    return aggregation.heaviest() == 0;
  }

  /** The number of vectors, rows and leaves of the experts that the answer depends on. */
  int size() {
    Blend blend = aggregation.blend();
    return IntStream.range(0, experts.size())
        .filter(k -> blend.needs(1 + k))
        .map(k -> experts.get(k).size())
        .sum();
  }

  /** What has the largest weight. */
  Status.Change change() {
    int heaviest = aggregation.heaviest();
    int past = experts.size() - learning;
    boolean areAwake =
        IntStream.range(0, learning)
            .anyMatch(k -> experts.get(k).isCostly() && !schedule.rests(1 + k));
    if (heaviest == 0 || heaviest == members()) {
      boolean isLead = heaviest == 0;
      return new Status.Change(isLead ? "tree" : "stack", t, !isLead, rises, past, areAwake);
    }
    Expert first = experts.get(heaviest - 1);
    return new Status.Change(
        first.name(), first.memory(t), first.seesLabels(), rises, past, areAwake);
  }

  /**
   * What all answer now, frozen.
   *
   * @param lead the learner of the race
   * @param scaler how it sees features
   */
  Model snapshot(Model lead, Scaler scaler) {
    Blend blend = aggregation.blend();
    if (blend.isFirstAlone()) {
      return lead;
    }
    List<Opinion> opinions = new ArrayList<>();
    opinions.add(new Frozen("race", lead, Inputs.of(scaler)));
    int[] members =
        IntStream.rangeClosed(0, experts.size()).filter(m -> m == 0 || blend.needs(m)).toArray();
    for (int i = 1; i < members.length; i++) {
      opinions.add(experts.get(members[i] - 1).freeze());
    }
    return new EnsembleModel(opinions, blend.of(members), labels.copy());
  }

  void encode(Encoder out) {
    SharedInputs shared = new SharedInputs();
    experts.forEach(expert -> Experts.take(expert, shared));
    checkpoints.forEach(model -> Experts.take(model, shared));
    out.int32(task.ordinal());
    out.section("inputs", shared::encode);
    out.int32(learning);
    out.int32(experts.size());
    experts.forEach(
        expert -> out.section("expert", section -> Experts.encode(expert, section, shared)));
    out.section("aggregation", aggregation::encode);
    out.section("schedule", schedule::encode);
    out.section("watch", watch::encode);
    out.section("labels", labels::encode);
    out.int32(checkpoints.size());
    checkpoints.forEach(
        model -> out.section(CHECKPOINT, section -> Experts.encode(model, section, shared)));
    out.int64(t);
    out.int64(rises);
    out.int64(frozen);
    worth.encode(out);
    fresh.encode(out);
  }

  static Ensemble decode(Decoder in) throws ModelFileException {
    Task.Kind task = Task.Kind.values()[in.int32("the task", Task.Kind.values().length - 1)];
    SharedInputs shared = in.section("inputs", SharedInputs::decode);
    int learning = in.int32("the experts that learn", MOST_EXPERTS);
    int count = in.int32("the experts", learning + MOST_FROZEN);
    Decoder.check(learning > 0 && count >= learning, "there must be experts", count);
    List<Expert> experts = new ArrayList<>();
    for (int k = 0; k < count; k++) {
      experts.add(in.section("expert", section -> Experts.decodeLive(section, shared, task)));
    }
    Ensemble all = new Ensemble(task, experts, learning);
    int members = all.members();
    all.aggregation =
        in.section(
            "aggregation", section -> Aggregation.decode(section, task, members, all.hasCostly()));
    all.schedule = in.section("schedule", section -> RestSchedule.decode(section, members));
    all.watch = in.section("watch", section -> Adwin.decode(section, FALSE_ALARM));
    all.labels = in.section("labels", PastLabels::decode);
    all.decodeRest(in, shared);
    return all;
  }

  private void decodeRest(Decoder in, SharedInputs shared) throws ModelFileException {
    int kept = in.int32("the checkpoints", 2);
    for (int i = 0; i < kept; i++) {
      Expert model = in.section(CHECKPOINT, section -> Experts.decodeLive(section, shared, task));
      Decoder.check(model instanceof Frozen, "a checkpoint must be a model", model.name());
      checkpoints.add((Frozen) model);
    }
    boolean isKept = kept == 0 || experts.get(learning - 1) instanceof MachineExpert;
    Decoder.check(isKept, "checkpoints must be of a machine", kept);
    t = in.count("the instances");
    rises = in.count("the rises of the error");
    frozen = in.count("the models of the past");
    int past = experts.size() - learning;
    Decoder.check(past == Math.min(frozen, MOST_FROZEN), "models of the past must be there", past);
    worth.decode(in);
    fresh.decode(in);
  }
}
