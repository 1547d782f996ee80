package org.avm4j;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.avm4j.codec.FileKinds;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.Savable;

/**
 * A frozen predictor: immutable, and safe to share between any number of threads without a lock.
 * {@link OnlineLearner#snapshot} makes one, and {@link #load} reads one from the file of a model or
 * of a learner.
 */
public interface Model extends Predictor, Savable {
  /** The number of rows that one task of an executor scores. */
  int BLOCK = 256;

  /** The models whose mean this one is, for the same rows; empty if it is not a mean. */
  default List<? extends Model> members() {
    return List.of();
  }

  /** The factor on the scores of each of the {@link #members}; empty if this is not a mean. */
  default double[] memberWeights() {
    return new double[0];
  }

  /**
   * The core points with the largest coefficients, up to a limit, the largest first; empty if the
   * model has no core points.
   */
  default List<CorePoint> corePoints(int most) {
    return List.of();
  }

  /**
   * The core points nearest to x among those that its answer depends on, the nearest first, up to a
   * limit and at least one; empty if the model has no core points.
   */
  default List<Neighbour> nearest(Features x, int most) {
    return List.of();
  }

  /**
   * The number of the region of the input space that answers x, such as the leaf of a tree; 0 if
   * the model is not made of regions.
   */
  default int regionOf(Features x) {
    return 0;
  }

  /**
   * The same model for rows that do not follow the stream that it learned. A model may depend on
   * the latest label of its stream, which helps with the next row but misleads with others;
   * detached it answers as if no label were known. Most models are the same detached.
   */
  default Model detached() {
    return this;
  }

  /**
   * Scores many rows in tasks of {@value #BLOCK} rows that the executor runs, and waits for all of
   * them. Row i of the result is what {@link #score(Features)} says of row i.
   */
  default double[][] score(List<Features> rows, Executor executor) {
    double[][] scores = new double[rows.size()][columns()];
    List<CompletableFuture<Void>> blocks = new ArrayList<>();
    for (int from = 0; from < rows.size(); from += BLOCK) {
      int first = from;
      int end = Math.min(from + BLOCK, rows.size());
      blocks.add(CompletableFuture.runAsync(() -> scoreBlock(rows, first, end, scores), executor));
    }
    try {
      blocks.forEach(CompletableFuture::join);
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
    }
    return scores;
  }

  private void scoreBlock(List<Features> rows, int from, int end, double[][] scores) {
    for (int i = from; i < end; i++) {
      score(rows.get(i), scores[i]);
    }
  }

  /** The model saved in a file, or a snapshot of the learner saved there. */
  static Model load(Path file) throws IOException {
    return FileKinds.installed().model(Model.class, ModelFile.open(file));
  }

  /** The model that {@link #toBytes} wrote, or a snapshot of the learner that it wrote. */
  static Model fromBytes(byte[] bytes) throws IOException {
    return FileKinds.installed().model(Model.class, ModelFile.parse(bytes));
  }

  /** Reads one model, or a snapshot of one learner, and no byte beyond it. */
  static Model read(InputStream in) throws IOException {
    return FileKinds.installed().model(Model.class, ModelFile.read(in));
  }
}
