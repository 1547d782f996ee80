package org.avm4j;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.CoreSet;
import org.avm4j.internal.KernelRow;
import org.avm4j.internal.Vectors;

/**
 * A frozen predictor f(x) = Σ_j b_j K(c_j, x): an immutable value that any number of threads may
 * use while the learner it came from goes on.
 */
public final class AvmModel implements Predictor {
  /** What a file of a model is called inside. */
  public static final String KIND = "avm-model";

  private final CoreSet core;
  private final double[] classes;
  private final double factor;
  private final double[][] coefficients;
  private final Provenance provenance;
  private final AtomicReference<KernelRow> spare = new AtomicReference<>();

  AvmModel(
      CoreSet core,
      double[] classes,
      double factor,
      double[][] coefficients,
      Provenance provenance) {
    this.core = core;
    this.classes = classes;
    this.factor = factor;
    this.coefficients = coefficients;
    this.provenance = provenance;
  }

  /** Where the model comes from. */
  public Provenance provenance() {
    return provenance;
  }

  @Override
  public int columns() {
    return coefficients.length;
  }

  @Override
  public double[] classes() {
    return classes.clone();
  }

  /** The number of vectors. */
  public int size() {
    return core.size();
  }

  /** d: the number of features known. */
  public int dimension() {
    return core.dimension();
  }

  /** c_j. */
  public Features vector(int j) {
    return core.vector(j);
  }

  /** b_j in the score of a column. */
  public double coefficient(int column, int j) {
    return factor * coefficients[column][j];
  }

  @Override
  public void score(Features x, double[] scores) {
    KernelRow row = spare.getAndSet(null);
    if (row == null) {
      row = new KernelRow(core, provenance.options().kernel());
    }
    double[] k = row.measure(x);
    for (int c = 0; c < coefficients.length; c++) {
      scores[c] = factor * Vectors.dot(coefficients[c], k, core.size());
    }
    spare.set(row);
  }

  @Override
  public double predict(Features x) {
    double[] scores = new double[columns()];
    score(x, scores);
    return provenance.options().task().predict(scores, classes);
  }

  /** Saves the model, atomically. */
  public void save(Path file) throws IOException {
    Encoder out = new Encoder();
    encode(out);
    ModelFile.write(file, KIND, out.toBytes());
  }

  /** Appends the model. */
  public void encode(Encoder out) {
    AvmCodec.encode(out, provenance);
    out.int32(classes.length);
    out.doubles(classes, classes.length);
    core.encode(out);
    out.float64(factor);
    out.int32(columns());
    for (double[] column : coefficients) {
      out.doubles(column, core.size());
    }
  }

  /** The model that {@link #encode} appended. */
  public static AvmModel decode(Decoder in) throws ModelFileException {
    return AvmCodec.decodeModel(in);
  }

  /** The model that was saved in a file; of a whole learner, its model. */
  public static AvmModel load(Path file) throws IOException {
    return AvmCodec.loadModel(file);
  }
}
