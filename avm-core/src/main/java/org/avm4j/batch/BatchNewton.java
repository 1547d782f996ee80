package org.avm4j.batch;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.avm4j.AvmModel;
import org.avm4j.AvmOptions;
import org.avm4j.ClassWeights;
import org.avm4j.Coverage;
import org.avm4j.Features;
import org.avm4j.Forgetting;
import org.avm4j.Provenance;
import org.avm4j.Task;
import org.avm4j.Update;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;
import org.avm4j.codec.Savable;
import org.avm4j.internal.Cholesky;
import org.avm4j.internal.Columns;
import org.avm4j.internal.Gram;
import org.avm4j.internal.Rules;
import org.avm4j.math.Vectors;
import org.avm4j.newton.Parabolas;
import org.avm4j.points.CoreSet;
import org.avm4j.points.KernelRow;
import org.avm4j.step.ClassCounts;

/**
 * Newton's method on the core points, for data that can be read several times.
 *
 * <p>Minimises prior/2 ‖β‖² + Σ_t ℓ(βᵀk_t) for the losses as {@link Update#newton} takes them, the
 * hinge by its square, several classes as one against the rest. Each pass takes the gradient at the
 * present β, brings the sum of κ k kᵀ over the instances that are active there up to date, and
 * solves once. For squared hinge the active set soon stops changing, and then β is the minimum
 * (Keerthi and DeCoste 2005). Several classes share one matrix with the largest κ, so β approaches
 * the minimum in several passes. An instance whose κ has not changed costs no matrix work.
 *
 * <p>The sums of a pass may be computed over parts of the data, and added:
 *
 * <pre>{@code
 * data.forEach(i -> batch.cover(i.x(), i.y()));
 * do {
 *   sums = batch.sums();
 *   data.forEach(i -> sums.add(i.x(), i.y()));
 * } while (!batch.solve(sums));
 * }</pre>
 *
 * <p>Other processes use {@link #part} instead of this object: it computes sums of the next pass,
 * whose bytes {@link #sums(byte[])} reads back.
 *
 * <p>A pass costs O(S) for each instance and O(S²) for each whose κ changes, a solution O(S³).
 */
public final class BatchNewton {
  /** β has converged when a step changes the scores by less than this, root mean square. */
  private static final double STILL = 1e-3;

  /**
   * An instance is hard if its pull is larger than this; for the hinge, if its margin is smaller.
   */
  private static final double HARD = 0.5;

  private static final double[] NONE = {};

  /** At most 1/{@code ROOM} of the memory holds kernel values. */
  private static final int ROOM = 4;

  private final AvmOptions options;
  private final double prior;
  private CoreSet core = new CoreSet();
  private final Columns columns;
  private ClassCounts counts;
  private KernelRow row;
  private double[][] beta = {};
  private double[][] before = {};
  private final int[] ofClass = new int[2];
  private Gram gram = new Gram();
  private double typical;
  private double typicalBefore;
  private long instances;
  private int passes;
  private int cap;
  private boolean isPart;

  /** An untrained model; the options must have {@link Update#newton}. */
  public BatchNewton(AvmOptions options) {
    Update update = options.update();
    Rules.require(update.isSecondOrder(), "the update must be Newton", update);
    boolean isLinear = update.linear() > Update.NO_LINEAR_PART;
    Rules.require(!isLinear, "batch training has no linear part", update);
    Forgetting forgetting = options.forgetting();
    Rules.require(
        !forgetting.forgets(), "a batch has no order in which to forget", forgetting.word());
    this.options = options;
    counts = new ClassCounts(options.classWeights());
    prior = options.update().prior();
    wholeCap();
    columns = options.task().columns();
    row = new KernelRow(core, options.kernel());
  }

  /**
   * The model of instances (x_i, y_i) after at most the given number of exact passes, on all cores.
   */
  public static AvmModel train(AvmOptions options, List<Features> x, double[] y, int passes) {
    return BatchTraining.train(options, x, y, passes, Runtime.getRuntime().maxMemory() / ROOM);
  }

  /**
   * Reserves half of the cap for hard instances, if instances can be hard; returns whether it did.
   */
  boolean halveCap() {
    boolean halves = !options.task().isRegression();
    cap = halves ? cap / 2 : cap;
    return halves;
  }

  /** Whether at least half of the present cap is used. */
  boolean isHalfFull() {
    return core.size() > cap / 2;
  }

  /** Makes the whole cap available again. */
  void wholeCap() {
    cap = options.maxSize() == 0 ? Integer.MAX_VALUE : options.maxSize();
  }

  int size() {
    return core.size();
  }

  KernelRow newRow() {
    return new KernelRow(core, options.kernel());
  }

  /** Adds a change of the curvature of an instance to the matrix. */
  void addToMatrix(double change, float[] k, double y) {
    gram.add(weight(y) * change, k);
  }

  /**
   * The first pass: makes x a core point if it is outside all cells, up to the size cap. Each of
   * two classes gets half of the cap, so that a rare class has its share.
   */
  public void cover(Features x, double y) {
    options.task().check(y);
    add(x, y);
    core.extend(x.dimension());
    if (columns.find(y) == Columns.NONE) {
      columns.add(y);
    }
    counts.count(columns.classNumber(y), 1);
    instances++;
    typical += (Math.abs(y) - typical) / instances;
  }

  /** An optional second pass: gives the unused share of one class to the other. */
  public void fill(Features x) {
    if (core.size() < cap) {
      add(x);
    }
  }

  private double weight(double y) {
    return counts.weight(columns.classNumber(y), y);
  }

  /** Makes x a core point if it is outside all cells and its class has room. */
  void add(Features x, double y) {
    if (covered(y) < share() && core.size() < cap && add(x)) {
      ofClass[y > 0 ? 1 : 0]++;
    }
  }

  private boolean add(Features x) {
    row.measure(x);
    boolean isNew = options.coverage().find(row) == Coverage.NONE;
    if (isNew) {
      core.add(row, true);
    }
    return isNew;
  }

  private int covered(double y) {
    return isBinary() ? ofClass[y > 0 ? 1 : 0] : core.size();
  }

  private int share() {
    return isBinary() ? (int) ((cap + 1L) / 2) : cap;
  }

  /** Empty sums for a pass, or for a part of one, at the present β. */
  public Sums sums() {
    begin();
    return new Sums(isPart ? Gram.onOneCore(core.size()) : Gram.onAllCores(core.size()));
  }

  /** The sums whose bytes a {@link #part} of this made for the next pass. */
  public Sums sums(byte[] bytes) throws ModelFileException {
    begin();
    return ModelFile.parse(bytes).read(Map.of(Sums.KIND, this::decodeSums));
  }

  private Sums decodeSums(Decoder in) throws ModelFileException {
    Sums sums = new Sums(Gram.decodeSum(in, core.size()));
    int classes = in.int32();
    Decoder.check(classes == sums.gradient.length, "the classes must be the same", classes);
    System.arraycopy(in.rows(classes, core.size()), 0, sums.gradient, 0, classes);
    sums.count = in.count("the instances");
    sums.residuals = in.finite("the residuals");
    return sums;
  }

  /**
   * What another process needs to sum up parts of the next pass: core points, coefficients and
   * classes, without the matrix. {@link #part} makes use of it.
   */
  public byte[] toPart() {
    begin();
    return ModelFile.toBytes(new Part());
  }

  /**
   * A substitute for the object whose {@link #toPart} gave the bytes: its {@link #sums()} are those
   * of the next pass, computed on one core. It cannot solve.
   */
  public static BatchNewton part(byte[] bytes) throws ModelFileException {
    return ModelFile.parse(bytes).read(Map.of(Part.KIND, BatchNewton::decodePart));
  }

  private static BatchNewton decodePart(Decoder in) throws ModelFileException {
    BatchNewton part = new BatchNewton(in.section("options", AvmOptions::decode));
    part.isPart = true;
    part.core = in.section("core", CoreSet::decode);
    part.row = new KernelRow(part.core, part.options.kernel());
    part.columns.decode(in);
    ClassWeights weights = part.options.classWeights();
    part.counts = in.section("counts", s -> ClassCounts.decode(s, weights, part.columns));
    part.typical = in.finite("the typical residual");
    part.typicalBefore = in.finite("the typical residual before");
    part.passes = in.int32("the passes", Integer.MAX_VALUE);
    part.beta = in.rows(part.columns.count(), part.core.size());
    part.before = in.rows(part.columns.count(), part.core.size());
    return part;
  }

  /** Makes room for new core points; β does not change for the others. */
  void begin() {
    if (!isPart && gram.size() < core.size()) {
      beta = Arrays.copyOf(beta, columns.count());
      Arrays.setAll(beta, c -> Arrays.copyOf(beta[c] == null ? NONE : beta[c], core.size()));
      before = beta;
      gram = Gram.onAllCores(core.size());
      passes = 0;
    }
  }

  /**
   * Moves β to the minimum, by the sums of a pass over all of the data; returns whether it was
   * already there.
   */
  public boolean solve(Sums sums) {
    if (isPart) {
      throw new IllegalStateException(
          "a part only computes sums; the whole solves for the coefficients");
    }
    gram.add(sums.gram);
    double[] ridge = new double[core.size()];
    Arrays.fill(ridge, prior);
    double[][] factor = gram.factor(ridge);
    before = beta;
    beta = new double[columns.count()][];
    double moved = 0;
    for (int c = 0; c < columns.count(); c++) {
      beta[c] = before[c].clone();
      moved += step(factor, sums.gradient[c], beta[c]);
    }
    passes++;
    typicalBefore = typical;
    typical = sums.residuals / sums.count;
    instances = Math.max(instances, sums.count);
    return moved <= STILL * STILL * sums.count;
  }

  /** Moves a column of β; returns Σ κ (Δf)², all instances and the prior together. */
  private double step(double[][] factor, double[] gradient, double[] column) {
    Vectors.add(-prior, column, gradient, core.size());
    double[] step = gradient.clone();
    Cholesky.solve(factor, step, core.size());
    Vectors.add(1, step, column, core.size());
    return Vectors.dot(gradient, step, core.size());
  }

  /** The model as it is now. */
  public AvmModel model() {
    double[][] coefficients = new double[columns.count()][];
    Arrays.setAll(coefficients, p -> beta[columns.at(p)].clone());
    String version = ModelFile.libraryVersionOfThis();
    Provenance provenance =
        new Provenance(version, options, instances, core.cells(), core.size(), 0);
    double[] labels = columns.labels();
    double[][] linear = new double[columns.count()][0];
    return new AvmModel(core.copy(), labels, 1, coefficients, linear, provenance);
  }

  private boolean isBinary() {
    return options.task().kind() == Task.Kind.BINARY;
  }

  /** The state without the matrix, as bytes. */
  private final class Part implements Savable {
    static final String KIND = "avm-batch-part";

    @Override
    public String kind() {
      return KIND;
    }

    @Override
    public void encode(Encoder out) {
      out.section("options", options::encode);
      out.section("core", core::encode);
      columns.encode(out);
      out.section("counts", counts::encode);
      out.float64(typical);
      out.float64(typicalBefore);
      out.int32(passes);
      encodeColumns(beta, out);
      encodeColumns(before, out);
    }

    private void encodeColumns(double[][] coefficients, Encoder out) {
      for (double[] column : coefficients) {
        out.doubles(column, core.size());
      }
    }
  }

  /**
   * The sums of a pass over a part of the data: the gradient, and the change of the matrix since
   * the pass before. Confined to one thread.
   */
  public final class Sums implements Savable {
    private static final String KIND = "avm-batch-sums";

    private final KernelRow measured = new KernelRow(core, options.kernel());
    private final Gram gram;
    private final double[][] gradient = new double[columns.count()][core.size()];
    private final Parabolas now = new Parabolas(options.loss(), columns, typical);
    private final Parabolas then = new Parabolas(options.loss(), columns, typicalBefore);
    private final double[] scores = new double[columns.count()];
    private long count;
    private double residuals;

    Sums(Gram gram) {
      this.gram = gram;
    }

    KernelRow row() {
      return measured;
    }

    /** Adds an instance whose class the first pass has seen. */
    public void add(Features x, double y) {
      float[] k = measured.values(x);
      double was = passes == 0 ? 0 : fit(before, k, then, y);
      double curvature = pull(k, y);
      if (curvature != was) {
        gram.add(weight(y) * (curvature - was), k);
      }
    }

    /** Adds the gradient of an instance; returns its κ. */
    double pull(float[] k, double y) {
      double curvature = fit(beta, k, now, y);
      for (int c = 0; c < gradient.length; c++) {
        if (now.pull(c) != 0) {
          Vectors.add(weight(y) * now.pull(c), k, gradient[c], core.size());
        }
      }
      residuals += Math.abs(scores[0] - y);
      count++;
      return curvature;
    }

    boolean isHard(float[] k, double y) {
      fit(beta, k, now, y);
      return Math.abs(now.pull(columns.find(y))) > HARD;
    }

    private double fit(double[][] coefficients, float[] k, Parabolas into, double y) {
      for (int c = 0; c < scores.length; c++) {
        scores[c] = Vectors.dot(coefficients[c], k, core.size());
      }
      return into.fit(scores, scores.length, columns.find(y), y);
    }

    @Override
    public String kind() {
      return KIND;
    }

    @Override
    public void encode(Encoder out) {
      gram.encodeSum(out);
      out.int32(gradient.length);
      for (double[] column : gradient) {
        out.doubles(column, core.size());
      }
      out.int64(count);
      out.float64(residuals);
    }

    /** Adds the sums of another part, taken at the same β. */
    public void merge(Sums other) {
      gram.add(other.gram);
      for (int c = 0; c < gradient.length; c++) {
        Vectors.add(1, other.gradient[c], gradient[c], core.size());
      }
      count += other.count;
      residuals += other.residuals;
    }
  }
}
