package org.avm4j;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
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

  /** How many rows a core takes at a time. */
  private static final int BLOCK = 256;

  private final CoreSet core;
  private final double[] classes;
  private final double factor;
  private final double[][] coefficients;
  private final Provenance provenance;
  private final AtomicReference<Scratch> spare = new AtomicReference<>();

  /** What one thread needs while it scores. */
  private record Scratch(KernelRow row, double[] scores) {}

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
    Scratch scratch = take();
    score(x, scratch.row, scores);
    spare.set(scratch);
  }

  private Scratch take() {
    Scratch scratch = spare.getAndSet(null);
    return scratch == null
        ? new Scratch(new KernelRow(core, provenance.options().kernel()), new double[columns()])
        : scratch;
  }

  private void score(Features x, KernelRow row, double[] scores) {
    double[] k = row.measure(x);
    for (int c = 0; c < coefficients.length; c++) {
      scores[c] = factor * Vectors.dot(coefficients[c], k, core.size());
    }
  }

  /** The scores of many rows, on all cores; those of row i are what {@link #score} says of it. */
  public double[][] scores(List<Features> rows) {
    double[][] scores = new double[rows.size()][columns()];
    int blocks = (rows.size() + BLOCK - 1) / BLOCK;
    IntStream.range(0, blocks).parallel().forEach(block -> score(rows, block, scores));
    return scores;
  }

  private void score(List<Features> rows, int block, double[][] scores) {
    Scratch scratch = take();
    for (int i = block * BLOCK; i < Math.min((block + 1) * BLOCK, rows.size()); i++) {
      score(rows.get(i), scratch.row, scores[i]);
    }
    spare.set(scratch);
  }

  @Override
  public double predict(Features x) {
    Scratch scratch = take();
    score(x, scratch.row, scratch.scores);
    double answer = provenance.options().task().predict(scratch.scores, classes);
    spare.set(scratch);
    return answer;
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
