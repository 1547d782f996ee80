package org.avm4j;

import java.util.Arrays;
import org.avm4j.codec.ModelFile;
import org.avm4j.internal.Cholesky;
import org.avm4j.internal.Classes;
import org.avm4j.internal.CoreSet;
import org.avm4j.internal.Gram;
import org.avm4j.internal.KernelRow;
import org.avm4j.internal.Vectors;

/**
 * Newton's method on the core points, for data that can be read several times.
 *
 * <p>Minimises prior/2 ‖β‖² + Σ_t ℓ(βᵀk_t) for the losses as {@link Update.Newton} takes them, the
 * hinge by its square, several classes as one against the rest. Each pass sums, over the instances
 * that are active at the present β, the matrix κ k kᵀ and the vectors κ z k, and solves once; for
 * squared hinge the active set soon stands still, and then β is the minimum (Keerthi and DeCoste
 * 2005). With several classes one matrix with the largest κ serves all, so β comes near it step by
 * step.
 *
 * <p>The sums of a pass may be taken over parts of the data anywhere, and added up:
 *
 * <pre>{@code
 * data.forEach(i -> batch.cover(i.x(), i.y()));
 * do {
 *   sums = batch.sums();
 *   data.forEach(i -> sums.add(i.x(), i.y()));
 * } while (!batch.solve(sums));
 * }</pre>
 *
 * <p>A pass costs O(S) for each instance and O(S²) for each active one, a solution O(S³).
 */
public final class BatchNewton {
  /** β stands still when a pull changes less than this, on average. */
  private static final double STILL = 1e-4;

  /** The first passes read only each eighth instance: they need not be exact. */
  private static final int ROUGH_PASSES = 3;

  private static final int ROUGH_STRIDE = 8;

  private final AvmOptions options;
  private final double prior;
  private final CoreSet core = new CoreSet();
  private final Classes classes;
  private final KernelRow row;
  private double[][] beta = {};
  private double[][] before = {};
  private final int[] ofClass = new int[2];
  private double typical;
  private long instances;

  /** Data that can be read again and again in the same order. */
  @FunctionalInterface
  public interface Data {
    /** Gives every instance to the sink. */
    void each(Sink sink);
  }

  /** Takes one instance. */
  @FunctionalInterface
  public interface Sink {
    /** Takes (x, y); whoever keeps x, copies it. */
    void accept(Features x, double y);
  }

  /** Nothing known yet; the options must ask for {@link Update.Newton}. */
  public BatchNewton(AvmOptions options) {
    if (!(options.update() instanceof Update.Newton newton)) {
      throw new IllegalArgumentException("the update must be Newton: " + options.update());
    }
    this.options = options;
    prior = newton.prior();
    classes = new Classes(options.task().declared());
    row = new KernelRow(core, options.kernel());
  }

  /** The model of the data after at most that many exact passes. */
  public static AvmModel train(AvmOptions options, Data data, int passes) {
    BatchNewton batch = new BatchNewton(options);
    data.each(batch::cover);
    if (batch.core.size() < options.maxSize()) {
      data.each(batch::fill);
    }
    boolean isStill = false;
    for (int pass = 0; pass < ROUGH_PASSES + passes && !isStill; pass++) {
      int stride = pass < ROUGH_PASSES ? ROUGH_STRIDE : 1;
      Sums sums = batch.sums();
      data.each(sums.each(stride));
      isStill = batch.solve(sums) && stride == 1;
    }
    return batch.model();
  }

  /**
   * The first pass: makes x a core point where it lies outside all cells, up to the size cap. Of a
   * cap each of two classes gets half, so that a rare class has its share.
   */
  public void cover(Features x, double y) {
    options.task().check(y);
    boolean hasRoom = options.maxSize() == 0 || covered(y) < share();
    if (hasRoom && add(x)) {
      ofClass[y > 0 ? 1 : 0]++;
    }
    core.extend(x.dimension());
    if (isMulticlass() && classes.find(y) < 0) {
      classes.add(y);
    }
    instances++;
  }

  /** A pass that may follow the first: gives what one class left of its share to the other. */
  public void fill(Features x, double y) {
    add(x);
  }

  private boolean add(Features x) {
    row.measure(x);
    boolean isFull = options.maxSize() > 0 && core.size() >= options.maxSize();
    boolean isNew = !isFull && options.coverage().find(row) == Coverage.NONE;
    if (isNew) {
      core.add(row, true);
    }
    return isNew;
  }

  private int covered(double y) {
    return isBinary() ? ofClass[y > 0 ? 1 : 0] : core.size();
  }

  private int share() {
    return isBinary() ? (options.maxSize() + 1) / 2 : options.maxSize();
  }

  /** Empty sums for a pass, or for a part of one, at the present β. */
  public Sums sums() {
    if (beta.length != columns()) {
      beta = new double[columns()][core.size()];
      before = new double[columns()][core.size()];
    }
    return new Sums();
  }

  /** Moves β to the minimum of what was summed up; returns whether it stood there already. */
  public boolean solve(Sums sums) {
    double[] ridge = new double[core.size()];
    Arrays.fill(ridge, prior);
    double[][] factor = sums.gram.factor(ridge);
    before = beta;
    beta = new double[columns()][];
    for (int c = 0; c < columns(); c++) {
      beta[c] = sums.b[c].clone();
      Cholesky.solve(factor, beta[c], core.size());
    }
    typical = sums.now.typical();
    return sums.change <= STILL * sums.count;
  }

  /** The model as it is now. */
  public AvmModel model() {
    double[][] coefficients = new double[columns()][];
    Arrays.setAll(coefficients, p -> beta[isMulticlass() ? classes.column(p) : 0].clone());
    String version = ModelFile.libraryVersionOfThis();
    Provenance provenance =
        new Provenance(version, options, instances, core.cells(), core.size(), 0);
    double[] labels = options.task().labels(classes.sorted());
    return new AvmModel(core.copy(), labels, 1, coefficients, provenance);
  }

  private boolean isBinary() {
    return options.task() instanceof Task.Binary;
  }

  private boolean isMulticlass() {
    return options.task() instanceof Task.Multiclass;
  }

  private int columns() {
    return isMulticlass() ? classes.size() : 1;
  }

  /** What a pass over a part of the data adds up. It is confined to one thread. */
  public final class Sums {
    private final KernelRow measured = new KernelRow(core, options.kernel());
    private final Gram gram = new Gram();
    private final double[][] b = new double[columns()][core.size()];
    private final Parabolas now = new Parabolas(options, typical);
    private final Parabolas then = new Parabolas(options, typical);
    private final double[] scores = new double[columns()];
    private long count;
    private double change;

    private Sums() {
      for (int j = 0; j < core.size(); j++) {
        gram.grow();
      }
    }

    /** Takes in an instance whose class the first pass has seen. */
    public void add(Features x, double y) {
      double[] k = measured.measure(x);
      int own = isMulticlass() ? classes.find(y) : 0;
      count++;
      put(before, k, then, own, y);
      double curvature = put(beta, k, now, own, y);
      for (int c = 0; c < b.length; c++) {
        change += Math.abs(now.pull(c) - then.pull(c));
        if (curvature > 0) {
          Vectors.add(curvature * scores[c] + now.pull(c), k, b[c], core.size());
        }
      }
      if (curvature > 0) {
        gram.add(curvature, k);
      }
    }

    /** Adds the sums of another part, taken at the same β. */
    public void merge(Sums other) {
      gram.add(other.gram);
      for (int c = 0; c < b.length; c++) {
        Vectors.add(1, other.b[c], b[c], core.size());
      }
      now.merge(count, other.now, other.count);
      count += other.count;
      change += other.change;
    }

    private double put(double[][] coefficients, double[] k, Parabolas into, int own, double y) {
      for (int c = 0; c < scores.length; c++) {
        scores[c] = Vectors.dot(coefficients[c], k, core.size());
      }
      return into.put(scores, scores.length, own, y, count);
    }

    private Sink each(int stride) {
      long[] at = {0};
      return (x, y) -> {
        if (at[0]++ % stride == 0) {
          add(x, y);
        }
      };
    }
  }
}
