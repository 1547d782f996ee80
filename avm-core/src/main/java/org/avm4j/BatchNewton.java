package org.avm4j;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
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
 * hinge by its square, several classes as one against the rest. Each pass brings the sums of the
 * matrix κ k kᵀ and the vectors κ z k over the instances that are active at the present β up to
 * date, and solves once; for squared hinge the active set soon stands still, and then β is the
 * minimum (Keerthi and DeCoste 2005). With several classes one matrix with the largest κ serves
 * all, so β comes near it step by step. An instance whose κ is what it was before costs no matrix
 * work, so only the first pass is dear.
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
 * <p>A pass costs O(S) for each instance and O(S²) for each whose κ changes, a solution O(S³).
 */
public final class BatchNewton {
  /** β stands still when a pull changes less than this, on average. */
  private static final double STILL = 1e-3;

  /** The first passes read only some of the instances: they need not be exact. */
  private static final int[] ROUGH_STRIDES = {32, 8, 8};

  private static final int PARTS = 8;

  private final AvmOptions options;
  private final double prior;
  private final CoreSet core = new CoreSet();
  private final Classes classes;
  private final ClassMasses masses;
  private final KernelRow row;
  private double[][] beta = {};
  private double[][] before = {};
  private final int[] ofClass = new int[2];
  private Gram gram;
  private double[][] b = {};
  private double typical;
  private double typicalBefore;
  private long instances;

  /** Nothing known yet; the options must ask for {@link Update.Newton}. */
  public BatchNewton(AvmOptions options) {
    if (!(options.update() instanceof Update.Newton newton)) {
      throw new IllegalArgumentException("the update must be Newton: " + options.update());
    }
    if (!(options.forgetting() instanceof Forgetting.None)) {
      throw new IllegalArgumentException(
          "a batch has no order in which to forget: " + options.forgetting());
    }
    this.options = options;
    masses = new ClassMasses(options.classWeights());
    prior = newton.prior();
    classes = new Classes(options.task().declared());
    row = new KernelRow(core, options.kernel());
  }

  /** The model of instances (x_i, y_i) after at most that many exact passes, on all cores. */
  public static AvmModel train(AvmOptions options, List<Features> x, double[] y, int passes) {
    BatchNewton batch = new BatchNewton(options);
    for (int i = 0; i < y.length; i++) {
      batch.cover(x.get(i), y[i]);
    }
    if (batch.core.size() < options.maxSize()) {
      x.forEach(batch::fill);
    }
    for (int stride : ROUGH_STRIDES) {
      batch.gram = null;
      batch.solve(batch.pass(x, y, stride));
    }
    batch.gram = null;
    for (int pass = 0; pass < passes && !batch.solve(batch.pass(x, y, 1)); pass++) {}
    return batch.model();
  }

  /**
   * The sums over each stride-th instance. The parts are as many on every machine, so that the
   * digits of the result are the same on each.
   */
  private Sums pass(List<Features> x, double[] y, int stride) {
    List<Sums> parts = new ArrayList<>();
    for (int i = 0; i < PARTS; i++) {
      parts.add(sums());
    }
    IntStream.range(0, PARTS).parallel().forEach(i -> parts.get(i).add(x, y, i, stride));
    parts.subList(1, PARTS).forEach(parts.get(0)::merge);
    return parts.get(0);
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
    masses.count(number(y));
    instances++;
    typical += (Math.abs(y) - typical) / instances;
  }

  /** A pass that may follow the first: gives what one class left of its share to the other. */
  public void fill(Features x) {
    add(x);
  }

  /** The number of the class of an instance, as it is counted. */
  private int number(double y) {
    return isMulticlass() ? classes.find(y) : isBinary() && y > 0 ? 1 : 0;
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

  /**
   * Takes in what a pass over all of the data summed up and moves β to the minimum; returns whether
   * it stood there already.
   */
  public boolean solve(Sums sums) {
    if (gram == null) {
      gram = sums.gram;
      b = sums.b;
    } else {
      gram.add(sums.gram);
      add(sums.b, b);
    }
    double[] ridge = new double[core.size()];
    Arrays.fill(ridge, prior);
    double[][] factor = gram.factor(ridge, true);
    before = beta;
    beta = new double[columns()][];
    for (int c = 0; c < columns(); c++) {
      beta[c] = b[c].clone();
      Cholesky.solve(factor, beta[c], core.size());
    }
    typicalBefore = typical;
    typical = sums.residuals / sums.count;
    return !sums.isFirst && sums.change <= STILL * sums.count;
  }

  private static void add(double[][] from, double[][] to) {
    for (int c = 0; c < to.length; c++) {
      Vectors.add(1, from[c], to[c], to[c].length);
    }
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

  /**
   * What a pass over a part of the data adds to the sums of the pass before, or to nothing in the
   * first. It is confined to one thread.
   */
  public final class Sums {
    private final KernelRow measured = new KernelRow(core, options.kernel());
    private final Gram gram = new Gram();
    private final double[][] b = new double[columns()][core.size()];
    private final Parabolas now = new Parabolas(options, typical);
    private final Parabolas then = new Parabolas(options, typicalBefore);
    private final double[] scores = new double[columns()];
    private final double[] scoresThen = new double[columns()];
    private final boolean isFirst = BatchNewton.this.gram == null;
    private long count;
    private double change;
    private double residuals;

    private Sums() {
      for (int j = 0; j < core.size(); j++) {
        gram.grow();
      }
    }

    /** Takes in an instance whose class the first pass has seen. */
    public void add(Features x, double y) {
      double[] k = measured.measure(x);
      int own = isMulticlass() ? classes.find(y) : 0;
      double was = put(before, k, then, scoresThen, own, y);
      double curvature = put(beta, k, now, scores, own, y);
      double weight = masses.weight(number(y), y);
      for (int c = 0; c < b.length; c++) {
        change += Math.abs(now.pull(c) - then.pull(c));
        double more = curvature * scores[c] + now.pull(c);
        double less = isFirst ? 0 : was * scoresThen[c] + then.pull(c);
        if (more != less) {
          Vectors.add(weight * (more - less), k, b[c], core.size());
        }
      }
      double gained = isFirst ? curvature : curvature - was;
      if (gained != 0) {
        gram.add(weight * gained, k);
      }
      residuals += Math.abs(scores[0] - y);
      count++;
    }

    /** Adds the sums of another part, taken at the same β. */
    public void merge(Sums other) {
      gram.add(other.gram);
      BatchNewton.add(other.b, b);
      count += other.count;
      change += other.change;
      residuals += other.residuals;
    }

    private double put(
        double[][] coefficients, double[] k, Parabolas into, double[] f, int own, double y) {
      for (int c = 0; c < f.length; c++) {
        f[c] = Vectors.dot(coefficients[c], k, core.size());
      }
      return into.put(f, f.length, own, y);
    }

    /** Takes in each stride-th instance of a part. */
    private void add(List<Features> x, double[] y, int part, int stride) {
      int from = (int) ((long) y.length * part / PARTS);
      int to = (int) ((long) y.length * (part + 1) / PARTS);
      for (int i = from; i < to; i += stride) {
        add(x.get(i), y[i]);
      }
    }
  }
}
