package org.avm4j.flink;

import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.IntStream;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.avm4j.Features;
import org.avm4j.Status.TreeShape;
import org.avm4j.data.Missing;
import org.avm4j.data.RowEncoder;
import org.avm4j.data.Schema;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.tree.AvmTree;
import org.avm4j.tree.TreeLeaves;

/**
 * Assigns each row to a region by the leaves of a tree of machines that learned a sample. The
 * leaves are grouped into regions with about equal shares of the sample. The keys of regions are
 * chosen such that Flink distributes them evenly over its subtasks at any parallelism.
 *
 * <p>The tree only routes and no longer learns. Each region has its own learner, which starts from
 * a copy of this tree; see {@link #recipe}.
 */
public final class RegionRouter implements Serializable {
  private static final long serialVersionUID = 1L;

  private final byte[] learner;
  private final int[] regionOfLeaf;
  private final String[] keys;
  private transient Pipeline pipeline;
  private transient TreeLeaves leaves;
  private transient RowEncoder rows;

  private RegionRouter(byte[] learner, int regions, int maxParallelism) {
    this.learner = learner;
    AvmTree tree = tree();
    int count = tree.leaves().count();
    if (count == 0) {
      throw new IllegalArgumentException(
          "the learner must hold a tree with regions: let it learn a larger sample");
    }
    regionOfLeaf = assign(tree.shape().leaves(), Math.min(regions, count));
    keys = keys(Math.min(regions, count), maxParallelism);
  }

  /**
   * Creates a router from a saved learner that holds a tree.
   *
   * @param learner a model file, as automatic mode or {@code --learner tree} saves it
   * @param regions the number of regions; at most the number of leaves
   * @param maxParallelism the maximum parallelism of the job, {@code pipeline.max-parallelism}
   */
  public static RegionRouter of(byte[] learner, int regions, int maxParallelism) {
    if (regions < 1) {
      throw new IllegalArgumentException("there must be at least one region: " + regions);
    }
    return new RegionRouter(learner.clone(), regions, maxParallelism);
  }

  /** Creates a router from a file; see {@link #of(byte[], int, int)}. */
  public static RegionRouter load(Path file, int regions, int maxParallelism) throws IOException {
    return of(Files.readAllBytes(file), regions, maxParallelism);
  }

  /** The number of regions. */
  public int regions() {
    return keys.length;
  }

  /** The recipe by which every region starts from the routing tree. */
  public LearnerRecipe recipe() {
    return LearnerRecipe.warmStart(learner);
  }

  /** The region of an instance. */
  public int region(Features x) {
    open();
    return regionOfLeaf[leaves.of(pipeline.inTree(x))];
  }

  /** The row with the key of its region; an invalid row keeps its key and is refused later. */
  public AvmRow route(AvmRow row) {
    open();
    try {
      return row.withKey(keys[region(row.values().encode(rows))]);
    } catch (IllegalArgumentException refused) {
      return row;
    }
  }

  /** The rows of a stream with the keys of their regions, in the same order. */
  public DataStream<AvmRow> route(DataStream<AvmRow> rows) {
    return rows.map(this::route)
        .returns(new ValueType<>(AvmRow.class))
        .setParallelism(rows.getParallelism()) // another number would mix up the rows
        .name("route");
  }

  /** The key of a region. */
  public String key(int region) {
    return keys[region];
  }

  private void open() {
    if (leaves == null) {
      leaves = tree().leaves();
      Schema frozen = pipeline.preparation().schema().frozen();
      rows = new RowEncoder(frozen, Missing.MEAN);
    }
  }

  private AvmTree tree() {
    try {
      pipeline = Pipeline.fromBytes(learner);
    } catch (IOException damaged) {
      throw new UncheckedIOException(damaged);
    }
    return pipeline
        .inspect(AvmTree.class)
        .orElseThrow(
            () -> new IllegalArgumentException("the learner must hold a tree of machines"));
  }

  /** Assigns the leaves, the largest first, to the region with the smallest load so far. */
  private static int[] assign(List<TreeShape.Leaf> leaves, int regions) {
    double[] load = new double[regions];
    PriorityQueue<Integer> least =
        new PriorityQueue<>(
            Comparator.<Integer>comparingDouble(region -> load[region])
                .thenComparingInt(region -> region));
    IntStream.range(0, regions).forEach(least::add);
    List<Integer> order = new ArrayList<>(IntStream.range(0, leaves.size()).boxed().toList());
    order.sort(Comparator.comparingDouble(leaf -> -leaves.get(leaf).share()));
    int[] regionOfLeaf = new int[leaves.size()];
    for (int leaf : order) {
      int region = least.remove();
      regionOfLeaf[leaf] = region;
      load[region] += leaves.get(leaf).share();
      least.add(region);
    }
    return regionOfLeaf;
  }

  /**
   * Keys whose key groups are evenly spread: region r gets the group at the bit reversal of r (van
   * der Corput sequence), so that key-group ranges of equal length have about equal numbers of
   * regions.
   */
  private static String[] keys(int regions, int maxParallelism) {
    String[] keys = new String[regions];
    for (int region = 0; region < regions; region++) {
      double place = (Integer.reverse(region) >>> 1) / (double) (1L << 31);
      int group = (int) (place * maxParallelism);
      String name = "region-" + region;
      String key = name;
      for (int salt = 1;
          KeyGroupRangeAssignment.assignToKeyGroup(key, maxParallelism) != group;
          salt++) {
        key = name + "." + salt;
      }
      keys[region] = key;
    }
    return keys;
  }
}
