package org.avm4j.auto;

import java.util.List;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.Neighbour;
import org.avm4j.Status;
import org.avm4j.Task;
import org.avm4j.auto.constants.Constants;
import org.avm4j.auto.expert.Forest;
import org.avm4j.auto.expert.Frozen;
import org.avm4j.auto.expert.Inputs;
import org.avm4j.auto.expert.Moment;
import org.avm4j.auto.expert.Neighbours;
import org.avm4j.auto.expert.Opinion;
import org.avm4j.auto.expert.PastLabels;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.FileKinds;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Scaler;
import org.avm4j.form.StatusBuilder;
import org.avm4j.internal.Columns;
import org.avm4j.tree.AvmTree;

/**
 * A model of an earlier build: a tree and machines that forget, weighted by least squares, with the
 * label that was the latest when it was frozen. After {@link #detached} it answers as if no label
 * were known. Such models are no longer made, but their files are still read and give the same
 * answers.
 *
 * <p>In a file, kind {@code avm-memories-model}: instances (8), the number of members (4), for each
 * whether it sees the label (1) and the model; «neighbours», «forest»; the only member that answers
 * (4) or -1, the bound of scores (8), the weights and «latest».
 */
public final class MemoriesModel implements Model {
  /** The kind of a file that holds such a model. */
  public static final String KIND = "avm-memories-model";

  /** The kind of a file that holds a learner of the same build. */
  public static final String LEARNER_KIND = "avm-memories";

  /** One of the models; the first is the tree. */
  private record Member(Model model, boolean seesLabel) {
    void encode(Encoder out) {
      out.bool(seesLabel);
      out.nested(model);
    }

    static Member decode(Decoder in) throws ModelFileException {
      boolean seesLabel = in.bool();
      return new Member(FileKinds.installed().model(Model.class, in), seesLabel);
    }
  }

  /** The inputs that encode the latest label; they precede the features of a row. */
  private record Latest(boolean hasClasses, double distance, double[] values) {
    private static final int MOST = Constants.FEW_INPUTS;

    Features beside(Features row) {
      Features.Buffer into = new Features.Buffer();
      for (int place = 0; place < values.length; place++) {
        if (values[place] != 0) {
          into.add(place, values[place]);
        }
      }
      int most = Features.MAX_DIMENSION - values.length;
      for (int i = 0; i < row.count() && row.index(i) < most; i++) {
        into.add(values.length + row.index(i), row.value(i));
      }
      return into.features();
    }

    Latest unknown() {
      return new Latest(hasClasses, distance, new double[values.length]);
    }

    void encode(Encoder out) {
      out.bool(hasClasses);
      out.float64(distance);
      out.counted(values);
      noClasses(hasClasses).encode(out);
    }

    static Latest decode(Decoder in) throws ModelFileException {
      boolean hasClasses = in.bool();
      double distance = in.finite("the mean distance");
      double[] values = in.counted("the places of labels", MOST);
      Decoder.check(values.length > 0, "a label must have a place", values.length);
      noClasses(hasClasses).decode(in);
      return new Latest(hasClasses, distance, values);
    }

    private static Columns noClasses(boolean hasClasses) {
      return hasClasses ? Columns.perClass(List.of()) : Columns.single();
    }
  }

  private static final int MOST_MEMBERS = 100;
  private static final String FOREST = "forest";

  private final List<Member> members;
  private final Neighbours neighbours;
  private final Forest forest;
  private final double[] weights;
  private final double bound;
  private final int alone;
  private final Latest latest;
  private final long instances;

  private MemoriesModel(
      List<Member> members,
      Neighbours neighbours,
      Forest forest,
      double[] weights,
      double bound,
      int alone,
      Latest latest,
      long instances) {
    this.members = members;
    this.neighbours = neighbours;
    this.forest = forest;
    this.weights = weights;
    this.bound = bound;
    this.alone = alone;
    this.latest = latest;
    this.instances = instances;
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
    double[][] all = new double[members.size() + 2][columns()];
    for (int m = 0; m < all.length; m++) {
      if (alone < 0 || alone == m) {
        score(m, x, all[m]);
      }
    }
    for (int c = 0; c < columns(); c++) {
      scores[c] = alone < 0 ? stacked(all, c) : all[alone][c];
    }
  }

  private void score(int member, Features x, double[] into) {
    if (member < members.size()) {
      Member one = members.get(member);
      Frozen.score(one.model, one.seesLabel ? latest.beside(x) : x, classes(), into);
    } else {
      Opinion recent = member == members.size() ? neighbours : forest;
      recent.score(new Moment().of(x, new PastLabels()), classes(), into);
    }
  }

  private double stacked(double[][] all, int column) {
    double sum = weights[all.length];
    for (int m = 0; m < all.length; m++) {
      double score = all[m][column];
      sum += weights[m] * (Double.isNaN(score) ? 0 : Math.max(-bound, Math.min(bound, score)));
    }
    return sum;
  }

  /**
   * {@inheritDoc} They are those of the only model that answers; of the tree, if several models
   * answer or that model sees the label.
   */
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
    Latest unknown = latest.unknown();
    return new MemoriesModel(
        members, neighbours, forest, weights, bound, alone, unknown, instances);
  }

  @Override
  public Status status() {
    boolean usesLabel = alone < 0 || alone < members.size() && members.get(alone).seesLabel();
    int size = members.stream().mapToInt(member -> member.model().status().size()).sum();
    size += neighbours.size() + forest.size();
    String word = alone < 0 ? "stack" : "expert";
    Status.Change change = new Status.Change(word, instances, usesLabel, 0, 0, false);
    return StatusBuilder.withChange(first().status(), change, instances, size);
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public void encode(Encoder out) {
    out.int64(instances);
    out.list(members, Member::encode);
    out.section("neighbours", neighbours::encodeRows);
    out.section(FOREST, forest::encodeTrees);
    out.int32(alone);
    out.float64(bound);
    out.doubles(weights, weights.length);
    out.section("latest", latest::encode);
  }

  /** Reads a model. The oldest ones have no forest and no weight for it. */
  public static MemoriesModel decode(Decoder in) throws ModelFileException {
    long instances = in.count("the instances");
    List<Member> members = in.list("the members", MOST_MEMBERS, Member::decode);
    int count = members.size();
    Decoder.check(count > 0, "there must be a member", count);
    Task.Kind task = members.get(0).model().task().kind();
    boolean isOneTask = members.stream().allMatch(m -> m.model().task().kind() == task);
    Decoder.check(isOneTask, "all members must have one task", task);
    Inputs inputs = Inputs.of(Scaler.none());
    Neighbours neighbours =
        in.section("neighbours", section -> Neighbours.decode(section, inputs, task));
    boolean hasForest = in.hasSection(FOREST);
    Forest forest =
        in.optional(FOREST, section -> Forest.decode(section, inputs, task))
            .orElse(new Forest(task, inputs, 0));
    int alone = in.int32();
    boolean isThere = alone >= -1 && alone < count + 2;
    Decoder.check(isThere, "the only member that answers must exist", alone);
    double bound = in.finite("the bound of scores");
    double[] weights = weights(in, count + 3, hasForest);
    Latest latest = in.section("latest", Latest::decode);
    return new MemoriesModel(
        List.copyOf(members), neighbours, forest, weights, bound, alone, latest, instances);
  }

  private static double[] weights(Decoder in, int count, boolean hasForest)
      throws ModelFileException {
    double[] weights = in.doubles(hasForest ? count : count - 1, count);
    if (!hasForest) {
      weights[count - 1] = weights[count - 2];
      weights[count - 2] = 0;
    }
    return weights;
  }

  /** Reads the tree of a learner of the same build; the members beside it are skipped. */
  public static AvmTree decodeTree(Decoder in) throws ModelFileException {
    in.skip("setup");
    AvmTree tree = in.section("tree", AvmTree::decode);
    for (String part : List.of("committee", "holder", "watch")) {
      in.skip(part);
    }
    for (String count : List.of("rises", "instances", "held", "rest", "planted")) {
      in.count(count);
    }
    return tree;
  }
}
