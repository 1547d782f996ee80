package org.avm4j.lab.baseline;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.avm4j.Kernel;
import org.avm4j.Task;
import org.avm4j.data.Instance;

/**
 * The options of a batch baseline.
 *
 * @param method the method
 * @param task the task, binary or multiclass
 * @param gamma γ of the kernel exp(-γ‖x - x'‖²)
 * @param cost C, the weight of the hinge losses against ½‖w‖²
 * @param tolerance the tolerance of the solver's stopping rule
 * @param oneVsAll libsvm: the paper's one-vs-all instead of the library's own one-vs-one
 * @param landmarks llsvm: the number of k-means centres
 * @param rounds llsvm: the number of k-means rounds
 * @param seed llsvm: the seed of the random generator
 */
public record BatchOptions(
    Method method,
    Task task,
    double gamma,
    double cost,
    double tolerance,
    boolean oneVsAll,
    int landmarks,
    int rounds,
    long seed) {
  /** The batch methods of the paper's Section 9. */
  public enum Method {
    /** LIBSVM (Chang, Lin, ACM TIST 2011): the library itself. */
    LIBSVM,

    /** Low-rank linearized SVM (Zhang, Lan, Wang, Moerchen, AISTATS 2012) over LIBLINEAR. */
    LLSVM;

    /** The name on the command line. */
    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** The method of this name. */
    public static Method named(String id) {
      List<String> names = Arrays.stream(values()).map(Method::id).toList();
      BaselineOptions.check(
          names.contains(id),
          "a batch learner must be one of " + names.stream().collect(Collectors.joining(", ")),
          id);
      return values()[names.indexOf(id)];
    }
  }

  public BatchOptions {
    BaselineOptions.check(
        !task.isRegression(), "a batch learner is for binary and multiclass", "regression");
    BaselineOptions.positive("gamma", gamma);
    BaselineOptions.positive("cost", cost);
    BaselineOptions.positive("tolerance", tolerance);
    BaselineOptions.between("landmarks", landmarks, 1, 1 << 16);
    BaselineOptions.between("rounds", rounds, 0, 1 << 16);
  }

  /** LIBSVM with its own defaults: C = 1, tolerance 0.001, one-vs-one. */
  public static BatchOptions libsvm(Task task, double gamma) {
    return new BatchOptions(Method.LIBSVM, task, gamma, 1, 1e-3, false, 1, 0, 1);
  }

  /** LLSVM with C = 1, tolerance 0.01, and the given number of centres after ten rounds. */
  public static BatchOptions llsvm(Task task, double gamma, int landmarks) {
    return new BatchOptions(Method.LLSVM, task, gamma, 1, 0.01, true, landmarks, 10, 1);
  }

  /** The same with another C. */
  public BatchOptions withCost(double value) {
    return new BatchOptions(
        method, task, gamma, value, tolerance, oneVsAll, landmarks, rounds, seed);
  }

  /** The same with one-vs-all turned on or off. */
  public BatchOptions withOneVsAll(boolean value) {
    return new BatchOptions(method, task, gamma, cost, tolerance, value, landmarks, rounds, seed);
  }

  /** The same with another seed. */
  public BatchOptions withSeed(long value) {
    return new BatchOptions(
        method, task, gamma, cost, tolerance, oneVsAll, landmarks, rounds, value);
  }

  Kernel kernel() {
    return Kernel.gaussian(gamma);
  }

  /** The distinct labels of the data in ascending order; throws if there are fewer than two. */
  static double[] labels(Task task, List<Instance> data) {
    data.forEach(instance -> task.check(instance.label()));
    double[] labels = data.stream().mapToDouble(i -> i.label() + 0.0).sorted().distinct().toArray();
    BaselineOptions.check(
        labels.length >= 2, "training data must hold two classes at least", labels.length);
    return labels;
  }
}
