package org.avm4j.lab.baseline;

import java.util.concurrent.atomic.AtomicReference;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.Predictor;
import org.avm4j.Task;
import org.avm4j.CoreSet;
import org.avm4j.KernelRow;
import org.avm4j.math.Vectors;

/** A frozen f_c(x) = Σ_j α_cj K(x_j, x), for any number of threads. */
final class KernelModel implements Predictor {
  private final Task task;
  private final Kernel kernel;
  private final double[] classes;
  private final CoreSet core;
  private final double[][] coefficients;
  private final AtomicReference<KernelRow> spare = new AtomicReference<>();

  KernelModel(Task task, Kernel kernel, double[] classes, CoreSet core, double[][] coefficients) {
    this.task = task;
    this.kernel = kernel;
    this.classes = classes;
    this.core = core;
    this.coefficients = coefficients;
  }

  /** The number of vectors. */
  int size() {
    return core.size();
  }

  @Override
  public int columns() {
    return coefficients.length;
  }

  @Override
  public double[] classes() {
    return classes.clone();
  }

  @Override
  public void score(Features x, double[] scores) {
    KernelRow row = spare.getAndSet(null);
    if (row == null) {
      row = new KernelRow(core, kernel);
    }
    double[] k = row.measure(x);
    for (int c = 0; c < coefficients.length; c++) {
      scores[c] = Vectors.dot(coefficients[c], k, core.size());
    }
    spare.set(row);
  }

  @Override
  public double predict(Features x) {
    return task.predict(score(x), classes);
  }
}
