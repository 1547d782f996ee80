package org.avm4j.lab.baseline;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import libsvm.svm;
import libsvm.svm_model;
import libsvm.svm_node;
import libsvm.svm_parameter;
import libsvm.svm_problem;
import org.avm4j.Features;
import org.avm4j.Predictor;
import org.avm4j.Status;
import org.avm4j.Task;
import org.avm4j.data.Instance;

/**
 * LIBSVM (Chang, Lin, ACM TIST 2(3), 2011), the library itself: minimises ½‖w‖² + C Σ_t max(0, 1 -
 * y_t(wᵀΦ(x_t) + b)) exactly, with shrinking, without probabilities. Several classes are learned
 * one against all, as in the paper. Training in a thread that is interrupted ends with a {@link
 * CancellationException}.
 */
final class Libsvm implements BatchLearner {
  private static final double TOLERANCE = 1e-3;

  private final BatchOptions options;

  Libsvm(BatchOptions options) {
    this.options = options;
    svm.svm_set_print_string_function(text -> stopIfInterrupted());
  }

  /** Called when the library prints progress, the only moment at which training can be stopped. */
  private static void stopIfInterrupted() {
    if (Thread.currentThread().isInterrupted()) {
      throw new CancellationException("interrupted");
    }
  }

  @Override
  public Predictor train(List<Instance> data) {
    double[] labels = BatchOptions.labels(options.task(), data);
    if (options.task().kind() == Task.Kind.BINARY) {
      return new Machines(options.task(), labels, List.of(machine(data)));
    }
    List<svm_model> machines =
        Arrays.stream(labels).mapToObj(label -> machine(against(label, data))).toList();
    return new Machines(options.task(), labels, machines);
  }

  private static List<Instance> against(double label, List<Instance> data) {
    return data.stream().map(i -> new Instance(i.features(), i.label() == label ? 1 : -1)).toList();
  }

  /** Trains on sorted instances, because the library orders classes by first appearance. */
  private svm_model machine(List<Instance> data) {
    List<Instance> sorted =
        data.stream().sorted(Comparator.comparingDouble(Instance::label)).toList();
    svm_problem problem = new svm_problem();
    problem.l = sorted.size();
    problem.y = sorted.stream().mapToDouble(Instance::label).toArray();
    problem.x = sorted.stream().map(i -> nodes(i.features())).toArray(svm_node[][]::new);
    svm_parameter parameter = parameter();
    String complaint = svm.svm_check_parameter(problem, parameter);
    BaselineOptions.check(complaint == null, "libsvm refuses", complaint);
    return svm.svm_train(problem, parameter);
  }

  private svm_parameter parameter() {
    svm_parameter parameter = new svm_parameter();
    parameter.svm_type = svm_parameter.C_SVC;
    parameter.kernel_type = svm_parameter.RBF;
    parameter.gamma = options.gamma();
    parameter.C = options.cost();
    parameter.eps = TOLERANCE;
    parameter.cache_size = 400;
    parameter.shrinking = 1;
    parameter.weight_label = new int[0];
    parameter.weight = new double[0];
    return parameter;
  }

  private static svm_node[] nodes(Features x) {
    svm_node[] nodes = new svm_node[x.count()];
    for (int i = 0; i < nodes.length; i++) {
      nodes[i] = new svm_node();
      nodes[i].index = x.index(i) + 1;
      nodes[i].value = x.value(i);
    }
    return nodes;
  }

  /** One machine for two classes, else one for each class. */
  private record Machines(Task task, double[] classes, List<svm_model> machines)
      implements Predictor {
    @Override
    public int columns() {
      return task.kind() == Task.Kind.BINARY ? 1 : classes.length;
    }

    @Override
    public double[] classes() {
      return classes.clone();
    }

    @Override
    public void score(Features x, double[] scores) {
      svm_node[] nodes = nodes(x);
      double[] decision = new double[1];
      for (int c = 0; c < columns(); c++) {
        svm.svm_predict_values(machines.get(c), nodes, decision);
        scores[c] = decision[0];
      }
    }

    /** The status; its size is the number of support vectors of all machines. */
    @Override
    public Status status() {
      int size = machines.stream().mapToInt(machine -> machine.l).sum();
      return Status.of(0, size, Map.of("name", "libsvm", "task", task.word()));
    }
  }
}
