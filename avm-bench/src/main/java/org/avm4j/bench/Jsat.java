package org.avm4j.bench;

import java.util.Arrays;
import jsat.classifiers.CategoricalData;
import jsat.classifiers.DataPoint;
import jsat.classifiers.UpdateableClassifier;
import jsat.classifiers.linear.kernelized.BOGD;
import jsat.classifiers.linear.kernelized.KernelSGD;
import jsat.distributions.kernels.KernelPoint.BudgetStrategy;
import jsat.distributions.kernels.RBFKernel;
import jsat.linear.DenseVector;
import jsat.linear.SparseVector;
import jsat.linear.Vec;
import jsat.lossfunctions.HingeLoss;
import org.avm4j.Features;

/** JSAT 0.0.9, its budgeted kernel learners; rows are dense or sparse, whichever is smaller. */
final class Jsat {
  private final Workload workload;
  private final DataPoint[] points;

  Jsat(Workload workload) {
    this.workload = workload;
    int d = workload.dimension();
    points =
        Arrays.stream(workload.rows())
            .map(row -> new DataPoint(vector(row.features(), d)))
            .toArray(DataPoint[]::new);
  }

  private static Vec vector(Features x, int d) {
    Vec vector = 2 * x.count() < d ? new SparseVector(d, x.count()) : new DenseVector(d);
    for (int i = 0; i < x.count(); i++) {
      vector.set(x.index(i), x.value(i));
    }
    return vector;
  }

  /** KernelSGD with hinge loss, whose budget is kept by merging. */
  Rival kernelSgd(double gamma, int budget, double lambda) {
    return start(
        new KernelSGD(new HingeLoss(), kernel(gamma), lambda, BudgetStrategy.MERGE_RBF, budget),
        budget);
  }

  /** BOGD with uniform sampling; two classes only. */
  Rival bogd(double gamma, int budget, double eta) {
    BOGD bogd = new BOGD(kernel(gamma), budget, eta, 1e-4, 10 * eta);
    bogd.setUniformSampling(true);
    return start(bogd, budget);
  }

  private static RBFKernel kernel(double gamma) {
    return new RBFKernel(RBFKernel.gammToSigma(gamma));
  }

  private Rival start(UpdateableClassifier classifier, int budget) {
    int[] labels = workload.classOfRows();
    int classes = workload.classes().length;
    classifier.setUp(new CategoricalData[0], workload.dimension(), new CategoricalData(classes));
    boolean[] started = {false};
    return Ours.contender(
        t -> {
          boolean isRight = started[0] && classifier.classify(points[t]).mostLikely() == labels[t];
          classifier.update(points[t], labels[t]);
          started[0] = true;
          return isRight;
        },
        () -> budget);
  }
}
