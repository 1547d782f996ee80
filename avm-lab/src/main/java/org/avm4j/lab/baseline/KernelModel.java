package org.avm4j.lab.baseline;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.Model;
import org.avm4j.Status;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.math.Vectors;
import org.avm4j.points.CoreSet;
import org.avm4j.points.KernelRow;

/**
 * A frozen kernel expansion f_c(x) = Σ_j α_cj K(x_j, x).
 *
 * <p>In a file, kind {@code baseline-kernel-model}: name of the method (text), task, kernel, n×
 * class label (8), core set, columns (4), for each column S× coefficient (8).
 */
final class KernelModel implements Model {
  static final String KIND = "baseline-kernel-model";

  private final Task task;
  private final Kernel kernel;
  private final double[] classes;
  private final CoreSet core;
  private final double[][] coefficients;
  private final Map<String, Object> settings;
  private final AtomicReference<KernelRow> spare = new AtomicReference<>();

  KernelModel(
      Task task,
      Kernel kernel,
      double[] classes,
      CoreSet core,
      double[][] coefficients,
      Map<String, Object> settings) {
    this.task = task;
    this.kernel = kernel;
    this.classes = classes;
    this.core = core;
    this.coefficients = coefficients;
    this.settings = settings;
  }

  @Override
  public Task task() {
    return task;
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
  public Status status() {
    return Status.of(0, core.size(), settings);
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public void encode(Encoder out) {
    out.text(String.valueOf(settings.get("name")));
    task.encode(out);
    kernel.encode(out);
    out.counted(classes);
    out.section("core", core::encode);
    out.int32(coefficients.length);
    for (double[] column : coefficients) {
      out.doubles(column, core.size());
    }
  }

  static KernelModel decode(Decoder in) throws ModelFileException {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("name", in.text());
    Task task = Task.decode(in);
    Kernel kernel = Kernel.decode(in);
    settings.put("task", task.word());
    settings.put("gamma", kernel.gamma());
    double[] classes = in.counted("the classes", Integer.MAX_VALUE);
    CoreSet core = in.section("core", CoreSet::decode);
    double[][] coefficients = decodeColumns(in, task, classes.length, core.size());
    return new KernelModel(task, kernel, classes, core, coefficients, settings);
  }

  /** Reads a column of n numbers for each class of a multiclass task, or one column otherwise. */
  static double[][] decodeColumns(Decoder in, Task task, int classes, int n)
      throws ModelFileException {
    int columns = in.int32("the columns", Integer.MAX_VALUE);
    int expected = task.kind() == Task.Kind.MULTICLASS ? classes : 1;
    Decoder.check(columns == expected, "there must be one column for each class", columns);
    return in.rows(columns, n);
  }

  /** The name and the size of the model, in one line. */
  @Override
  public String toString() {
    return status().summary();
  }
}
