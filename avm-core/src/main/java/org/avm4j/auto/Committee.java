package org.avm4j.auto;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.avm4j.AvmOptions;
import org.avm4j.Features;
import org.avm4j.Predictor;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * All that stands beside a tree: machines that forget, frozen models of the past, the stack of all
 * of them and the tree, and the one that leads. Member 0 is the tree, then come the experts, then
 * the frozen models.
 */
final class Committee {
  private static final List<Expert.Plan> PLANS =
      List.of(
          new Expert.Plan(64, 50, 0.25, true),
          new Expert.Plan(64, 100, 0.25, true),
          new Expert.Plan(64, 300, 0.25, true),
          new Expert.Plan(64, 1000, 0.25, true),
          new Expert.Plan(128, 300, 1, false),
          new Expert.Plan(128, 1000, 1, false),
          new Expert.Plan(128, Expert.Plan.SINCE_DRIFT, 1, false));

  /** The expert that is frozen when the stream changes. */
  private static final int SLOWEST = 5;

  private static final int MEMBERS = 1 + PLANS.size() + Past.MOST;

  /** A linear part of more features would cost too much. */
  private static final int MOST_LINEAR = 64;

  /** The window of the losses by which the leader is found. */
  private static final double WINDOW = 1000;

  /** A squared error counts for this at most. */
  private static final double MOST_LOSS = 25;

  /**
   * What is known at the start.
   *
   * @param machine the options that won the race
   * @param classes the number of classes so far, if the task has classes
   * @param features the number of features so far
   * @param distance the mean distance of two rows
   */
  record Setup(AvmOptions machine, int classes, int features, double distance) {
    /** The features of a linear part behind so many places for labels. */
    private int linear(int places) {
      return places + features <= MOST_LINEAR ? places + features : places;
    }

    Setup with(AvmOptions other, double meanDistance) {
      return new Setup(other, classes, features, meanDistance);
    }

    void encode(Encoder out) {
      machine.encode(out);
      out.int32(classes);
      out.int32(features);
      out.float64(distance);
    }

    static Setup decode(Decoder in) throws ModelFileException {
      return new Setup(
          AvmOptions.decode(in),
          in.int32("the classes", Integer.MAX_VALUE),
          in.int32("the features", Features.MAX_DIMENSION),
          in.finite("the mean distance"));
    }
  }

  private final Task task;
  private final List<Expert> experts = new ArrayList<>();
  private LatestLabel latest;
  private Stack stack;
  private Past past = new Past();
  private double[] memberLosses = new double[MEMBERS];

  private final Features.Buffer labelled = new Features.Buffer();
  private Panel panel;
  private double[] stacked = {};

  Committee(Setup setup) {
    task = setup.machine.task();
    latest = LatestLabel.of(task, setup.classes, setup.distance);
    stack = new Stack(MEMBERS, bound());
    for (Expert.Plan plan : PLANS) {
      int places = plan.seesLabel() ? latest.places() : 0;
      experts.add(Expert.of(plan, setup.machine, setup.linear(places)));
    }
  }

  private double bound() {
    return task.isRegression() ? Stack.BOUND_OF_NUMBERS : Stack.BOUND;
  }

  /** Finds the scores of all members for a row. */
  void measure(Predictor tree, Features x) {
    measureTree(tree, x);
    Features beside = latest.beside(x, labelled);
    for (int i = 0; i < experts.size(); i++) {
      Expert expert = experts.get(i);
      panel.take(1 + i, expert.machine(), expert.seesLabel() ? beside : x);
    }
    for (int i = 0; i < past.size(); i++) {
      panel.take(1 + experts.size() + i, past.get(i), x);
    }
    stack.combine(panel.scores(), panel.columns(), stacked);
  }

  /** Finds the scores of the tree alone. */
  void measureTree(Predictor tree, Features x) {
    if (panel == null || panel.columns() != tree.columns()) {
      panel = new Panel(MEMBERS, tree.columns(), tree.classes());
      stacked = new double[tree.columns()];
    }
    panel.take(0, tree, x);
  }

  /** The scores of a member for the row that was measured. */
  double[] scores(int member) {
    return panel.scores()[member];
  }

  /** The scores of the stack for the row that was measured. */
  double[] stacked() {
    return stacked;
  }

  /** 1 for a mistake; of numbers the squared error, up to a bound. */
  double loss(double[] scores, double y) {
    if (task.isRegression()) {
      double square = (scores[0] - y) * (scores[0] - y);
      return square < MOST_LOSS ? square : MOST_LOSS;
    }
    return task.predict(scores, panel.classes()) == y ? 0 : 1;
  }

  /** The expert or frozen model with the least loss lately. */
  int leader() {
    int leader = 1;
    for (int m = 2; m < present(); m++) {
      leader = memberLosses[m] < memberLosses[leader] ? m : leader;
    }
    return leader;
  }

  private int present() {
    return 1 + experts.size() + past.size();
  }

  /** Learns the row that was measured, as instance t. */
  void learn(Features x, double y, double weight, long t) {
    for (int m = 0; m < present(); m++) {
      memberLosses[m] *= 1 - 1 / WINDOW;
      memberLosses[m] += loss(scores(m), y);
    }
    learnStack(y, weight);
    Features beside = latest.beside(x, labelled);
    for (Expert expert : experts) {
      expert.learn(expert.seesLabel() ? beside : x, y, weight);
    }
    past.look(experts.get(SLOWEST).machine(), t);
  }

  /** From now on this is the latest label. */
  void see(double label) {
    latest.see(label);
  }

  private void learnStack(double y, double weight) {
    boolean isChanged =
        switch (task.kind()) {
          case REGRESSION -> learnColumn(0, y, weight, true);
          case BINARY -> learnColumn(0, y, weight, stacked[0] * y <= 1);
          case MULTICLASS, ANOMALY -> learnClasses(y, weight);
        };
    if (isChanged) {
      stack.settle();
    }
  }

  private boolean learnColumn(int column, double goal, double weight, boolean isMissing) {
    if (isMissing) {
      stack.learn(panel.scores(), column, goal, weight);
    }
    return isMissing;
  }

  private boolean learnClasses(double y, double weight) {
    int own = Arrays.binarySearch(panel.classes(), y);
    if (own < 0 || panel.columns() < 2) {
      return false;
    }
    int rival = own == 0 ? 1 : 0;
    for (int c = 0; c < panel.columns(); c++) {
      rival = c != own && stacked[c] > stacked[rival] ? c : rival;
    }
    boolean isOwn = learnColumn(own, 1, weight, stacked[own] <= 1);
    return learnColumn(rival, -1, weight, stacked[rival] >= -1) || isOwn;
  }

  /** The stream has changed: what was known before is kept. */
  void keepPast() {
    int slot = past.keep();
    if (slot >= 0) {
      int member = 1 + experts.size() + slot;
      stack.replace(member);
      memberLosses[member] = WINDOW;
    }
  }

  /** How many models of the past are kept. */
  int frozen() {
    return past.size();
  }

  /** The number of vectors of all but the tree. */
  int size() {
    int size = 0;
    for (Expert expert : experts) {
      size += expert.machine().size();
    }
    for (int i = 0; i < past.size(); i++) {
      size += past.get(i).size();
    }
    return size;
  }

  boolean isExpert(int member) {
    return member > 0 && member <= experts.size();
  }

  boolean seesLabel(int member) {
    return isExpert(member) && experts.get(member - 1).seesLabel();
  }

  /** How many instances a member stands for after t of them. */
  double memory(int member, long t) {
    return isExpert(member) ? experts.get(member - 1).machine().status().memory() : t;
  }

  /** How many instances the stack stands for: the mean of tree and experts by their weights. */
  double meanMemory(long t) {
    double[] weights = stack.weights();
    double sum = 0;
    double total = 0;
    for (int m = 0; m <= experts.size(); m++) {
      sum += Math.abs(weights[m]) * memory(m, t);
      total += Math.abs(weights[m]);
    }
    return total == 0 ? t : sum / total;
  }

  /** All members as they are now; the one that answers alone, or -1 for the stack. */
  MemoriesModel snapshot(MemoriesModel.Member tree, int alone) {
    List<MemoriesModel.Member> members = new ArrayList<>();
    members.add(tree);
    for (Expert expert : experts) {
      members.add(new MemoriesModel.Member(expert.machine().snapshot(), expert.seesLabel()));
    }
    for (int i = 0; i < past.size(); i++) {
      members.add(new MemoriesModel.Member(past.get(i), false));
    }
    double[] all = stack.weights();
    double[] weights = Arrays.copyOf(all, members.size() + 1);
    weights[members.size()] = all[MEMBERS];
    return new MemoriesModel(members, weights, bound(), alone, latest.snapshot());
  }

  void encode(Encoder out) {
    out.section("latest", latest::encode);
    out.int32(experts.size());
    experts.forEach(expert -> out.section("expert", expert::encode));
    out.section("stack", stack::encode);
    out.doubles(memberLosses, MEMBERS);
    out.section("past", past::encode);
  }

  static Committee decode(Setup setup, Decoder in) throws ModelFileException {
    Committee committee = new Committee(setup);
    committee.latest = in.section("latest", LatestLabel::decode);
    int count = in.int32("the experts", PLANS.size());
    Decoder.check(count == PLANS.size(), "the experts must be those of the plan", count);
    for (int i = 0; i < count; i++) {
      committee.experts.set(i, in.section("expert", Expert::decode));
    }
    double bound = committee.bound();
    committee.stack = in.section("stack", section -> Stack.decode(section, MEMBERS, bound));
    committee.memberLosses = in.doubles(MEMBERS, MEMBERS);
    committee.past = in.section("past", Past::decode);
    return committee;
  }
}
