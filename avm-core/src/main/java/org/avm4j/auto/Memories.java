package org.avm4j.auto;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.avm4j.AvmOptions;
import org.avm4j.AvmTree;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.OnlineLearner;
import org.avm4j.Status;
import org.avm4j.Task;
import org.avm4j.TreeOptions;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Adwin;

/**
 * A tree of machines that never forgets, and beside it small machines that do: it finds out from
 * its answers how far back to remember, and goes on finding out.
 *
 * <p>The small machines, the <em>experts</em>, stand for the last 50 to 1,000 instances. Some have
 * the latest label known among their features, because in many streams neighbouring labels agree.
 * When the error rises, the slowest of them as it was before is kept, frozen, so that it can answer
 * again should the old rules return. Three contend for the answer:
 *
 * <ol>
 *   <li>the tree;
 *   <li>the stack: tree, experts and frozen models, weighted by least squares over recent
 *       instances;
 *   <li>the leader: the one expert or frozen model with the fewest recent mistakes.
 * </ol>
 *
 * <p>The one with the fewest recent mistakes holds the answer, the tree unless another is better by
 * more than chance. Where the tree holds for {@value #PATIENCE} instances the experts rest, and
 * cost nothing. They are tried again when the error of the tree rises, and after a while.
 *
 * <p>In a file, kind {@code avm-memories}: «setup», «tree», «latest», n× «expert», «stack»,
 * «holder», the losses of the members, «past», «watch», and the counts.
 */
public final class Memories implements OnlineLearner {
  /** The kind of a file that holds such a learner. */
  public static final String KIND = "avm-memories";

  /** The kind of a file that holds its frozen model. */
  public static final String MODEL_KIND = "avm-memories-model";

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

  static final int TREE = 0;
  static final int STACK = 1;
  static final int LEADER = 2;

  /** A linear part of more features would cost too much. */
  private static final int MOST_LINEAR = 64;

  /** The window of the losses by which the leader is found. */
  private static final double WINDOW = 1000;

  /** The experts rest after the tree has held for so long. */
  private static final int PATIENCE = 4096;

  /** A trial after a rest takes so long. */
  private static final int TRIAL = 2048;

  /** They rest for this long at most. */
  private static final int LONGEST_REST = 32768;

  private static final double FALSE_ALARM = 0.002;

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
    int linear(int places) {
      return places + features <= MOST_LINEAR ? places + features : places;
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

  private final Setup setup;
  private AvmTree tree;
  private LatestLabel latest;
  private List<Expert> experts;
  private Stack stack;
  private Holder holder;
  private double[] memberLosses;
  private Past past;
  private Adwin watch;
  private long drifts;
  private long t;
  private long heldUntil;
  private long restUntil;

  private final Features.Buffer labelled = new Features.Buffer();
  private Panel panel;
  private double[] stacked = {};
  private final double[] losses = new double[3];

  Memories(Setup setup) {
    this.setup = setup;
    reset();
  }

  @Override
  public void reset() {
    tree = new AvmTree(TreeOptions.of(setup.machine));
    latest = LatestLabel.of(task(), setup.classes, setup.distance);
    experts = new ArrayList<>();
    for (Expert.Plan plan : PLANS) {
      int places = plan.seesLabel() ? latest.places() : 0;
      experts.add(Expert.of(plan, setup.machine, setup.linear(places)));
    }
    stack = new Stack(MEMBERS, bound());
    holder = new Holder(losses.length);
    memberLosses = new double[MEMBERS];
    past = new Past();
    watch = new Adwin(FALSE_ALARM);
    drifts = 0;
    t = 0;
    heldUntil = 0;
    restUntil = 0;
    panel = null;
  }

  private double bound() {
    return task().isRegression() ? Stack.BOUND_OF_NUMBERS : Stack.BOUND;
  }

  @Override
  public Task task() {
    return setup.machine.task();
  }

  /** The options that won the race. */
  AvmOptions machine() {
    return setup.machine;
  }

  /** Who answers now: the tree, the stack or the leader. */
  int holds() {
    return holder.holds();
  }

  /** Whether the experts learn and answer. */
  boolean isAwake() {
    return restUntil == 0;
  }

  @Override
  public void learn(Features x, double y, double weight) {
    task().check(y);
    OnlineLearner.checkWeight(weight);
    if (isAwake()) {
      learnAwake(x, y, weight);
    } else {
      learnAsleep(x, y);
    }
    tree.learn(x, y, weight);
    latest.see(y);
    t++;
    tend();
  }

  private void learnAwake(Features x, double y, double weight) {
    measure(x);
    stack.combine(panel.scores(), panel.columns(), stacked);
    judge(y, weight);
    learnStack(y, weight);
    Features beside = latest.beside(x, labelled);
    for (Expert expert : experts) {
      expert.learn(expert.seesLabel() ? beside : x, y, weight);
    }
    past.look(experts.get(SLOWEST).machine(), t);
  }

  /** Only the error of the tree is watched. */
  private void learnAsleep(Features x, double y) {
    panel = panel();
    panel.take(TREE, tree, x);
    if (isRise(loss(panel.scores()[TREE], y))) {
      wake();
    }
  }

  /** The scores of all members for a row. */
  private void measure(Features x) {
    panel = panel();
    panel.take(TREE, tree, x);
    Features beside = latest.beside(x, labelled);
    for (int i = 0; i < experts.size(); i++) {
      Expert expert = experts.get(i);
      panel.take(1 + i, expert.machine(), expert.seesLabel() ? beside : x);
    }
    for (int i = 0; i < past.size(); i++) {
      panel.take(1 + experts.size() + i, past.get(i), x);
    }
  }

  private Panel panel() {
    if (panel != null && panel.columns() == tree.columns()) {
      return panel;
    }
    stacked = new double[tree.columns()];
    return new Panel(MEMBERS, tree.columns(), tree.classes());
  }

  /** Takes in how wrong all were. */
  private void judge(double y, double weight) {
    losses[TREE] = loss(panel.scores()[TREE], y);
    losses[STACK] = loss(stacked, y);
    losses[LEADER] = loss(panel.scores()[leader()], y);
    double answered = losses[holder.holds()];
    holder.add(losses, weight);
    for (int m = 0; m < 1 + experts.size() + past.size(); m++) {
      memberLosses[m] *= 1 - 1 / WINDOW;
      memberLosses[m] += loss(panel.scores()[m], y);
    }
    if (isRise(answered)) {
      drifts++;
      keepPast();
    }
  }

  private boolean isRise(double loss) {
    double error = task().isRegression() ? loss / (loss + 1) : loss;
    return watch.add(error) && watch.newer() > watch.older();
  }

  private void keepPast() {
    int slot = past.keep();
    if (slot >= 0) {
      int member = 1 + experts.size() + slot;
      stack.replace(member);
      memberLosses[member] = WINDOW;
    }
  }

  /** The expert or frozen model with the least loss lately. */
  private int leader() {
    int leader = 1;
    for (int m = 2; m < 1 + experts.size() + past.size(); m++) {
      leader = memberLosses[m] < memberLosses[leader] ? m : leader;
    }
    return leader;
  }

  /** 1 for a mistake; of numbers the squared error, at most 25. */
  private double loss(double[] scores, double y) {
    if (task().isRegression()) {
      double square = (scores[0] - y) * (scores[0] - y);
      return square < MOST_LOSS ? square : MOST_LOSS;
    }
    return task().predict(scores, panel.classes()) == y ? 0 : 1;
  }

  private void learnStack(double y, double weight) {
    boolean isChanged =
        switch (task().kind()) {
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

  /** The experts rest where they are of no use, and wake up after a while. */
  private void tend() {
    if (holder.holds() != TREE) {
      heldUntil = t;
    }
    if (isAwake() && t - heldUntil >= PATIENCE) {
      restUntil = t + Math.min(t, LONGEST_REST);
      holder.rest();
    } else if (!isAwake() && t >= restUntil) {
      wake();
    }
  }

  private void wake() {
    restUntil = 0;
    heldUntil = Math.max(heldUntil, t - (PATIENCE - TRIAL));
  }

  @Override
  public int columns() {
    return tree.columns();
  }

  @Override
  public double[] classes() {
    return tree.classes();
  }

  @Override
  public void score(Features x, double[] scores) {
    if (holder.holds() == TREE) {
      tree.score(x, scores);
      return;
    }
    measure(x);
    if (holder.holds() == STACK) {
      stack.combine(panel.scores(), panel.columns(), scores);
    } else {
      System.arraycopy(panel.scores()[leader()], 0, scores, 0, panel.columns());
    }
  }

  @Override
  public double predict(Features x) {
    double[] scores = new double[Math.max(1, columns())];
    score(x, scores);
    return task().predict(scores, classes());
  }

  /**
   * What answers now, frozen. Where the tree holds it is that of the tree; else it holds all that
   * the answer depends on, the latest label among it.
   */
  @Override
  public Model snapshot() {
    if (holder.holds() == TREE) {
      return tree.snapshot();
    }
    List<MemoriesModel.Member> members = new ArrayList<>();
    members.add(new MemoriesModel.Member(tree.snapshot(), false));
    experts.forEach(
        expert ->
            members.add(new MemoriesModel.Member(expert.machine().snapshot(), expert.seesLabel())));
    for (int i = 0; i < past.size(); i++) {
      members.add(new MemoriesModel.Member(past.get(i), false));
    }
    int alone = holder.holds() == LEADER ? leader() : -1;
    return new MemoriesModel(members, weights(members.size()), bound(), alone, latest.snapshot());
  }

  /** The weights of members that are there, and of the bias. */
  private double[] weights(int members) {
    double[] all = stack.weights();
    double[] some = Arrays.copyOf(all, members + 1);
    some[members] = all[all.length - 1];
    return some;
  }

  @Override
  public Optional<AvmTree> tree() {
    return Optional.of(tree);
  }

  @Override
  public Memories copy() {
    return ModelFile.copy(this, Memories::decode);
  }

  /** The number of vectors behind the answers: those of all machines unless the tree holds. */
  @Override
  public int size() {
    int size = tree.size();
    if (holder.holds() == TREE) {
      return size;
    }
    for (Expert expert : experts) {
      size += expert.machine().size();
    }
    for (int i = 0; i < past.size(); i++) {
      size += past.get(i).size();
    }
    return size;
  }

  /** The status of the tree, with who answers. */
  @Override
  public Status status() {
    return tree.status().withChange(change(), size());
  }

  private Status.Change change() {
    return new Status.Change(word(), memory(), usesLatestLabel(), drifts, past.size(), isAwake());
  }

  private String word() {
    return switch (holder.holds()) {
      case STACK -> "stack";
      case LEADER -> leader() <= experts.size() ? "expert" : "frozen";
      default -> "tree";
    };
  }

  /** How many instances the answer stands for: of a stack the mean by weight. */
  private double memory() {
    return switch (holder.holds()) {
      case STACK -> meanMemory();
      case LEADER -> memory(leader());
      default -> t;
    };
  }

  private double meanMemory() {
    double[] weights = stack.weights();
    double sum = 0;
    double total = 0;
    for (int m = 0; m < 1 + experts.size(); m++) {
      sum += Math.abs(weights[m]) * memory(m);
      total += Math.abs(weights[m]);
    }
    return total == 0 ? t : sum / total;
  }

  private double memory(int member) {
    return member == 0 || member > experts.size()
        ? t
        : experts.get(member - 1).machine().status().memory();
  }

  private boolean usesLatestLabel() {
    return switch (holder.holds()) {
      case STACK -> true;
      case LEADER -> leader() <= experts.size() && experts.get(leader() - 1).seesLabel();
      default -> false;
    };
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public void encode(Encoder out) {
    out.section("setup", setup::encode);
    out.section("tree", tree::encode);
    out.section("latest", latest::encode);
    out.int32(experts.size());
    experts.forEach(expert -> out.section("expert", expert::encode));
    out.section("stack", stack::encode);
    out.section("holder", holder::encode);
    out.doubles(memberLosses, MEMBERS);
    out.section("past", past::encode);
    out.section("watch", watch::encode);
    out.int64(drifts);
    out.int64(t);
    out.int64(heldUntil);
    out.int64(restUntil);
  }

  /** The learner that {@link #encode} appended. */
  public static Memories decode(Decoder in) throws ModelFileException {
    Memories memories = new Memories(in.section("setup", Setup::decode));
    memories.tree = in.section("tree", AvmTree::decode);
    memories.latest = in.section("latest", LatestLabel::decode);
    int count = in.int32("the experts", PLANS.size());
    Decoder.check(count == PLANS.size(), "the experts must be those of the plan", count);
    for (int i = 0; i < count; i++) {
      memories.experts.set(i, in.section("expert", Expert::decode));
    }
    memories.stack =
        in.section("stack", section -> Stack.decode(section, MEMBERS, memories.bound()));
    memories.holder = in.section("holder", section -> Holder.decode(section, 3));
    memories.memberLosses = in.doubles(MEMBERS, MEMBERS);
    memories.past = in.section("past", Past::decode);
    memories.watch = in.section("watch", section -> Adwin.decode(section, FALSE_ALARM));
    memories.drifts = in.count("the drifts");
    memories.t = in.count("the instances");
    memories.heldUntil = in.count("who held");
    memories.restUntil = in.count("the rest");
    return memories;
  }

  /** The frozen model that was appended. */
  public static Model decodeModel(Decoder in) throws ModelFileException {
    return MemoriesModel.decode(in);
  }
}
