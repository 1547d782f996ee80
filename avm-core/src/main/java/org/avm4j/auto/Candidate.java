package org.avm4j.auto;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.avm4j.AvmOptions;
import org.avm4j.Kernel;
import org.avm4j.Task;
import org.avm4j.Update;
import org.avm4j.auto.AutoOptions.Choice;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;
import org.avm4j.data.Metric;
import org.avm4j.internal.Ablation;
import org.avm4j.math.SymmetricEigen;
import org.avm4j.table.Scaling;
import org.avm4j.theory.PairwiseDistances;
import org.avm4j.tree.TreeOptions;

/**
 * One way to set what is free. The width is relative: the argument of the kernel at the mean
 * distance of two scaled rows.
 *
 * @param scaling how features are scaled
 * @param kernel the shape; its γ counts only where the width is given
 * @param width γ times the mean distance, or its square where the kernel is of that; 0: γ is given
 * @param prior the strength of the prior
 * @param maxSize the most vectors, 0 if there is no cap
 * @param linear the number of features in the linear part, as {@link Update#linear} has it
 * @param metric what counts in the distances of scaled rows
 */
record Candidate(
    Scaling scaling,
    Kernel kernel,
    double width,
    double prior,
    int maxSize,
    int linear,
    Metric metric) {
  /** The step of recursive feature machines, and half of it. */
  private static final double[] POWERS = {0.5, 0.25};

  /** The least weight of a feature: one that is not needed yet may be later. */
  private static final double LEAST_WEIGHT = 1e-3;

  private static final String LINEAR = "linear";
  private static final double[] GAUSSIAN = {0.1, 0.4, 1.5, 6};
  private static final double[] LAPLACIAN = {0.5, 2};

  /** A machine of this size tells nearly as much as one of 500, in a twelfth of the time. */
  private static final int SCOUT = 128;

  /** Features whose ranges differ by more than this need scaling. */
  private static final double COMPARABLE = 10;

  /** The first field of a race, all of them scouts. */
  static List<Candidate> all(AutoOptions options, Task task, List<Instance> first) {
    List<Candidate> all = new ArrayList<>();
    int linear = options.base().update().linear();
    for (Scaling scaling : scalings(options, first)) {
      for (Kernel kernel : kernels(options)) {
        for (double width : widths(options, kernel)) {
          all.add(
              new Candidate(scaling, kernel, width, prior(options, task), 0, linear, Metric.NONE)
                  .scout(options));
        }
      }
    }
    return all;
  }

  /** The same with few vectors. */
  Candidate scout(AutoOptions options) {
    int most = options.growsTree() ? 0 : options.base().maxSize();
    return options.isGiven() || most > 0 && most < SCOUT ? full(options) : sized(SCOUT);
  }

  /** The same with all the vectors that are allowed. */
  Candidate full(AutoOptions options) {
    return sized(options.growsTree() ? TreeOptions.DEFAULT_ROOT : options.base().maxSize());
  }

  /** The same with a linear part of a given number of features. */
  Candidate withLinear(int features) {
    return new Candidate(scaling, kernel, width, prior, maxSize, features, metric);
  }

  /** The same where all features count alike. */
  Candidate withoutMetric() {
    return with(Metric.NONE);
  }

  /** The same with a metric that goes on from its own by a weight for each feature. */
  Stream<Candidate> weighted(Relevance relevance) {
    double most = Arrays.stream(relevance.weights()).max().orElse(0);
    return most > 0 && !Ablation.lacks(Ablation.Part.METRIC_VECTOR)
        ? DoubleStream.of(POWERS).mapToObj(power -> weighted(relevance.weights(), most, power))
        : Stream.empty();
  }

  private Candidate weighted(double[] weights, double most, double power) {
    return with(metric.weighted(Arrays.stream(weights).map(w -> step(w / most, power)).toArray()));
  }

  /** The same with a metric that goes on from its own by a matrix, if there is one. */
  Stream<Candidate> mapped(Relevance relevance) {
    if (relevance.matrix().length == 0 || Ablation.lacks(Ablation.Part.METRIC_MATRIX)) {
      return Stream.empty();
    }
    SymmetricEigen eigen = SymmetricEigen.of(relevance.matrix());
    return eigen.value(0) > 0
        ? DoubleStream.of(POWERS).mapToObj(power -> mapped(eigen, power))
        : Stream.empty();
  }

  private Candidate mapped(SymmetricEigen eigen, double power) {
    double[][] map = eigen.map(value -> step(Math.max(0, value) / eigen.value(0), power));
    return with(metric.mapped(map));
  }

  private static double step(double relevance, double power) {
    return Math.max(LEAST_WEIGHT, StrictMath.pow(relevance, power));
  }

  private Candidate with(Metric other) {
    return new Candidate(scaling, kernel, width, prior, maxSize, linear, other);
  }

  /**
   * The factor by which its loss counts. To weigh columns, or to scale some otherwise than the
   * rest, must be clearly better: a few instances tell little of what many will need, and least of
   * all of a matrix.
   */
  double handicap() {
    double ofMetric = metric.isNone() ? 1 : metric.isMatrix() ? 1.25 : 1.1;
    return (scaling == Scaling.NUMBERS ? 1.05 : 1) * ofMetric;
  }

  private Candidate sized(int most) {
    return new Candidate(scaling, kernel, width, prior, most, linear, metric);
  }

  /** This one at several priors. */
  List<Candidate> withPriors(AutoOptions options, Task task) {
    if (!options.isFree(Choice.PRIOR)) {
      return List.of(this);
    }
    List<Candidate> all = new ArrayList<>();
    for (double divisor : new double[] {0.1, 1, 10}) {
      double strength = prior(options, task) / divisor;
      all.add(new Candidate(scaling, kernel, width, strength, maxSize, linear, metric));
    }
    return all;
  }

  /** This one and, where the width is free, with half of it and twice as much. */
  Stream<Candidate> withWidths() {
    return width == 0 ? Stream.of(this) : Stream.of(1.0, 0.5, 2.0).map(this::times);
  }

  /** The same with twice the γ, where that is free. */
  Candidate narrower() {
    return times(2);
  }

  /** The same with a kernel that falls off in half the distance. */
  Candidate halfAsWide() {
    return times(kernel.isOfSquare() ? 4 : 2);
  }

  private Candidate times(double factor) {
    return new Candidate(scaling, kernel, factor * width, prior, maxSize, linear, metric);
  }

  private static double prior(AutoOptions options, Task task) {
    if (!options.isFree(Choice.PRIOR)) {
      return options.base().update().prior();
    }
    return task.isRegression() ? 0.01 : 0.1;
  }

  private static List<Kernel> kernels(AutoOptions options) {
    return options.isFree(Choice.KERNEL)
        ? List.of(Kernel.gaussian(1), Kernel.laplacian(1))
        : List.of(options.base().kernel());
  }

  private static double[] widths(AutoOptions options, Kernel kernel) {
    if (!options.isFree(Choice.WIDTH)) {
      return new double[] {0};
    }
    return kernel.isOfSquare() ? GAUSSIAN : LAPLACIAN;
  }

  /**
   * Where features have comparable ranges they may stay as they are, else they are brought to [0,
   * 1]; the other choice is deviation 1, where most entries are 0 of the columns of numbers only.
   */
  private static List<Scaling> scalings(AutoOptions options, List<Instance> first) {
    if (!options.isFree(Choice.SCALING)) {
      return List.of(options.scaling());
    }
    Ranges ranges = new Ranges(first);
    Scaling plain = ranges.ratio() <= COMPARABLE ? Scaling.NONE : Scaling.UNIT;
    if (!ranges.isSparse()) {
      return List.of(plain, Scaling.STANDARD);
    }
    return ranges.hasNumbers() ? List.of(plain, Scaling.NUMBERS) : List.of(plain);
  }

  /** The options of a machine for rows that are scaled already. */
  AvmOptions options(AutoOptions options, Task task, PairwiseDistances distances) {
    AvmOptions.Builder builder =
        options
            .base()
            .change()
            .task(task)
            .kernel(kernel(distances))
            .update(Update.newton(prior, linear))
            .maxSize(maxSize, options.base().limit());
    if (options.isFree(Choice.LOSS)) {
      builder.loss(task.defaultLoss());
    }
    return builder.build();
  }

  private Kernel kernel(PairwiseDistances distances) {
    if (width == 0) {
      return kernel;
    }
    return kernel.withGamma(distances.gamma(kernel, width));
  }

  void encode(Encoder out) {
    scaling.encode(out);
    kernel.encode(out);
    out.float64(width);
    out.float64(prior);
    out.int32(maxSize);
    if (linear > Update.NO_LINEAR_PART) {
      out.section(LINEAR, section -> section.int32(linear));
    }
    metric.encode(out);
  }

  static Candidate decode(Decoder in) throws ModelFileException {
    Scaling scaling = Scaling.decode(in);
    Kernel kernel = Kernel.decode(in);
    double width = in.finite("the width");
    Decoder.check(width >= 0, "the width must not be negative", width);
    double prior = in.finite("the prior");
    Decoder.check(prior > 0, "the prior must be > 0", prior);
    int maxSize = in.int32("the size cap", Integer.MAX_VALUE);
    int linear =
        in.hasSection(LINEAR)
            ? in.section(LINEAR, section -> section.int32())
            : Update.NO_LINEAR_PART;
    boolean fits = linear >= Update.NO_LINEAR_PART && linear <= Update.MOST_LINEAR;
    Decoder.check(fits, "the linear part must be from -1 on", linear);
    return new Candidate(scaling, kernel, width, prior, maxSize, linear, Metric.decode(in));
  }
}
