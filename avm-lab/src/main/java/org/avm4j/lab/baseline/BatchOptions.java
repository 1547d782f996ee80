package org.avm4j.lab.baseline;

import java.util.List;
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
 * @param landmarks llsvm: the number of k-means centres
 * @param seed llsvm: the seed of the random generator
 */
public record BatchOptions(
    Method method, Task task, double gamma, double cost, int landmarks, long seed) {
  /** The batch methods of the paper's Section 9. */
  public enum Method {
    /** LIBSVM (Chang, Lin, ACM TIST 2011): the library itself. */
    LIBSVM,

    /** Low-rank linearized SVM (Zhang, Lan, Wang, Moerchen, AISTATS 2012) over LIBLINEAR. */
    LLSVM
  }

  public BatchOptions {
    BaselineOptions.check(
        !task.isRegression(), "a batch learner is for binary and multiclass", "regression");
    BaselineOptions.positive("gamma", gamma);
    BaselineOptions.positive("cost", cost);
    BaselineOptions.between("landmarks", landmarks, 1, 1 << 16);
  }

  /** LIBSVM with C = 1. */
  public static BatchOptions libsvm(Task task, double gamma) {
    return new BatchOptions(Method.LIBSVM, task, gamma, 1, 1, 1);
  }

  /** LLSVM with C = 1 and the given number of centres. */
  public static BatchOptions llsvm(Task task, double gamma, int landmarks) {
    return new BatchOptions(Method.LLSVM, task, gamma, 1, landmarks, 1);
  }

  /** The same with another C. */
  public BatchOptions withCost(double value) {
    return new BatchOptions(method, task, gamma, value, landmarks, seed);
  }

  /** The same with another seed. */
  public BatchOptions withSeed(long value) {
    return new BatchOptions(method, task, gamma, cost, landmarks, value);
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
