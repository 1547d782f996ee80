package org.avm4j.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.avm4j.ClusterSummary;
import org.avm4j.ClusterSummary.Cluster;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.OnlineLearner;
import org.avm4j.Status;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;
import org.avm4j.points.RunningScale;

/**
 * Support vector clustering of a stream in one pass: neither the number of clusters nor a distance
 * is given, clusters may have any shape, and noise is left out.
 *
 * <p>Features are brought to a common scale along the stream ({@link RunningScale}); instances fall
 * into cells ({@link Cells}), whose number is bounded. From time to time the cells are partitioned
 * ({@link Partition}): cells belong together if the segments between them stay inside the support
 * of the density. In between, an instance belongs to the cluster of its nearest cell, if that is
 * within reach. Clusters keep their numbers ({@link Numbering}). The score of an instance is the
 * number of its cluster, {@link Cluster#NOISE} for noise.
 *
 * <p>In a file, kind {@code avm-cluster}: size cap (4), horizon (8), instances (8), instances at
 * the last partition (8), weight of the next instance (8); the scale as of an anomaly detector; the
 * cells, see {@link CellsCodec}; the numbering: numbers given (4), events (8), n× [kind (4),
 * instance (8), number (4), other (4)].
 */
public final class ClusterLearner implements OnlineLearner {
  /** The kind of a file that holds a learner. */
  public static final String KIND = "avm-cluster";

  /** The kind of a file that holds the frozen model of a learner. */
  public static final String MODEL_KIND = "avm-cluster-model";

  /**
   * Distance, in deviations, up to which instances are equal; rounding differs as the scale
   * changes.
   */
  static final double SAME = 1e-4;

  /** Largest number of coordinates of all cells: bounds memory, and the work of an instance. */
  private static final int COORDINATES = 1 << 17;

  /** Smallest size cap, whatever the number of features. */
  private static final int FEWEST = 16;

  /** Number of instances before the first partition; there is one each time the stream doubles. */
  private static final int FIRST = 32;

  /**
   * Most instances between two partitions. With 1,500 cells of two features a partition takes about
   * 13 ms, which is 0.7 µs an instance.
   */
  private static final long LONGEST = 20_000;

  /** Weight below which a cell is forgotten. */
  private static final double FORGOTTEN = 0.1;

  private final ClusterOptions options;
  private RunningScale scale = new RunningScale();
  private Cells cells = new Cells(SAME);
  private Numbering numbering = new Numbering();
  private long instances;
  private long partitionedAt;
  private double increment = 1;
  private final Features.Buffer scaled = new Features.Buffer();

  /** An untrained learner. */
  public ClusterLearner(ClusterOptions options) {
    this.options = options;
  }

  /** The options of this learner. */
  public ClusterOptions options() {
    return options;
  }

  /** Learns an instance; the label is ignored and may be NaN. */
  @Override
  public void learn(Features x, double y, double weight) {
    OnlineLearner.checkWeight(weight);
    RunningScale.check(x);
    scale.observe(x);
    instances++;
    if (RunningScale.isRenewed(instances)) {
      renew();
    }
    cells.add(scale.apply(x, scaled), weight * increment);
    shrink();
    if (options.horizon() > 0) {
      increment *= 1 + 1.0 / (options.horizon() - 1);
    }
    if (isDue()) {
      partition();
    }
  }

  /** Learns an instance. */
  public void learn(Features x) {
    learn(x, Double.NaN, 1);
  }

  private boolean isDue() {
    long since = instances - partitionedAt;
    long longest = options.horizon() > 0 ? Math.min(LONGEST, options.horizon()) : LONGEST;
    return since >= Math.min(longest, Math.max(FIRST, partitionedAt));
  }

  private void partition() {
    fade();
    if (cells.size() > 0) {
      numbering.renumber(cells, Partition.of(cells), instances);
    }
    partitionedAt = instances;
  }

  private void fade() {
    if (increment > 1) {
      Set<Integer> before = numbers();
      cells.fade(increment, FORGOTTEN);
      increment = 1;
      before.removeAll(numbers());
      before.forEach(number -> numbering.died(number, instances));
    }
  }

  private Set<Integer> numbers() {
    Set<Integer> all = new TreeSet<>();
    for (int j = 0; j < cells.size(); j++) {
      all.add(cells.number(j));
    }
    all.remove(Cluster.NOISE);
    return all;
  }

  private void renew() {
    RunningScale before = scale.copy();
    scale.renew();
    double[] factors = new double[cells.dimension()];
    for (int i = 0; i < factors.length; i++) {
      factors[i] = before.factor(i) > 0 ? scale.factor(i) / before.factor(i) : 1;
    }
    cells.rescale(factors);
  }

  private void shrink() {
    int most = Math.min(options.maxSize(), COORDINATES / Math.max(1, cells.dimension()));
    while (cells.size() > Math.max(FEWEST, most)) {
      cells = cells.merged();
    }
  }

  @Override
  public void reset() {
    scale = new RunningScale();
    cells = new Cells(SAME);
    numbering = new Numbering();
    instances = 0;
    partitionedAt = 0;
    increment = 1;
  }

  @Override
  public ClusterLearner copy() {
    return ModelFile.copy(this, ClusterLearner::decode);
  }

  @Override
  public Task task() {
    return Task.clustering();
  }

  @Override
  public int columns() {
    return 1;
  }

  /** None: the numbers of clusters are not known up front. */
  @Override
  public double[] classes() {
    return new double[0];
  }

  /** The number of the cluster of x. */
  @Override
  public void score(Features x, double[] into) {
    into[0] = predict(x);
  }

  @Override
  public double predict(Features x) {
    RunningScale.check(x);
    return cells.numberOf(scale.apply(x, scaled));
  }

  /** The number of cells. */
  @Override
  public int size() {
    return cells.size();
  }

  /** T: the number of instances learned. */
  public long instances() {
    return instances;
  }

  @Override
  public Optional<ClusterSummary> clusters() {
    return snapshot().clusters();
  }

  @Override
  public Status status() {
    return ClusterModel.status(options, instances, cells);
  }

  /** The clusters of the last partition; {@link #settled} partitions once more. */
  @Override
  public Model snapshot() {
    return new ClusterModel(options, scale.copy(), cells.copy(), instances, numbering.copy());
  }

  @Override
  public Model settled() {
    ClusterLearner copy = copy();
    copy.settle();
    return copy.snapshot();
  }

  /** Partitions the cells as they are now. */
  @Override
  public void settle() {
    if (instances > partitionedAt) {
      partition();
    }
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public void encode(Encoder out) {
    options.encode(out);
    out.int64(instances);
    out.int64(partitionedAt);
    out.float64(increment);
    out.section("scale", scale::encode);
    out.section("cells", section -> CellsCodec.encode(cells, section));
    out.section("numbering", numbering::encode);
  }

  /** The learner that {@link #encode} appended. */
  public static ClusterLearner decode(Decoder in) throws ModelFileException {
    ClusterLearner learner = new ClusterLearner(ClusterOptions.decode(in));
    learner.instances = in.count("the instances");
    learner.partitionedAt = in.count("the instances at the last partition");
    boolean isBefore = learner.partitionedAt <= learner.instances;
    Decoder.check(isBefore, "the last partition must not be later", learner.partitionedAt);
    learner.increment = in.finite("the weight of an instance");
    Decoder.check(learner.increment >= 1, "the weight must be at least 1", learner.increment);
    learner.scale = in.section("scale", RunningScale::decode);
    int most = learner.options.maxSize();
    int dimension = learner.scale.dimension();
    learner.cells = in.section("cells", from -> CellsCodec.decode(from, most, dimension));
    learner.numbering = in.section("numbering", Numbering::decode);
    CellsCodec.checkNumbers(learner.cells, learner.numbering.given());
    return learner;
  }

  /** Reads the encoded model that {@link #snapshot} returned. */
  public static Model decodeModel(Decoder in) throws ModelFileException {
    return ClusterModel.decode(in);
  }

  /** The learner that was saved in a file; it goes on bit for bit as if it had never stopped. */
  public static ClusterLearner load(Path file) throws IOException {
    return ModelFile.open(file).read(Map.of(KIND, ClusterLearner::decode));
  }

  /** A description of one line: kind and size. */
  @Override
  public String toString() {
    return status().summary();
  }
}
