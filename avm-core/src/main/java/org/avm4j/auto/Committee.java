package org.avm4j.auto;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.avm4j.AvmOptions;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.Predictor;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Ablation;
import org.avm4j.internal.Ablation.Part;

/**
 * All that stands beside a tree: machines that forget, frozen models of the past, the stack of all
 * of them and the tree, and the one that leads. Member 0 is the tree, then come the experts, the
 * nearest neighbours, the forest, and the frozen models.
 */
final class Committee {
  private static final List<ForgettingMachine.Plan> PLANS =
      List.of(
          new ForgettingMachine.Plan(64, 50, 0.25, true),
          new ForgettingMachine.Plan(64, 100, 0.25, true),
          new ForgettingMachine.Plan(64, 300, 0.25, true),
          new ForgettingMachine.Plan(64, 1000, 0.25, true),
          new ForgettingMachine.Plan(128, 300, 1, false),
          new ForgettingMachine.Plan(128, 1000, 1, false),
          new ForgettingMachine.Plan(128, ForgettingMachine.Plan.SINCE_DRIFT, 1, false));

  /** The expert that is frozen when the stream changes: the first of these that works. */
  private static final int[] SLOWEST = {5, 6, 4};

  /** The expert that knows all since the error last rose. */
  private static final int SINCE_CHANGE = 6;

  /** A tree is outdated if it is behind that one by this multiple of the root of its losses. */
  private static final double OUTDATED = 6;

  /** The interval, in instances, at which members are sent to rest. */
  private static final int REVIEW = 1024;

  /** A member lags that is behind the best by this multiple of the root of its losses. */
  private static final double SURE = 2;

  /** Members that lag behind rest if the stack loses no more than this part by it. */
  private static final double LAGGING = 0.01;

  /** Members that do not lag rest if the stack loses no more than this part by it. */
  private static final double REDUNDANT = 0.003;

  /** Before this instance none rests while the committee answers, and only those that lag else. */
  private static final long SETTLED = 65_536;

  private static final int NEIGHBOURS = 1 + PLANS.size();

  private static final int FOREST = NEIGHBOURS + 1;

  private static final int FIRST_FROZEN = FOREST + 1;

  private static final int MEMBERS = FIRST_FROZEN + Past.MOST;

  /** No member is absent. */
  static final int NOBODY = MEMBERS + 1;

  /** A linear part of more features, or rows that are remembered, would cost too much. */
  static final int MOST_LINEAR = Window.MOST_FEATURES;

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
    /** The features of a linear part behind the places for labels. */
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
  private final List<ForgettingMachine> experts = new ArrayList<>();
  private LatestLabel latest;
  private Stack stack;
  private Neighbours neighbours;
  private Forest forest;
  private Past past = new Past();
  private Rota rota = new Rota(MEMBERS);
  private final double[] memberLosses = new double[MEMBERS];

  private Features measured;
  private final Features.Buffer labelled = new Features.Buffer();
  private Panel panel;
  private double[] stacked = {};
  private final boolean neverRests = Ablation.lacks(Part.REST);
  private final boolean seesNoLabel = Ablation.lacks(Part.LATEST_LABEL);
  private final boolean freezesNone = Ablation.lacks(Part.FROZEN_MODELS);

  Committee(Setup setup) {
    task = setup.machine.task();
    latest = LatestLabel.of(task, setup.classes, setup.distance);
    stack = new Stack(MEMBERS, bound());
    int remembered = setup.features <= MOST_LINEAR ? setup.features : 0;
    neighbours = new Neighbours(remembered);
    forest = new Forest(remembered);
    for (ForgettingMachine.Plan plan : PLANS) {
      int places = plan.seesLabel() ? latest.places() : 0;
      experts.add(ForgettingMachine.of(plan, setup.machine, setup.linear(places)));
    }
    leaveOut();
  }

  private void leaveOut() {
    for (int m = 1; m < FIRST_FROZEN; m++) {
      if (Ablation.lacks(part(m))) {
        rota.bar(m);
      }
    }
  }

  private Part part(int member) {
    if (isExpert(member)) {
      return seesLabel(member) ? Part.LABEL_MACHINES : Part.FORGETTING_MACHINES;
    }
    return member == FOREST ? Part.FOREST : Part.NEIGHBOURS;
  }

  private double bound() {
    return task.isRegression() ? Stack.BOUND_OF_NUMBERS : Stack.BOUND;
  }

  /** Finds the scores of all members for a row, unless it was measured last. */
  void measure(Predictor tree, Features x) {
    if (x.equals(measured)) {
      return;
    }
    measureTree(tree, x);
    measured = x.copy();
    Features beside = latest.beside(x, labelled);
    for (int m = 1; m < present(); m++) {
      if (rota.rests(m)) {
        Arrays.fill(scores(m), 0);
      } else if (m == NEIGHBOURS) {
        neighbours.score(x, task, panel.classes(), scores(m));
      } else if (m == FOREST) {
        forest.score(x, task, panel.classes(), scores(m));
      } else {
        panel.take(m, predictor(m), seesLabel(m) ? beside : x);
      }
    }
    stack.combine(panel.scores(), panel.columns(), stacked);
  }

  private Predictor predictor(int member) {
    return isExpert(member) ? experts.get(member - 1).machine() : past.get(member - FIRST_FROZEN);
  }

  /** Finds the scores of the tree alone. */
  void measureTree(Predictor tree, Features x) {
    measured = null;
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

  /** The member with the least loss lately, of those that work; never the tree. */
  int leader() {
    int leader = 0;
    for (int m = 1; m < present(); m++) {
      boolean isBetter = leader == 0 || memberLosses[m] < memberLosses[leader];
      leader = isBetter && !rota.rests(m) ? m : leader;
    }
    return leader;
  }

  private int present() {
    return FIRST_FROZEN + past.size();
  }

  /** Learns the row that was measured, as instance t; whether others than the tree answer. */
  void learn(Features x, double y, double weight, long t, boolean isNeeded) {
    for (int m = 0; m < present(); m++) {
      memberLosses[m] *= 1 - 1 / WINDOW;
      memberLosses[m] += loss(scores(m), y);
    }
    learnStack(y, weight);
    Features beside = latest.beside(x, labelled);
    for (int i = 0; i < experts.size(); i++) {
      if (!rota.rests(1 + i)) {
        experts.get(i).learn(seesLabel(1 + i) ? beside : x, y, weight);
      }
    }
    if (!rota.rests(NEIGHBOURS)) {
      neighbours.learn(x, y);
    }
    if (!rota.rests(FOREST)) {
      forest.learn(x, y, task);
    }
    if (t % REVIEW == 0) {
      review(t, isNeeded);
    }
  }

  /** Looks who may rest, who has rested for long enough, and at what may be frozen later. */
  private void review(long t, boolean isNeeded) {
    for (int i : SLOWEST) {
      if (!rota.rests(1 + i) && !freezesNone) {
        past.look(experts.get(i).machine());
        break;
      }
    }
    if ((!isNeeded || t >= SETTLED) && !neverRests) {
      sendToRest(t);
    }
    wake(t, false);
  }

  /** Members rest, the least useful first, as long as the stack hardly loses by it. */
  private void sendToRest(long t) {
    stack.solve();
    double distance = stack.distance();
    sendToRest(t, LAGGING * distance, true);
    if (t >= SETTLED) {
      sendToRest(t, REDUNDANT * distance, false);
    }
    for (int m = 1; m < present(); m++) {
      if (rota.mayRest(m, t)) {
        rota.stay(m);
      }
    }
  }

  private void sendToRest(long t, double most, boolean onlyLagging) {
    double allowed = most;
    int least = leastUseful(t, onlyLagging);
    while (least > 0 && stack.worth(least) <= allowed) {
      allowed -= stack.worth(least);
      rota.rest(least, t);
      stack.replace(least);
      stack.solve();
      least = leastUseful(t, onlyLagging);
    }
  }

  /** The member that the stack would miss least, of those that may rest, or 0. */
  private int leastUseful(long t, boolean onlyLagging) {
    int leader = leader();
    double best = Math.min(memberLosses[0], memberLosses[leader]);
    double bound = onlyLagging ? best + SURE * Math.sqrt(best + 1) : 0;
    int least = 0;
    for (int m = 1; m < present(); m++) {
      boolean mayRest = m != leader && rota.mayRest(m, t) && memberLosses[m] >= bound;
      if (mayRest && (least == 0 || stack.worth(m) < stack.worth(least))) {
        least = m;
      }
    }
    return least;
  }

  /** Wakes those who have rested for long enough, or all. */
  private void wake(long t, boolean all) {
    double loss = Math.max(memberLosses[0], memberLosses[leader()]);
    for (int m = 1; m < present(); m++) {
      if (rota.isDue(m, t) || all && rota.rests(m)) {
        rota.wake(m, t);
        memberLosses[m] = loss;
      }
    }
  }

  /** The trial of all members begins at instance t. */
  void begin(long t) {
    for (int m = 1; m < MEMBERS; m++) {
      rota.wake(m, t);
    }
  }

  /** All work again. */
  void wakeAll(long t) {
    wake(t, true);
  }

  /** From now on this is the latest label; what was measured before does not hold any more. */
  void see(double label) {
    if (!seesNoLabel) {
      latest.see(label);
    }
    measured = null;
  }

  /** Another tree is member 0. */
  void replaceTree() {
    measured = null;
  }

  /**
   * Whether what the tree remembers does harm: a small machine that knows only what came since the
   * error last rose makes clearly fewer mistakes. Then a new tree is member 0.
   */
  boolean isTreeOutdated(long t) {
    int fresh = 1 + SINCE_CHANGE;
    double fewest = memberLosses[fresh] + OUTDATED * Math.sqrt(memberLosses[fresh] + 1);
    boolean isOutdated = t % REVIEW == 0 && !rota.rests(fresh) && memberLosses[0] > fewest;
    if (isOutdated) {
      memberLosses[0] = memberLosses[fresh];
      stack.replace(0);
    }
    return isOutdated;
  }

  private void learnStack(double y, double weight) {
    boolean isChanged =
        switch (task.kind()) {
          case REGRESSION -> learnColumn(0, y, weight, true);
          case BINARY -> learnColumn(0, y, weight, stacked[0] * y <= 1);
          case MULTICLASS, ANOMALY, CLUSTER -> learnClasses(y, weight);
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
    int own = Arrays.binarySearch(panel.classes(), y + 0.0);
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

  /** The stream has changed at instance t: what was known before is kept, and all are called. */
  void change(long t) {
    int slot = past.keep();
    if (slot >= 0) {
      int member = FIRST_FROZEN + slot;
      rota.wake(member, t);
      stack.replace(member);
      memberLosses[member] = WINDOW;
    }
    if (rota.mayCallAll(t)) {
      wakeAll(t);
    }
  }

  /** How many models of the past are kept. */
  int frozen() {
    return past.size();
  }

  /** The number of vectors, rows and leaves of all that work, the tree apart. */
  int size() {
    int size = 0;
    for (int m = 1; m < present(); m++) {
      size += rota.rests(m) ? 0 : size(m);
    }
    return size;
  }

  private int size(int member) {
    if (member == NEIGHBOURS || member == FOREST) {
      return member == FOREST ? forest.size() : neighbours.size();
    }
    return isExpert(member)
        ? experts.get(member - 1).machine().size()
        : past.get(member - FIRST_FROZEN).size();
  }

  private boolean isExpert(int member) {
    return member > 0 && member <= experts.size();
  }

  /** Whether a member is a model of the past. */
  boolean isFrozen(int member) {
    return member >= FIRST_FROZEN;
  }

  boolean seesLabel(int member) {
    return isExpert(member) && experts.get(member - 1).seesLabel();
  }

  /** How many instances a member stands for after t of them. */
  double memory(int member, long t) {
    if (member == NEIGHBOURS || member == FOREST) {
      return member == FOREST ? forest.memory() : neighbours.size();
    }
    return isExpert(member) ? experts.get(member - 1).machine().status().memory() : t;
  }

  /** How many instances the stack stands for: the mean of tree and experts by their weights. */
  double meanMemory(long t) {
    double[] weights = stack.weights();
    double sum = 0;
    double total = 0;
    for (int m = 0; m < FIRST_FROZEN; m++) {
      sum += Math.abs(weights[m]) * memory(m, t);
      total += Math.abs(weights[m]);
    }
    return total == 0 ? t : sum / total;
  }

  /** All that work as they are now; if one answers alone, it is that one, else -1. */
  MemoriesModel snapshot(MemoriesModel.Member tree, int alone, long t) {
    List<MemoriesModel.Member> members = new ArrayList<>(List.of(tree));
    double[] all = stack.weights();
    double[] weights = all.clone();
    int place = -1;
    for (int m = 1; m < present(); m++) {
      if (!rota.rests(m) && m != NEIGHBOURS && m != FOREST) {
        place = m == alone ? members.size() : place;
        weights[members.size()] = all[m];
        members.add(new MemoriesModel.Member(frozen(m), seesLabel(m)));
      }
    }
    int n = members.size();
    place = alone == NEIGHBOURS || alone == FOREST ? n + alone - NEIGHBOURS : place;
    weights[n] = all[NEIGHBOURS];
    weights[n + 1] = all[FOREST];
    weights[n + 2] = all[MEMBERS];
    double[] theirs = Arrays.copyOf(weights, n + 3);
    return new MemoriesModel(members, recent(), theirs, bound(), place, latest.snapshot(), t);
  }

  private MemoriesModel.Recent recent() {
    return new MemoriesModel.Recent(
        rota.rests(NEIGHBOURS) ? new Neighbours(0) : neighbours.snapshot(),
        rota.rests(FOREST) ? Forest.NONE : forest.snapshot());
  }

  private Model frozen(int member) {
    return isExpert(member)
        ? experts.get(member - 1).machine().snapshot()
        : past.get(member - FIRST_FROZEN);
  }

  void encode(Encoder out) {
    out.section("latest", latest::encode);
    out.int32(experts.size());
    experts.forEach(expert -> out.section("expert", expert::encode));
    out.section("neighbours", neighbours::encode);
    out.section("forest", forest::encode);
    out.section("stack", stack::encode);
    out.doubles(memberLosses, MEMBERS);
    out.section("past", past::encode);
    out.section("rota", rota::encode);
  }

  static Committee decode(Setup setup, Decoder in) throws ModelFileException {
    Committee committee = new Committee(setup);
    committee.latest = in.section("latest", LatestLabel::decode);
    int count = in.int32("the experts", PLANS.size());
    Decoder.check(count == PLANS.size(), "the experts must be those of the plan", count);
    for (int i = 0; i < count; i++) {
      committee.experts.set(i, in.section("expert", ForgettingMachine::decode));
    }
    committee.neighbours = in.section("neighbours", Neighbours::decode);
    int absent = in.hasSection("forest") ? NOBODY : FOREST;
    if (absent == NOBODY) {
      committee.forest = in.section("forest", Forest::decode);
    }
    double bound = committee.bound();
    committee.stack = in.section("stack", section -> Stack.decode(section, MEMBERS, absent, bound));
    committee.decodeLosses(in, absent);
    committee.past = in.section("past", Past::decode);
    committee.rota = in.section("rota", section -> Rota.decode(section, MEMBERS, absent));
    Decoder.check(committee.leader() > 0, "one member must work", committee.leader());
    return committee;
  }

  /** The losses of all but the member that is absent. */
  private void decodeLosses(Decoder in, int absent) throws ModelFileException {
    int count = absent == NOBODY ? MEMBERS : MEMBERS - 1;
    Stack.spread(in.doubles(count, count), absent, memberLosses);
  }
}
