package org.avm4j.auto;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.avm4j.AvmOptions;
import org.avm4j.Kernel;
import org.avm4j.Task;
import org.avm4j.Update;
import org.avm4j.auto.AutoOptions.Choice;
import org.avm4j.auto.constants.Constants;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;
import org.avm4j.data.Metric;
import org.avm4j.math.SymmetricEigen;
import org.avm4j.table.Scaling;
import org.avm4j.theory.PairwiseDistances;
import org.avm4j.tree.TreeOptions;

/**
 * One set of values for all free settings. The width is relative: the argument of the kernel at the
 * mean distance of two scaled rows.
 *
 * @param scaling how features are scaled
 * @param kernel the kernel; its γ is used only if {@code width} is 0
 * @param width γ times the mean distance, or times the mean squared distance if the kernel is a
 *     function of that; 0 if γ is given
 * @param prior the strength of the prior
 * @param maxSize the size cap in vectors, 0 for none
 * @param linear the number of features in the linear part, as {@link Update#linear} has it
 * @param metric the metric of the distances between scaled rows
 */
record Candidate(
    Scaling scaling,
    Kernel kernel,
    double width,
    double prior,
    int maxSize,
    int linear,
    Metric metric) {
  private static final String LINEAR = "linear";

  /** The candidates with which a search begins. */
  static List<Candidate> all(AutoOptions options, Task task, List<Instance> first) {
    List<Candidate> all = new ArrayList<>();
    int linear = options.base().update().linear();
    int size = options.growsTree() ? TreeOptions.DEFAULT_ROOT : options.base().maxSize();
    for (Scaling scaling : scalings(options, first)) {
      for (Kernel kernel : kernels(options)) {
        for (double width : widths(options, kernel)) {
          double prior = prior(options, task);
          all.add(new Candidate(scaling, kernel, width, prior, size, linear, Metric.NONE));
        }
      }
    }
    return all;
  }

  /**
   * A candidate with the scaling, kernel and width of this one, and the prior, metric and linear
   * part with which a search starts.
   */
  Candidate asFirst(AutoOptions options, Task task) {
    int given = options.base().update().linear();
    return new Candidate(scaling, kernel, width, prior(options, task), maxSize, given, Metric.NONE);
  }

  /** A copy with a linear part of a given number of features. */
  Candidate withLinear(int features) {
    return new Candidate(scaling, kernel, width, prior, maxSize, features, metric);
  }

  /**
   * Copies with a weight for each feature.
   *
   * @param relevance how much each feature matters
   */
  Stream<Candidate> weighted(double[] relevance) {
    double most = Arrays.stream(relevance).max().orElse(0);
    return most > 0
        ? Constants.POWERS.stream()
            .map(p -> Arrays.stream(relevance).map(r -> step(r / most, p)).toArray())
            .map(weights -> with(metric.weighted(weights)))
        : Stream.empty();
  }

  /**
   * Copies whose metric is the present one, multiplied by a matrix.
   *
   * @param relevance how much each pair of features matters
   */
  Stream<Candidate> mapped(double[][] relevance) {
    SymmetricEigen eigen = SymmetricEigen.of(relevance);
    double most = eigen.value(0);
    return most > 0
        ? Constants.POWERS.stream()
            .map(power -> eigen.map(value -> step(Math.max(0, value) / most, power)))
            .map(map -> with(metric.mapped(map)))
        : Stream.empty();
  }

  private static double step(double relevance, double power) {
    return Math.max(Constants.NEGLIGIBLE, StrictMath.pow(relevance, power));
  }

  /** A copy with another metric. */
  Candidate with(Metric other) {
    return new Candidate(scaling, kernel, width, prior, maxSize, linear, other);
  }

  /**
   * The factor on its loss. A metric must be clearly better than none, and a matrix even more so,
   * because a few rows say little about what later rows need.
   */
  double handicap() {
    double ofWeights = metric.isNone() ? 1 : Constants.HANDICAP;
    return metric.isMatrix() ? ofWeights * Constants.HANDICAP : ofWeights;
  }

  /** Copies with other priors, if the prior is free. */
  Stream<Candidate> withPriors(AutoOptions options) {
    return options.isFree(Choice.PRIOR)
        ? Stream.of(0.1, 10.0)
            .map(
                factor ->
                    new Candidate(scaling, kernel, width, factor * prior, maxSize, linear, metric))
        : Stream.empty();
  }

  /** Copies with half and twice the γ, if the width is free. */
  Stream<Candidate> withWidths() {
    return width == 0 ? Stream.empty() : Stream.of(0.5, 2.0).map(this::times);
  }

  private Candidate times(double factor) {
    return new Candidate(scaling, kernel, factor * width, prior, maxSize, linear, metric);
  }

  private static double prior(AutoOptions options, Task task) {
    if (!options.isFree(Choice.PRIOR)) {
      return options.base().update().prior();
    }
    return task.isRegression() ? Constants.PRIOR / 10 : Constants.PRIOR;
  }

  private static List<Kernel> kernels(AutoOptions options) {
    return options.isFree(Choice.KERNEL)
        ? List.of(Kernel.gaussian(1), Kernel.laplacian(1))
        : List.of(options.base().kernel());
  }

  private static List<Double> widths(AutoOptions options, Kernel kernel) {
    if (!options.isFree(Choice.WIDTH)) {
      return List.of(0.0);
    }
    return kernel.isOfSquare() ? Constants.GAUSSIAN : Constants.LAPLACIAN;
  }

  /**
   * The scalings to try: to [0, 1], and to deviation 1. If most entries are 0, the second is tried
   * only if some columns of numbers are among columns of 0 and 1, and scales only those numbers.
   */
  private static List<Scaling> scalings(AutoOptions options, List<Instance> first) {
    if (!options.isFree(Choice.SCALING)) {
      return List.of(options.scaling());
    }
    ValueKinds kinds = new ValueKinds(first);
    if (!kinds.isSparse()) {
      return List.of(Scaling.UNIT, Scaling.STANDARD);
    }
    return kinds.hasNumbers() ? List.of(Scaling.UNIT, Scaling.NUMBERS) : List.of(Scaling.UNIT);
  }

  /** The options of a machine that gets scaled rows. */
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

  /** The kernel for rows with these distances. */
  Kernel kernel(PairwiseDistances distances) {
    return width == 0 ? kernel : kernel.withGamma(distances.gamma(kernel, width));
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
    int linear = in.optional(LINEAR, Decoder::int32).orElse(Update.NO_LINEAR_PART);
    boolean fits = linear >= Update.NO_LINEAR_PART && linear <= Update.MOST_LINEAR;
    Decoder.check(fits, "the linear part must be from -1 on", linear);
    return new Candidate(scaling, kernel, width, prior, maxSize, linear, Metric.decode(in));
  }
}
