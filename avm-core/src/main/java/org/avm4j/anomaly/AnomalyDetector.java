package org.avm4j.anomaly;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.OnlineLearner;
import org.avm4j.Status;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;
import org.avm4j.math.Histogram;
import org.avm4j.points.RunningScale;

/**
 * A one-class learner on the coverage: it learns without labels where instances usually lie, and
 * scores an instance by its distance to that support.
 *
 * <p>Features are brought to a common scale along the stream ({@link RunningScale}); instances fall
 * into cells that count them ({@link DensityCells}), whose number is limited. The score is the
 * distance to the measure: with m the fraction of the stream that makes up a support,
 *
 * <pre>score(x)² = 1/(mT) Σ_j m_j ‖z - c_j‖²,  0 ≤ m_j ≤ n_j,  Σ_j m_j = mT,  as small as can be,
 * </pre>
 *
 * the mean squared distance to the nearest instances that make up the fraction m of all. No kernel
 * width is needed, and similar anomalies do not support each other unless they are more than this
 * fraction. An instance is an anomaly, +1, if its score is beyond the running quantile of the
 * scores that instances had before they were learned; else it is normal, -1. As long as no instance
 * is beyond the quantile, all are normal.
 *
 * <p>In a file, kind {@code avm-anomaly}: support (8), rate (8), size cap (4), diameter (8); the
 * scale: rows (8), the first row [dimension (4), n× index (4) and value (8)], features (4), n× mean
 * (8), n× sum of absolute deviations (8), n× factor (8), entries of each (8); the cells: radius
 * (8), core set, n× count (8); the scores: n× [bin (4), count (8)].
 */
public final class AnomalyDetector implements OnlineLearner {
  /** The kind of a file that holds a detector. */
  public static final String KIND = "avm-anomaly";

  /** The kind of a file that holds the frozen model of a detector. */
  public static final String MODEL_KIND = "avm-anomaly-model";

  /**
   * Distance, in deviations, up to which instances are equal; rounding differs as the scale
   * changes.
   */
  private static final double SAME = 1e-4;

  /** Bits of a score that the running quantile distinguishes: a relative precision of 2^-7. */
  private static final int BITS = 7;

  private final AnomalyOptions options;
  private RunningScale scale;
  private DensityCells cells;
  private Histogram scores;
  private final Features.Buffer scaled = new Features.Buffer();
  private Features last;
  private long lastAt = -1;
  private double lastDistance;

  /** An untrained detector. */
  public AnomalyDetector(AnomalyOptions options) {
    this(
        options,
        new RunningScale(),
        new DensityCells(Math.max(SAME, options.diameter() / 2)),
        new Histogram(BITS));
  }

  private AnomalyDetector(
      AnomalyOptions options, RunningScale scale, DensityCells cells, Histogram scores) {
    this.options = options;
    this.scale = scale;
    this.cells = cells;
    this.scores = scores;
  }

  /** The options of this detector. */
  public AnomalyOptions options() {
    return options;
  }

  /** Learns an instance; the label is ignored and may be NaN. */
  @Override
  public void learn(Features x, double y, double weight) {
    OnlineLearner.checkWeight(weight);
    scores.add(distance(x));
    scale.observe(x);
    if (RunningScale.isRenewed(instances())) {
      renew();
    }
    cells.add(scale.apply(x, scaled), weight);
    shrink();
  }

  /** Learns an instance. */
  public void learn(Features x) {
    learn(x, Double.NaN, 1);
  }

  @Override
  public void reset() {
    scale = new RunningScale();
    cells = new DensityCells(Math.max(SAME, options.diameter() / 2));
    scores = new Histogram(BITS);
    lastAt = -1;
  }

  @Override
  public AnomalyDetector copy() {
    return ModelFile.copy(this, AnomalyDetector::decode);
  }

  @Override
  public Task task() {
    return Task.anomaly();
  }

  @Override
  public Status status() {
    return AnomalyModel.status(options, instances(), size(), diameter(), threshold());
  }

  @Override
  public int columns() {
    return 1;
  }

  /** -1 for normal and +1 for an anomaly. */
  @Override
  public double[] classes() {
    return new double[] {-1, 1};
  }

  /** The distance to the support of x, in deviations of the features: 0 or more. */
  @Override
  public void score(Features x, double[] into) {
    into[0] = distance(x);
  }

  @Override
  public double predict(Features x) {
    return distance(x) >= threshold() ? 1 : -1;
  }

  /** The score from which an instance is an anomaly. */
  public double threshold() {
    return scores.top(options.rate());
  }

  /** The number of cells. */
  @Override
  public int size() {
    return cells.size();
  }

  /** T: the number of instances learned. */
  public long instances() {
    return scores.total();
  }

  /** The present δ, in deviations of the features. */
  public double diameter() {
    return 2 * cells.radius();
  }

  @Override
  public Model snapshot() {
    return new AnomalyModel(options, scale.copy(), cells.copy(), instances(), threshold());
  }

  /**
   * Adds what another detector with equal options learned from another part of the stream. Sums and
   * counts add up; the other's core points are brought to the common scale and fall into this one's
   * cells or open new ones.
   */
  public void merge(AnomalyDetector other) {
    if (other == this || !options.equals(other.options)) {
      throw new IllegalArgumentException(
          "detectors to merge must be two with equal options: " + options + ", " + other.options);
    }
    RunningScale before = scale.copy();
    scale.merge(other.scale);
    DensityCells both = new DensityCells(Math.max(cells.radius(), other.cells.radius()));
    addAll(cells, before, both);
    addAll(other.cells, other.scale, both);
    cells = both;
    scores.merge(other.scores);
    lastAt = -1;
    shrink();
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public void encode(Encoder out) {
    options.encode(out);
    out.section("scale", scale::encode);
    out.section("cells", cells::encode);
    out.section("scores", scores::encode);
  }

  /** The detector that {@link #encode} appended. */
  public static AnomalyDetector decode(Decoder in) throws ModelFileException {
    AnomalyOptions options = AnomalyOptions.decode(in);
    RunningScale scale = in.section("scale", RunningScale::decode);
    DensityCells cells =
        in.section("cells", section -> DensityCells.decode(section, scale.dimension()));
    Histogram scores = in.section("scores", section -> Histogram.decode(section, BITS));
    return new AnomalyDetector(options, scale, cells, scores);
  }

  /** Reads the encoded model that {@link #snapshot} returned. */
  public static Model decodeModel(Decoder in) throws ModelFileException {
    return AnomalyModel.decode(in);
  }

  /** The detector that was saved in a file; it goes on bit for bit as if it had never stopped. */
  public static AnomalyDetector load(Path file) throws IOException {
    return ModelFile.open(file).read(Map.of(KIND, AnomalyDetector::decode));
  }

  /**
   * The score of a row. The latest row is cached, so that it is measured once for scoring and
   * learning.
   */
  private double distance(Features x) {
    if (lastAt != instances() || !x.equals(last)) {
      RunningScale.check(x);
      lastDistance = cells.distance(scale.apply(x, scaled), options.support());
      last = x.copy();
      lastAt = instances();
    }
    return lastDistance;
  }

  private void renew() {
    RunningScale before = scale.copy();
    scale.renew();
    DensityCells moved = new DensityCells(cells.radius());
    addAll(cells, before, moved);
    cells = moved;
  }

  private void addAll(DensityCells from, RunningScale itsScale, DensityCells to) {
    for (int j = 0; j < from.size(); j++) {
      to.add(scale.apply(itsScale.original(from.vector(j)), scaled), from.count(j));
    }
  }

  private void shrink() {
    while (cells.size() > options.maxSize()) {
      cells = cells.merged();
    }
  }

  /** A description of one line: kind and size. */
  @Override
  public String toString() {
    return status().summary();
  }
}
