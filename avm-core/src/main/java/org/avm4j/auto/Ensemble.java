package org.avm4j.auto;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.Status;
import org.avm4j.Task;
import org.avm4j.auto.aggregate.Aggregation;
import org.avm4j.auto.aggregate.Blend;
import org.avm4j.auto.aggregate.PairedTest;
import org.avm4j.auto.constants.Constants;
import org.avm4j.auto.expert.Expert;
import org.avm4j.auto.expert.Frozen;
import org.avm4j.auto.expert.Inputs;
import org.avm4j.auto.expert.Moment;
import org.avm4j.auto.expert.Opinion;
import org.avm4j.auto.expert.PastLabels;
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
 * the race learns. The first member of the aggregation is the lead, the leading learner of the
 * race, which is not held here; the experts follow.
 *
 * <p>Some experts run from the first rows on; those that forget join once there is a tree. Experts
 * that the answer does not need rest for a while. When the error rises, an earlier checkpoint of
 * the newest expert is kept as a frozen expert, in case the old concept returns.
 */
final class Ensemble {
  private final Task.Kind task;
  private final Moment moment = new Moment();
  private final PairedTest worth = new PairedTest(Constants.SEARCH_ROWS);
  private final PairedTest fresh = new PairedTest(Constants.WINDOW);
  private final Roster roster;
  private Aggregation aggregation;
  private PastLabels labels;
  private Adwin watch = new Adwin(Constants.FALSE_ALARM);
  private long t;
  private long rises;
  private boolean isLeadOutdated;
  private double[][] scores = {};
  private Features row;

  private Ensemble(Task.Kind task, Roster roster, PastLabels labels) {
    this.task = task;
    this.roster = roster;
    this.labels = labels;
    aggregation = new Aggregation(task, roster.places(), roster.hasForgetting());
  }

  /**
   * Untrained experts.
   *
   * @param rows the first rows
   * @param how how labels are learned
   * @param found the lead, and after it a learner without a metric, if the lead has one; beside a
   *     tree there are more experts
   * @param delay the number of rows that are answered between a row and its label
   */
  static Ensemble of(
      List<Instance> rows, Task.Kind task, Labels how, List<CandidateLearner> found, int delay) {
    ExpertFactory factory = new ExpertFactory(rows, task, how);
    List<Expert> experts = factory.early();
    if (found.get(0).isTree()) {
      experts.addAll(factory.forgetting(found.get(0), found.get(found.size() - 1)));
    }
    return new Ensemble(task, new Roster(experts), new PastLabels(delay));
  }

  /**
   * Starts the experts at instance t. If the task is the same, the weights of the same experts are
   * taken over.
   *
   * @param before the ensemble that this one replaces, or null
   */
  Ensemble startAt(long instances, Ensemble before) {
    t = instances;
    roster.startAt(t);
    if (before != null && before.task == task) {
      int common = roster.common(before.roster);
      aggregation.takeOver(before.aggregation, 1 + common);
      roster.takeOver(before.roster, common);
    }
    return this;
  }

  /** Changes the number of rows that are answered between a row and its label. */
  void labelsComeLate(int rows) {
    labels = labels.withDelay(rows);
  }

  /** Learns a stored row. */
  void follow(Features x, double y, double weight) {
    labels.hideLate(true);
    roster.replay(moment.of(x, labels), y, weight);
    labels.add(y);
  }

  /**
   * The combined scores of all members for a row.
   *
   * @param lead the scores of the lead
   * @param classes the labels of the columns in ascending order; empty where there is one column
   * @param isLearned whether the row is learned next, so that labels are hidden which were not
   *     known when it was answered
   * @return the answer, valid until the next call; the unchanged scores of the lead if no other
   *     member has weight
   */
  double[] combine(Features x, double[] lead, double[] classes, boolean isLearned) {
    labels.hideLate(isLearned);
    row = x.copy();
    if (scores.length == 0 || scores[0].length != lead.length) {
      scores = new double[roster.places()][lead.length];
    }
    moment.of(row, labels);
    System.arraycopy(lead, 0, scores[0], 0, lead.length);
    if (lead.length > 0) {
      roster.score(moment, classes, scores);
    }
    double[] answer = aggregation.combine(scores, classes);
    return aggregation.isFirstAlone() ? lead : answer;
  }

  /** Learns the row that was combined last, in order to be learned. */
  void learn(double y, double weight) {
    boolean[] absent = new boolean[roster.places()];
    for (int m = 1; m < absent.length; m++) {
      absent[m] = !roster.answers(m);
    }
    if (aggregation.learn(y, weight, absent)) {
      judge(y);
    }
    roster.learn(moment.of(row, labels), y, weight);
    labels.add(y);
    t++;
    isLeadOutdated = false;
    if (roster.hasForgetting() && t % Constants.REVIEW == 0) {
      review();
    }
  }

  /**
   * Lets experts learn a row without a label.
   *
   * @param first the first rows with labels, for experts that start with this row
   * @return whether any expert used the row
   */
  boolean observe(Features x, List<Instance> first, Labels how) {
    labels.hideLate(false);
    return roster.observe(
        () -> moment.of(x, labels),
        expert ->
            first.forEach(
                known ->
                    expert.learn(
                        moment.of(known.features(), labels),
                        how.transform(known.label()),
                        known.weight())));
  }

  /** Compares the answers, and watches the error for a rise. */
  private void judge(double y) {
    double loss = aggregation.loss(y);
    double ofLead = aggregation.loss(0, y);
    worth.add(ofLead - loss);
    if (roster.works(roster.newest())) {
      fresh.add(ofLead - aggregation.loss(roster.newest(), y));
    }
    if (watch.add(error(y)) && watch.newer() > watch.older()) {
      rises++;
      int place = roster.change(t, !Ablation.lacks(Ablation.Part.FROZEN_MODELS));
      if (place > 0) {
        aggregation.forget(place);
      }
    }
  }

  /** The error of the answer to the row that was combined last, from 0 to 1. */
  double error(double y) {
    return aggregation.error(y);
  }

  /** Notes the label of the row that was combined last, without learning the row. */
  void see(double y) {
    labels.add(y);
  }

  private void review() {
    if (roster.works(roster.newest())) {
      isLeadOutdated = fresh.z() > Constants.VERY_SURE;
      roster.checkpoint();
    }
    if (!Ablation.lacks(Ablation.Part.REST)) {
      roster.review(t, aggregation, worth.z() > Constants.SURE);
    }
  }

  /**
   * Whether the memory of the lead may do harm: at the latest review, an expert that knows only the
   * rows since the error last rose was far better.
   */
  boolean isLeadOutdated() {
    return isLeadOutdated;
  }

  /** Notes that another learner leads from now on. */
  void leadChanged() {
    fresh.clear();
  }

  /** Whether the experts have this task. */
  boolean isFor(Task other) {
    return task == other.kind();
  }

  /** The number of vectors, rows and leaves of the experts that the answer depends on. */
  int size() {
    return IntStream.of(roster.needed(aggregation.blend()))
        .skip(1)
        .map(m -> roster.get(m).size())
        .sum();
  }

  /**
   * The member with the largest weight.
   *
   * @param lead the name of the lead, in a word
   */
  Status.Change change(String lead) {
    int heaviest = aggregation.heaviest();
    if (heaviest == 0 || heaviest == roster.places()) {
      return change(heaviest == 0 ? lead : "stack", t, heaviest != 0);
    }
    Expert first = roster.get(heaviest);
    return change(first.name(), first.memory(t), first.seesLabels());
  }

  private Status.Change change(String name, double memory, boolean seesLabels) {
    return new Status.Change(name, memory, seesLabels, rises, roster.frozen(), roster.runs());
  }

  /**
   * A frozen copy of all members and their weights.
   *
   * @param lead the frozen lead
   * @param scaler its scaling and metric
   */
  Model snapshot(Model lead, Scaler scaler) {
    Blend blend = aggregation.blend();
    if (blend.isFirstAlone()) {
      return lead;
    }
    int[] needed = roster.needed(blend);
    List<Opinion> opinions = new ArrayList<>();
    opinions.add(new Frozen("race", lead, Inputs.of(scaler)));
    IntStream.of(needed).skip(1).forEach(m -> opinions.add(roster.get(m).freeze()));
    return new EnsembleModel(opinions, blend.of(needed), labels.copy());
  }

  void encode(Encoder out) {
    out.int32(task.ordinal());
    out.section("roster", roster::encode);
    out.section("aggregation", aggregation::encode);
    out.section("watch", watch::encode);
    out.section("labels", labels::encode);
    out.int64(t);
    out.int64(rises);
    worth.encode(out);
    fresh.encode(out);
  }

  static Ensemble decode(Decoder in, int delay) throws ModelFileException {
    Task.Kind task = Task.Kind.values()[in.int32("the task", Task.Kind.values().length - 1)];
    Roster roster = in.section("roster", section -> Roster.decode(section, task));
    Ensemble all = new Ensemble(task, roster, new PastLabels());
    all.aggregation =
        in.section(
            "aggregation",
            section -> Aggregation.decode(section, task, roster.places(), roster.hasForgetting()));
    for (int m = roster.places() - 1; m > roster.filled(); m--) {
      all.aggregation.forget(m);
    }
    all.watch = in.section("watch", section -> Adwin.decode(section, Constants.FALSE_ALARM));
    all.labels = in.section("labels", section -> PastLabels.decode(section, delay));
    all.t = in.count("the instances");
    all.rises = in.count("the rises of the error");
    all.worth.decode(in);
    all.fresh.decode(in);
    return all;
  }
}
