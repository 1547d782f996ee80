package org.avm4j.auto;

import java.util.ArrayList;
import java.util.List;
import org.avm4j.Features;
import org.avm4j.Kinds;
import org.avm4j.Model;
import org.avm4j.Neighbour;
import org.avm4j.Status;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * Frozen {@link Memories}, with the label that was the latest when they were frozen: the answer to
 * the next row of the stream. {@link #detached} it answers any other row, as if no label were
 * known.
 *
 * <p>In a file, kind {@code avm-memories-model}: instances (8), the number of members (4), for each
 * whether it sees the label (1) and the model; «neighbours», «forest»; who answers alone (4) or -1,
 * the bound of scores (8), the weights and «latest».
 */
final class MemoriesModel implements Model {
  /** One of several models; the first is the tree. */
  record Member(Model model, boolean seesLabel) {}

  /** What the latest rows tell. */
  record Recent(Neighbours neighbours, Forest forest) {
    /** The neighbours and the forest are the two members that follow all others. */
    static final int MEMBERS = 2;

    private void score(int member, Features x, Task task, double[] classes, double[] into) {
      if (member == 0) {
        neighbours.score(x, task, classes, into);
      } else {
        forest.score(x, task, classes, into);
      }
    }

    private int size() {
      return neighbours.size() + forest.size();
    }

    private void encode(Encoder out) {
      out.section("neighbours", neighbours::encode);
      out.section("forest", forest::encode);
    }

    private static Recent decode(Decoder in) throws ModelFileException {
      Neighbours neighbours = in.section("neighbours", Neighbours::decode);
      boolean hasForest = in.hasSection("forest");
      return new Recent(neighbours, hasForest ? in.section("forest", Forest::decode) : Forest.NONE);
    }
  }

  private static final int MOST_MEMBERS = 100;

  private final List<Member> members;
  private final Recent recent;
  private final double[] weights;
  private final double bound;
  private final int alone;
  private final LatestLabel latest;
  private final long instances;

  MemoriesModel(
      List<Member> members,
      Recent recent,
      double[] weights,
      double bound,
      int alone,
      LatestLabel latest,
      long instances) {
    this.instances = instances;
    this.members = List.copyOf(members);
    this.recent = recent;
    this.weights = weights;
    this.bound = bound;
    this.alone = alone;
    this.latest = latest;
  }

  private Model first() {
    return members.get(0).model();
  }

  @Override
  public Task task() {
    return first().task();
  }

  @Override
  public int columns() {
    return first().columns();
  }

  @Override
  public double[] classes() {
    return first().classes();
  }

  @Override
  public void score(Features x, double[] scores) {
    int n = members.size();
    Panel panel = new Panel(n + Recent.MEMBERS, columns(), classes());
    Features beside = latest.beside(x, new Features.Buffer());
    for (int m = 0; m < n + Recent.MEMBERS; m++) {
      if (alone >= 0 && alone != m) {
        continue;
      }
      if (m < n) {
        panel.take(m, members.get(m).model(), members.get(m).seesLabel() ? beside : x);
      } else {
        recent.score(m - n, x, task(), panel.classes(), panel.scores()[m]);
      }
    }
    if (alone < 0) {
      Stack.combine(weights, bound, panel.scores(), columns(), scores);
    } else {
      System.arraycopy(panel.scores()[alone], 0, scores, 0, columns());
    }
  }

  /** Of the model that answers alone; of several, or where it sees the label, of the tree. */
  @Override
  public List<Neighbour> nearest(Features x, int most) {
    boolean isAlone = alone >= 0 && alone < members.size() && !members.get(alone).seesLabel();
    return (isAlone ? members.get(alone).model() : first()).nearest(x, most);
  }

  @Override
  public int regionOf(Features x) {
    return first().regionOf(x);
  }

  @Override
  public double predict(Features x) {
    return task().predict(score(x), classes());
  }

  @Override
  public MemoriesModel detached() {
    return new MemoriesModel(members, recent, weights, bound, alone, latest.unknown(), instances);
  }

  @Override
  public Status status() {
    Status status = first().status();
    boolean usesLabel = alone < 0 || alone < members.size() && members.get(alone).seesLabel();
    String word = alone < 0 ? "stack" : "expert";
    int size = members.stream().mapToInt(member -> member.model().status().size()).sum();
    size += recent.size();
    return status.withChange(
        new Status.Change(word, instances, usesLabel, 0, 0, false), instances, size);
  }

  @Override
  public String kind() {
    return Memories.MODEL_KIND;
  }

  @Override
  public void encode(Encoder out) {
    out.int64(instances);
    out.int32(members.size());
    for (Member member : members) {
      out.bool(member.seesLabel());
      out.nested(member.model());
    }
    recent.encode(out);
    out.int32(alone);
    out.float64(bound);
    out.doubles(weights, weights.length);
    out.section("latest", latest::encode);
  }

  /** The weights of all; without a forest, that before the bias is 0. */
  private static double[] weights(Decoder in, int count, boolean isWithoutForest)
      throws ModelFileException {
    int found = isWithoutForest ? count - 1 : count;
    double[] weights = new double[count];
    Stack.spread(in.doubles(found, found), isWithoutForest ? count - 2 : count, weights);
    return weights;
  }

  static MemoriesModel decode(Decoder in) throws ModelFileException {
    long instances = in.count("the instances");
    int count = in.int32("the members", MOST_MEMBERS);
    Decoder.check(count > 0, "there must be a member", count);
    List<Member> members = new ArrayList<>();
    for (int m = 0; m < count; m++) {
      boolean seesLabel = in.bool();
      members.add(new Member(Kinds.installed().model(in), seesLabel));
    }
    Recent recent = Recent.decode(in);
    int alone = in.int32();
    int most = count + Recent.MEMBERS;
    Decoder.check(alone >= -1 && alone < most, "who answers alone must be there", alone);
    double bound = in.finite("the bound of scores");
    double[] weights = weights(in, most + 1, recent.forest == Forest.NONE);
    return new MemoriesModel(
        members,
        recent,
        weights,
        bound,
        alone,
        in.section("latest", LatestLabel::decode),
        instances);
  }
}
