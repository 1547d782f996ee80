package org.avm4j.machine;

import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Columns;
import org.avm4j.math.SplitMix;
import org.avm4j.newton.NewtonWeights;
import org.avm4j.points.CoreSet;
import org.avm4j.step.ClassCounts;
import org.avm4j.step.Memory;
import org.avm4j.step.SgdWeights;
import org.avm4j.step.Weights;

/**
 * Everything that an {@link Avm} has learned, and that a file of kind {@code avm-learner} holds
 * after the options. {@code n×} means a count, then the values.
 *
 * <pre>
 * learner       options, classes, random state (8), y_max (8), updates at the cap (8), δ (8),
 *               core set, memory, n× count of a class (8), packing, weights
 * classes       n× label (8), in order of appearance
 * core set      d (4), S (4), S flags "is a cell" (1), n× [feature index (4), S× value (4)]
 * memory        m (8), and where something is forgotten: last search for vectors to release (8),
 *               S× step at which the cell was last met (8); where errors are watched: the sum of the
 *               window (8), n× row [n× sum (8)], labels (8), their mean (8) and squares (8),
 *               drifts (8), n× drift [instance (8), before (8), after (8), memory (8)]
 * packing       where cells merge: S× reach (8), S× count (8), S× missed (8), "is measured" (1), if
 *               so S× place of the nearest (4), S× distance (8), S× 1 - k (8)
 * weights       SGD: T (8), scale (8), h (8), ‖A‖² (8), for each column [S× A (8), S× G (8)],
 *               n× kept [T' (8), columns (4), S' (4), for each column S'× sum (8)]
 *               Newton: T (8), w (8), w at the last renewal (8), typical residual (8), steps since P
 *               was renewed (8), S× R (8), lower half of Σ w κ k kᵀ by rows [n× (8)], n× waiting
 *               [S× (8)], the same two of P, for each column [S× β (8), S× b (8)], and for several
 *               classes one column more
 * </pre>
 */
public final class AvmState {
  /** Which column of scores belongs to which class. */
  public final Columns columns;

  /** The number of instances that the model remembers. */
  public final Memory memory;

  /** The counts of classes, for class weights. */
  public final ClassCounts counts;

  /** The coefficients of the vectors. */
  public final Weights weights;

  /** The vectors and what is stored for each of them. */
  public final Points points;

  /** The size cap. */
  public final Cap cap;

  /** The generator that draws Z_t. */
  public final SplitMix random;

  /** The largest |y| so far, or the given one. */
  public double yMax;

  private AvmState(
      AvmOptions options,
      Columns columns,
      Memory memory,
      ClassCounts counts,
      Weights weights,
      CoreSet core,
      MergeCosts mergeCosts,
      SplitMix random) {
    this.columns = columns;
    this.memory = memory;
    this.counts = counts;
    this.weights = weights;
    this.random = random;
    points = new Points(core, weights, memory);
    cap = Cap.of(options, points, mergeCosts);
    yMax = options.yMax();
  }

  /** The state of an untrained learner. */
  public static AvmState fresh(AvmOptions options) {
    Columns columns = options.task().columns();
    Memory memory = new Memory(options.forgetting());
    CoreSet core = new CoreSet();
    return new AvmState(
        options,
        columns,
        memory,
        new ClassCounts(options.classWeights()),
        weights(options, memory, core, columns),
        core,
        new MergeCosts(),
        new SplitMix(options.seed()));
  }

  /** Coefficients for an empty core set. */
  private static Weights weights(AvmOptions options, Memory memory, CoreSet core, Columns columns) {
    return options.update().isSecondOrder()
        ? new NewtonWeights(options, memory, columns)
        : new SgdWeights(options, memory, core, columns.count());
  }

  private static Weights decodeWeights(
      Decoder in, AvmOptions options, Memory memory, CoreSet core, Columns columns)
      throws ModelFileException {
    return options.update().isSecondOrder()
        ? NewtonWeights.decode(in, options, memory, core.size(), columns)
        : SgdWeights.decode(in, options, memory, core, columns.count());
  }

  /** The vectors. */
  public CoreSet core() {
    return points.core();
  }

  /** Appends the whole state. */
  public void encode(Encoder out) {
    columns.encode(out);
    out.int64(random.state());
    out.float64(yMax);
    out.int64(cap.reached());
    out.float64(cap.diameter());
    out.section("core", core()::encode);
    out.section("memory", section -> memory.encode(section, points.size()));
    out.section("counts", counts::encode);
    out.section("packing", cap::encode);
    out.section("weights", weights::encode);
  }

  /** Reads what {@link #encode} wrote, for a learner with these options. */
  public static AvmState decode(Decoder in, AvmOptions options) throws ModelFileException {
    Columns columns = options.task().columns();
    columns.decode(in);
    SplitMix random = new SplitMix(in.int64());
    double yMax = in.finite("y-max");
    long reached = in.count("the updates at the cap");
    double diameter = in.finite("the diameter");
    boolean isGrown = diameter >= options.coverage().diameter();
    Decoder.check(isGrown, "the diameter must be at least that of the options", diameter);
    CoreSet core = in.section("core", CoreSet::decode);
    int n = core.size();
    Memory memory = in.section("memory", s -> Memory.decode(s, options.forgetting(), n));
    ClassCounts counts =
        in.section("counts", s -> ClassCounts.decode(s, options.classWeights(), columns));
    MergeCosts mergeCosts = in.section("packing", s -> Cap.decodeMergeCosts(s, options, n));
    Weights weights = in.section("weights", s -> decodeWeights(s, options, memory, core, columns));
    AvmState state =
        new AvmState(options, columns, memory, counts, weights, core, mergeCosts, random);
    state.yMax = yMax;
    state.cap.reached(reached);
    state.cap.diameter(diameter);
    return state;
  }
}
