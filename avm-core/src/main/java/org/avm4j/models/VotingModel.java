package org.avm4j.models;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.Model;
import org.avm4j.Neighbour;
import org.avm4j.Status;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.form.KernelExpansion;
import org.avm4j.form.ModelForm;
import org.avm4j.form.OpenModel;
import org.avm4j.internal.Rules;
import org.avm4j.points.CorePoints;
import org.avm4j.points.CoreSet;
import org.avm4j.points.KernelRow;

/**
 * Several classes decided one-vs-one, as LIBSVM does. Each pair of classes a &lt; b has a decision
 * value f_ab(x) = Σ_j b_j K(c_j, x) + β_ab over the vectors of both; the first class gets a vote if
 * it is above 0, else the second one. The score of a class is the number of its votes plus a number
 * below 1, which is larger for earlier classes and decides ties.
 *
 * <p>In a file, kind {@code avm-voting-model}: n (4), n× label (8) in the order of the pairs, n×
 * number of vectors (4), kernel, «core» (core set), n - 1 columns of coefficients (8), the bias of
 * each pair (8).
 */
public final class VotingModel implements Model, OpenModel {
  /** The kind of a file that holds such a model. */
  public static final String KIND = "avm-voting-model";

  /** Largest number of classes: pairs grow with its square. */
  public static final int MOST_CLASSES = 1000;

  private final double[] order;
  private final int[] starts;
  private final Kernel kernel;
  private final CoreSet core;
  private final double[][] coefficients;
  private final double[] biases;
  private final double[] classes;
  private final int[] places;
  private final AtomicReference<KernelRow> spare = new AtomicReference<>();

  private VotingModel(
      double[] order,
      int[] counts,
      Kernel kernel,
      CoreSet core,
      double[][] coefficients,
      double[] biases) {
    this.order = order;
    this.kernel = kernel;
    this.core = core;
    this.coefficients = coefficients;
    this.biases = biases;
    starts = new int[counts.length + 1];
    for (int a = 0; a < counts.length; a++) {
      starts[a + 1] = starts[a] + counts[a];
    }
    classes = Arrays.stream(order).sorted().toArray();
    places = Arrays.stream(order).mapToInt(y -> Arrays.binarySearch(classes, y)).toArray();
    Rules.check(
        order.length >= 2 && order.length <= MOST_CLASSES,
        "there must be 2 to " + MOST_CLASSES + " classes",
        order.length);
    Rules.check(
        Arrays.stream(order).distinct().count() == order.length,
        "class labels must differ",
        order.length);
    Rules.check(
        starts[counts.length] == core.size(), "each vector must belong to a class", core.size());
  }

  /**
   * A model that was found elsewhere.
   *
   * @param order the class labels in the order of the pairs
   * @param counts the number of vectors of each class, which stand in that order
   * @param coefficients n - 1 columns: a vector of class a has its coefficient against class b in
   *     column b - 1 if a comes before b, and in column b if it comes after
   * @param biases β of the pairs (0, 1), (0, 2), …, (1, 2), …
   */
  public static VotingModel of(
      Kernel kernel,
      double[] order,
      int[] counts,
      List<Features> vectors,
      double[][] coefficients,
      double[] biases) {
    CoreSet core = CoreSet.of(vectors);
    return new VotingModel(
        order.clone(), counts.clone(), kernel, core, coefficients.clone(), biases.clone());
  }

  @Override
  public Task task() {
    return Task.multiclass(classes);
  }

  @Override
  public int columns() {
    return classes.length;
  }

  @Override
  public double[] classes() {
    return classes.clone();
  }

  @Override
  public void score(Features x, double[] scores) {
    KernelRow row = spare.getAndSet(null);
    row = row == null ? new KernelRow(core, kernel) : row;
    double[] k = row.measure(x);
    for (int a = 0; a < order.length; a++) {
      scores[places[a]] = lead(a);
    }
    for (int a = 0, pair = 0; a < order.length; a++) {
      for (int b = a + 1; b < order.length; b++, pair++) {
        double sum = biases[pair] + sum(a, b - 1, k) + sum(b, a, k);
        scores[places[sum > 0 ? a : b]]++;
      }
    }
    spare.set(row);
  }

  /** The numbers that decide between classes with equal votes: from 1/2 down to above 0. */
  private double lead(int a) {
    return 0.5 * (order.length - a) / order.length;
  }

  private double sum(int owner, int column, double[] k) {
    double sum = 0;
    for (int j = starts[owner]; j < starts[owner + 1]; j++) {
      sum += coefficients[column][j] * k[j];
    }
    return sum;
  }

  @Override
  public List<Neighbour> nearest(Features x, int most) {
    KernelRow row = new KernelRow(core, kernel);
    row.measure(x);
    return CorePoints.nearest(row, most, decisions()::corePoint);
  }

  @Override
  public ModelForm form() {
    List<ModelForm.Pair> pairs = new ArrayList<>();
    List<Double> leads = new ArrayList<>(Collections.nCopies(order.length, 0.0));
    for (int a = 0; a < order.length; a++) {
      leads.set(places[a], lead(a));
      for (int b = a + 1; b < order.length; b++) {
        pairs.add(new ModelForm.Pair(places[a], places[b]));
      }
    }
    return new ModelForm.Votes(decisions(), pairs, leads);
  }

  private KernelExpansion decisions() {
    int[] first = new int[biases.length];
    int[] second = new int[biases.length];
    for (int a = 0, pair = 0; a < order.length; a++) {
      for (int b = a + 1; b < order.length; b++, pair++) {
        first[pair] = a;
        second[pair] = b;
      }
    }
    return new Decisions(this, first, second);
  }

  /** The kernel expansion of the decision values of all pairs. */
  private record Decisions(VotingModel model, int[] first, int[] second)
      implements KernelExpansion {
    @Override
    public Kernel kernel() {
      return model.kernel;
    }

    @Override
    public int columns() {
      return first.length;
    }

    @Override
    public int size() {
      return model.core.size();
    }

    @Override
    public int dimension() {
      return model.core.dimension();
    }

    @Override
    public Features vector(int j) {
      return model.core.vector(j);
    }

    @Override
    public double coefficient(int pair, int j) {
      if (model.isOf(first[pair], j)) {
        return model.coefficients[second[pair] - 1][j];
      }
      return model.isOf(second[pair], j) ? model.coefficients[first[pair]][j] : 0;
    }

    @Override
    public double[] linear(int pair) {
      return new double[] {model.biases[pair]};
    }
  }

  private boolean isOf(int a, int j) {
    return j >= starts[a] && j < starts[a + 1];
  }

  @Override
  public Status status() {
    return Status.of(
        0,
        core.size(),
        Map.of("votes", "one-vs-one", "kernel", kernel.word(), "gamma", kernel.gamma()));
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public void encode(Encoder out) {
    out.int32(order.length);
    for (double label : order) {
      out.float64(label);
    }
    for (int a = 0; a < order.length; a++) {
      out.int32(starts[a + 1] - starts[a]);
    }
    kernel.encode(out);
    out.section("core", core::encode);
    for (double[] column : coefficients) {
      out.doubles(column, core.size());
    }
    out.doubles(biases, biases.length);
  }

  /** The model that was appended. */
  public static VotingModel decode(Decoder in) throws ModelFileException {
    int n = in.int32("the classes", MOST_CLASSES);
    Decoder.check(n >= 2, "there must be two classes", n);
    double[] order = new double[n];
    for (int a = 0; a < n; a++) {
      order[a] = in.finite("a class label");
    }
    int[] counts = in.ints("the vectors of a class", n, Features.MAX_DIMENSION);
    Kernel kernel = Kernel.decode(in);
    CoreSet core = in.section("core", CoreSet::decode);
    double[][] coefficients = in.rows(n - 1, core.size());
    double[] biases = in.doubles(n * (n - 1) / 2, 0);
    return in.valid(content -> new VotingModel(order, counts, kernel, core, coefficients, biases));
  }

  /** A description of one line: kind and size. */
  @Override
  public String toString() {
    return status().summary();
  }
}
