package org.avm4j.lab.baseline;

import de.bwaldvogel.liblinear.Feature;
import de.bwaldvogel.liblinear.FeatureNode;
import de.bwaldvogel.liblinear.Linear;
import de.bwaldvogel.liblinear.Model;
import de.bwaldvogel.liblinear.Parameter;
import de.bwaldvogel.liblinear.Problem;
import de.bwaldvogel.liblinear.SolverType;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.avm4j.Features;
import org.avm4j.Predictor;
import org.avm4j.Task;
import org.avm4j.data.Instance;
import org.avm4j.points.CoreSet;
import org.avm4j.points.KernelRow;

/**
 * Low-rank linearized SVM (Zhang, Lan, Wang, Moerchen, AISTATS 2012): k-means centres make a {@link
 * Nystrom} map, and LIBLINEAR learns a linear SVM on its features by dual coordinate descent, one
 * class against the others if there are several. The result is converted into an expansion over the
 * centres.
 */
final class Llsvm implements BatchLearner {
  private static final double TOLERANCE = 0.01;
  private static final int MOST_PASSES = 1000;

  private final BatchOptions options;

  Llsvm(BatchOptions options) {
    this.options = options;
  }

  @Override
  public Predictor train(List<Instance> data) {
    double[] labels = BatchOptions.labels(options.task(), data);
    CoreSet centres = KMeans.of(data, options);
    KernelRow row = new KernelRow(centres, options.kernel());
    Nystrom map = Nystrom.of(matrix(centres, row), centres.size());
    Model model = Linear.train(problem(data, labels, map, row), parameter());
    double[][] coefficients = coefficients(model, labels.length, map);
    return new KernelModel(
        options.task(),
        options.kernel(),
        labels,
        centres,
        coefficients,
        Map.of("name", "llsvm", "task", options.task().word()));
  }

  private static double[][] matrix(CoreSet centres, KernelRow row) {
    double[][] k = new double[centres.size()][];
    Arrays.setAll(k, j -> Arrays.copyOf(row.measure(centres.vector(j)), centres.size()));
    return k;
  }

  private Parameter parameter() {
    SolverType solver = SolverType.L2R_L1LOSS_SVC_DUAL;
    Parameter parameter = new Parameter(solver, options.cost(), TOLERANCE, MOST_PASSES, 0.1);
    parameter.setRandom(new Random(options.seed()));
    return parameter;
  }

  /** The training problem; labels are the indices of the classes. */
  private static Problem problem(List<Instance> data, double[] labels, Nystrom map, KernelRow row) {
    Linear.disableDebugOutput();
    Problem problem = new Problem();
    problem.l = data.size();
    problem.n = map.size();
    problem.y = data.stream().mapToDouble(i -> Arrays.binarySearch(labels, i.label())).toArray();
    problem.x = data.stream().map(i -> nodes(i.features(), map, row)).toArray(Feature[][]::new);
    return problem;
  }

  private static Feature[] nodes(Features x, Nystrom map, KernelRow row) {
    double[] z = new double[map.size()];
    map.apply(row.measure(x), z);
    Feature[] nodes = new Feature[z.length];
    Arrays.setAll(nodes, i -> new FeatureNode(i + 1, z[i]));
    return nodes;
  }

  /** The expansion of each column over the centres. */
  private double[][] coefficients(Model model, int classes, Nystrom map) {
    boolean isBinary = options.task().kind() == Task.Kind.BINARY;
    double[][] coefficients = new double[isBinary ? 1 : classes][];
    for (int c = 0; c < coefficients.length; c++) {
      coefficients[c] = map.coefficients(weights(model, isBinary ? 1 : c, map.size()));
    }
    return coefficients;
  }

  /** The w of a class; two classes share one w, which is positive for the first label. */
  private static double[] weights(Model model, int place, int features) {
    int columns = model.getNrClass() == 2 ? 1 : model.getNrClass();
    int at = 0;
    while (model.getLabels()[at] != place) {
      at++;
    }
    double sign = columns == 1 && at == 1 ? -1 : 1;
    int column = columns == 1 ? 0 : at;
    double[] w = new double[features];
    Arrays.setAll(w, i -> sign * model.getFeatureWeights()[i * columns + column]);
    return w;
  }
}
