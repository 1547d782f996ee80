package org.avm4j.auto;

import java.util.Optional;
import org.avm4j.AvmOptions;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.OnlineLearner;
import org.avm4j.Status;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Ablation;
import org.avm4j.internal.Adwin;
import org.avm4j.tree.AvmTree;
import org.avm4j.tree.TreeOptions;

/**
 * A tree of machines that never forgets, and beside it small machines that do: it finds out from
 * its answers how far back to remember, and goes on finding out.
 *
 * <p>The small machines, the <em>experts</em>, stand for the last 50 to 1,000 instances. Some have
 * the latest label known among their features, because in many streams neighbouring labels agree.
 * Beside them are the nearest of the latest rows and a forest of decision trees over them. When the
 * error rises, the slowest of them as it was before is kept, frozen, so that it can answer again
 * should the old rules return. Three contend for the answer:
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
 * <p>In a file, kind {@code avm-memories}: «setup», «tree», «committee», «holder», «watch», and the
 * counts.
 */
public final class Memories implements OnlineLearner {
  /** The kind of a file that holds such a learner. */
  public static final String KIND = "avm-memories";

  /** The kind of a file that holds its frozen model. */
  public static final String MODEL_KIND = "avm-memories-model";

  static final int TREE = 0;
  static final int STACK = 1;
  static final int LEADER = 2;

  /** The experts rest after the tree has held for so long. */
  private static final int PATIENCE = 4096;

  /** A trial after a rest takes so long. */
  private static final int TRIAL = 2048;

  /** They rest for this long at most. */
  private static final int LONGEST_REST = 8192;

  private static final double FALSE_ALARM = 0.002;

  /** The loss of a contender that is left out. */
  private static final double NEVER = 1e6;

  private Committee.Setup setup;
  private final double[] losses = new double[3];
  private AvmTree tree;
  private Committee committee;
  private Holder holder;
  private Adwin watch;
  private long rises;
  private long t;
  private long heldUntil;
  private long restUntil;
  private long plantedAt;
  private final boolean neverRests = Ablation.lacks(Ablation.Part.REST);
  private final boolean hasStack = !Ablation.lacks(Ablation.Part.STACK);
  private final boolean hasLeader = !Ablation.lacks(Ablation.Part.LEADER);

  Memories(Committee.Setup setup) {
    this.setup = setup;
    reset();
  }

  /** From now on another tree, which has learned the same instances, is the one that remembers. */
  Memories withTree(AvmTree other) {
    setup = setup.with(other.options().machine(), setup.distance());
    tree = other;
    committee.replaceTree();
    return this;
  }

  /**
   * The same with another tree, for which features are weighted otherwise: all that stands beside
   * it begins anew.
   *
   * @param distance the mean distance of two rows; 0 if that is not known
   */
  Memories anew(AvmTree other, double distance) {
    double known = distance > 0 ? distance : setup.distance();
    Memories memories = new Memories(setup.with(other.options().machine(), known));
    memories.tree = other;
    memories.t = t;
    memories.heldUntil = t;
    memories.committee.begin(t);
    return memories;
  }

  @Override
  public void reset() {
    tree = new AvmTree(TreeOptions.of(setup.machine()));
    committee = new Committee(setup);
    holder = new Holder(losses.length);
    watch = new Adwin(FALSE_ALARM);
    rises = 0;
    t = 0;
    heldUntil = 0;
    restUntil = 0;
    plantedAt = 0;
  }

  @Override
  public Task task() {
    return setup.machine().task();
  }

  /** The options that won the race. */
  AvmOptions machine() {
    return setup.machine();
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
    committee.see(y);
    t++;
    tend();
  }

  /** What the tree knows is wrong by now: it starts anew, with the same classes. */
  void replant() {
    boolean hasClasses = task().kind() == Task.Kind.MULTICLASS;
    Task known = hasClasses ? Task.multiclass(tree.classes()) : task();
    tree = new AvmTree(TreeOptions.of(setup.machine().change().task(known).build()));
    plantedAt = t;
  }

  private void learnAwake(Features x, double y, double weight) {
    committee.measure(tree, x);
    losses[TREE] = committee.loss(committee.scores(0), y);
    losses[STACK] = committee.loss(committee.stacked(), y);
    losses[LEADER] = committee.loss(committee.scores(committee.leader()), y);
    losses[STACK] = hasStack ? losses[STACK] : NEVER;
    losses[LEADER] = hasLeader ? losses[LEADER] : NEVER;
    double answered = losses[holder.holds()];
    boolean wasNeeded = holder.holds() != TREE;
    holder.add(losses, weight);
    boolean isNeeded = holder.holds() != TREE;
    committee.learn(x, y, weight, t, isNeeded);
    if (isNeeded && !wasNeeded) {
      committee.wakeAll(t);
    }
    if (isNeeded && committee.isTreeOutdated(t)) {
      replant();
    }
    if (isRise(answered)) {
      rises++;
      committee.change(t);
    }
  }

  /** Only the error of the tree is watched. */
  private void learnAsleep(Features x, double y) {
    committee.measureTree(tree, x);
    if (isRise(committee.loss(committee.scores(0), y))) {
      rises++;
      wake();
    }
  }

  private boolean isRise(double loss) {
    double error = task().isRegression() ? loss / (loss + 1) : loss;
    return watch.add(error) && watch.newer() > watch.older();
  }

  /** The experts rest where they are of no use, and wake up after a while. */
  private void tend() {
    if (holder.holds() != TREE) {
      heldUntil = t;
    }
    if (isAwake() && t - heldUntil >= PATIENCE && !neverRests) {
      restUntil = t + Math.min(t / 2, LONGEST_REST);
      holder.rest();
    } else if (!isAwake() && t >= restUntil) {
      wake();
    }
  }

  private void wake() {
    restUntil = 0;
    committee.wakeAll(t);
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
    committee.measure(tree, x);
    boolean isStack = holder.holds() == STACK;
    double[] found = isStack ? committee.stacked() : committee.scores(committee.leader());
    System.arraycopy(found, 0, scores, 0, columns());
  }

  @Override
  public double predict(Features x) {
    return task().predict(score(x), classes());
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
    int alone = holder.holds() == LEADER ? committee.leader() : -1;
    return committee.snapshot(new MemoriesModel.Member(tree.snapshot(), false), alone, t);
  }

  @Override
  public <T> Optional<T> inspect(Class<T> type) {
    return tree.inspect(type);
  }

  @Override
  public Memories copy() {
    return ModelFile.copy(this, Memories::decode);
  }

  /** The number of vectors behind the answers: those of all machines unless the tree holds. */
  @Override
  public int size() {
    return tree.size() + (holder.holds() == TREE ? 0 : committee.size());
  }

  /** The status of the tree, with who answers. */
  @Override
  public Status status() {
    return tree.status().withChange(change(), t, size());
  }

  private Status.Change change() {
    int leader = committee.leader();
    int frozen = committee.frozen();
    return switch (holder.holds()) {
      case STACK ->
          new Status.Change("stack", committee.meanMemory(t), true, rises, frozen, isAwake());
      case LEADER ->
          new Status.Change(
              committee.isFrozen(leader) ? "frozen" : "expert",
              committee.memory(leader, t),
              committee.seesLabel(leader),
              rises,
              frozen,
              isAwake());
      default -> new Status.Change("tree", t - plantedAt, false, rises, frozen, isAwake());
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
    out.section("committee", committee::encode);
    out.section("holder", holder::encode);
    out.section("watch", watch::encode);
    out.int64(rises);
    out.int64(t);
    out.int64(heldUntil);
    out.int64(restUntil);
    out.int64(plantedAt);
  }

  /** The learner that {@link #encode} appended. */
  public static Memories decode(Decoder in) throws ModelFileException {
    Committee.Setup setup = in.section("setup", Committee.Setup::decode);
    Memories memories = new Memories(setup);
    memories.tree = in.section("tree", AvmTree::decode);
    memories.committee = in.section("committee", section -> Committee.decode(setup, section));
    memories.holder = in.section("holder", section -> Holder.decode(section, 3));
    memories.watch = in.section("watch", section -> Adwin.decode(section, FALSE_ALARM));
    memories.rises = in.count("the rises of the error");
    memories.t = in.count("the instances");
    memories.heldUntil = in.count("who held");
    memories.restUntil = in.count("the rest");
    memories.plantedAt = in.count("when the tree was planted");
    return memories;
  }

  /** The frozen model that was appended. */
  public static Model decodeModel(Decoder in) throws ModelFileException {
    return MemoriesModel.decode(in);
  }
}
