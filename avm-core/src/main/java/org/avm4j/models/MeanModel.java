package org.avm4j.models;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.avm4j.CorePoint;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.Neighbour;
import org.avm4j.Prediction;
import org.avm4j.Status;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.FileKinds;
import org.avm4j.codec.ModelFileException;
import org.avm4j.form.StatusBuilder;
import org.avm4j.internal.Rules;
import org.avm4j.points.CorePoints;

/**
 * The mean of several models, each of which learned the same rows in another order: its scores are
 * the means of theirs. Random differences between them, such as the borders of regions and the
 * settings found, matter less in the mean. Models of different kinds have weights: the scores are
 * then the sums of weight times score.
 *
 * <p>In a file, kind {@code avm-mean-model}: the number of members (4), and the models; «weights»
 * where not all weights are equal and add up to 1.
 */
public final class MeanModel implements Model {
  /** The kind of a file that holds such a model. */
  public static final String KIND = "avm-mean-model";

  /** The most models that a mean is of. */
  public static final int MOST_MEMBERS = 1000;

  private static final String WEIGHTS = "weights";

  private final List<Model> members;
  private final double[] weights;

  /**
   * The mean of some models.
   *
   * @throws IllegalArgumentException if there is none, or their tasks or classes differ
   */
  public MeanModel(List<? extends Model> members) {
    this(members, equal(members.size()));
  }

  /**
   * The sum of weight times score of some models.
   *
   * @throws IllegalArgumentException if there is none, their tasks or classes differ, or a weight
   *     is negative or missing
   */
  public MeanModel(List<? extends Model> members, double[] weights) {
    boolean areThere = !members.isEmpty() && members.size() <= MOST_MEMBERS;
    Rules.require(areThere, "a mean must be of 1 to " + MOST_MEMBERS + " models", members.size());
    this.members = List.copyOf(members);
    for (Model member : members) {
      boolean isAlike =
          member.task().kind() == task().kind() && Arrays.equals(member.classes(), classes());
      if (!isAlike) {
        throw new IllegalArgumentException(
            "the models of a mean must have the same task and the same classes");
      }
    }
    this.weights = weights.clone();
    boolean areWeights =
        weights.length == members.size()
            && Arrays.stream(weights).allMatch(weight -> weight >= 0 && Double.isFinite(weight));
    Rules.require(
        areWeights,
        "each model of a mean must have a weight of at least 0",
        Arrays.toString(weights));
  }

  private static double[] equal(int count) {
    double[] weights = new double[count];
    Arrays.fill(weights, 1.0 / Math.max(1, count));
    return weights;
  }

  private boolean isEqual() {
    return Arrays.equals(weights, equal(weights.length));
  }

  private Model first() {
    return members.get(0);
  }

  @Override
  public List<Model> members() {
    return members;
  }

  @Override
  public double[] memberWeights() {
    return weights.clone();
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
  public boolean hasLogits() {
    return members.stream().allMatch(Model::hasLogits);
  }

  @Override
  public void score(Features x, double[] scores) {
    double[] one = new double[columns()];
    Arrays.fill(scores, 0, one.length, 0);
    boolean isEqual = isEqual();
    for (int m = 0; m < weights.length; m++) {
      members.get(m).score(x, one);
      add(m, one, isEqual, scores);
    }
  }

  private void add(int m, double[] one, boolean isEqual, double[] scores) {
    for (int c = 0; c < one.length; c++) {
      scores[c] += isEqual ? one[c] / weights.length : weights[m] * one[c];
    }
  }

  /** {@inheritDoc} A row is far if it is for each member. */
  @Override
  public Prediction answer(Features x) {
    double[] scores = new double[columns()];
    boolean isEqual = isEqual();
    boolean isFar = true;
    for (int m = 0; m < weights.length; m++) {
      Prediction one = members.get(m).answer(x);
      add(m, one.scores(), isEqual, scores);
      isFar &= one.isFar();
    }
    double[] classes = classes();
    return new Prediction(task().predict(scores, classes), classes, scores).withFar(isFar);
  }

  /** Of all members together; a coefficient counts by its part in the mean. */
  @Override
  public List<CorePoint> corePoints(int most) {
    return CorePoints.largest(
        IntStream.range(0, weights.length)
            .boxed()
            .flatMap(m -> members.get(m).corePoints(most).stream().map(at -> inMean(at, m)))
            .toList(),
        most);
  }

  /** Of the first member; a coefficient counts by its part in the mean. */
  @Override
  public List<Neighbour> nearest(Features x, int most) {
    return first().nearest(x, most).stream()
        .map(near -> new Neighbour(inMean(near.point(), 0), near.distance()))
        .toList();
  }

  private CorePoint inMean(CorePoint point, int member) {
    return new CorePoint(
        point.x(),
        point.coefficients().stream().map(coefficient -> weights[member] * coefficient).toList());
  }

  /** Of the first member. */
  @Override
  public int regionOf(Features x) {
    return first().regionOf(x);
  }

  @Override
  public MeanModel detached() {
    return new MeanModel(members.stream().map(Model::detached).toList(), weights);
  }

  /** That of the first member, with the vectors of all. */
  @Override
  public Status status() {
    int size = members.stream().mapToInt(member -> member.status().size()).sum();
    return StatusBuilder.withSize(first().status(), size);
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public void encode(Encoder out) {
    out.list(members, (member, to) -> to.nested(member));
    if (!isEqual()) {
      out.section(WEIGHTS, section -> section.doubles(weights, weights.length));
    }
  }

  /** The model that was appended. */
  public static MeanModel decode(Decoder in) throws ModelFileException {
    List<Model> members =
        in.list(
            "the members", MOST_MEMBERS, file -> FileKinds.installed().model(Model.class, file));
    int count = members.size();
    double[] weights =
        in.optional(WEIGHTS, section -> section.doubles(count, count)).orElse(equal(count));
    return in.valid(content -> new MeanModel(members, weights));
  }

  /** A description of one line: kind and size. */
  @Override
  public String toString() {
    return "the mean of " + members.size() + ", the first: " + first();
  }
}
