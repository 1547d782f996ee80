package org.avm4j.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.cluster.ClusterLearner;
import org.avm4j.cluster.ClusterOptions;
import org.avm4j.data.Instance;
import org.avm4j.data.Metric;
import org.avm4j.data.Scaler;
import org.avm4j.data.Schema;
import org.avm4j.pipeline.Labels;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.Preparation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A graph of ONNX finds the clusters that the library finds. */
class OnnxClustersTest {
  private static final long NOISE = -1;

  /** Asks about all rows; returns the number of different answers. */
  private static long assertSameClusters(Model model, List<Features> rows) throws Exception {
    try (Runtime runtime = new Runtime(OnnxExport.toBytes(model))) {
      Map<String, Object> found = runtime.run(rows);
      assertThat(found).containsOnlyKeys("label");
      long[] labels = (long[]) found.get("label");
      for (int r = 0; r < labels.length; r++) {
        assertThat(labels[r]).as("row %d", r).isEqualTo((long) model.predict(rows.get(r)));
      }
      return rows.stream().map(model::predict).distinct().count();
    }
  }

  /** Rows of a grid over the square that holds all rows, and beyond. */
  private static List<Features> grid(List<Features> rows) {
    double[] low = new double[2];
    double[] high = new double[2];
    for (int i = 0; i < 2; i++) {
      int feature = i;
      low[i] = rows.stream().mapToDouble(x -> x.get(feature)).min().orElseThrow();
      high[i] = rows.stream().mapToDouble(x -> x.get(feature)).max().orElseThrow();
    }
    List<Features> grid = new ArrayList<>();
    for (double a = -0.23; a < 1.25; a += 0.0231) {
      for (double b = -0.21; b < 1.25; b += 0.0237) {
        grid.add(Features.dense(low[0] + a * (high[0] - low[0]), low[1] + b * (high[1] - low[1])));
      }
    }
    return grid;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "3-spiral",
        "D31",
        "R15",
        "aggregation",
        "cluto-t4-8k",
        "compound",
        "flame",
        "jain"
      })
  void everyRowOfRealDataHasTheSameCluster(String name) throws Exception {
    List<Features> rows =
        Streams.data("clusters/" + name, 0, Integer.MAX_VALUE).stream()
            .map(Instance::features)
            .toList();
    ClusterLearner learner = new ClusterLearner(ClusterOptions.DEFAULT);
    rows.forEach(learner::learn);
    assertThat(assertSameClusters(learner.settled(), rows)).isGreaterThan(1);
    assertThat(assertSameClusters(learner.settled(), grid(rows))).isGreaterThan(1);
  }

  /** Two clouds; the third feature is always 2. */
  private static List<Features> clouds(int count) {
    SplittableRandom random = new SplittableRandom(3);
    List<Features> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      double x = random.nextDouble() + random.nextDouble() + 6 * (i % 2);
      rows.add(Features.dense(x, random.nextDouble() + random.nextDouble(), 2));
    }
    return rows;
  }

  @Test
  void aFeatureThatWasConstantMakesNoiseWhereItChanges() throws Exception {
    ClusterLearner learner = new ClusterLearner(ClusterOptions.DEFAULT);
    List<Features> rows = new ArrayList<>(clouds(600));
    rows.forEach(learner::learn);
    Model model = learner.settled();
    Features changed = Features.dense(1, 1, 5);
    Features far = Features.dense(1e8, 1e8, 2);
    assertThat(List.of(model.predict(changed), model.predict(far))).containsOnly((double) NOISE);
    rows.addAll(List.of(changed, far, Features.dense(1, 1, 0), Features.dense(1, 1, 2)));
    assertThat(assertSameClusters(model, rows)).isGreaterThan(2);
  }

  @Test
  void aScalingIsInTheGraph() throws Exception {
    Scaler mixing = Scaler.none().weighted(Metric.of(Streams.MIXING));
    Preparation preparation = new Preparation(new Schema(), mixing, new Labels.Plain());
    Pipeline learner = new Pipeline(preparation, new ClusterLearner(ClusterOptions.DEFAULT));
    List<Features> rows = clouds(600);
    rows.forEach(row -> learner.learn(row, Double.NaN, 1));
    assertThat(assertSameClusters(learner.settled(), rows)).isGreaterThan(1);
  }
}
