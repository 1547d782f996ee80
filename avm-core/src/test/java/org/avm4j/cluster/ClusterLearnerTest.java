package org.avm4j.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.avm4j.ClusterSummary.Cluster;
import org.avm4j.ClusterSummary.ClusterEvent;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.data.Instance;
import org.avm4j.data.LibsvmReader;
import org.avm4j.eval.ClusterMetrics;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Shapes are found without their number, kept by their number, and forgotten. */
class ClusterLearnerTest {
  private static List<Instance> blobs(int n, double[]... centres) {
    Random random = new Random(11);
    List<Instance> rows = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      double[] centre = centres[i % centres.length];
      double[] x = new double[centre.length];
      for (int f = 0; f < x.length; f++) {
        x[f] = centre[f] + 0.4 * random.nextGaussian();
      }
      rows.add(new Instance(Features.dense(x), i % centres.length));
    }
    return rows;
  }

  private static List<Instance> rings(int n) {
    Random random = new Random(5);
    List<Instance> rows = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      double angle = 2 * Math.PI * random.nextDouble();
      double radius = 1 + i % 2 + 0.08 * random.nextGaussian();
      Features x = Features.dense(radius * Math.cos(angle), radius * Math.sin(angle));
      rows.add(new Instance(x, i % 2));
    }
    return rows;
  }

  private static ClusterLearner learned(List<Instance> rows) {
    ClusterLearner learner = new ClusterLearner(ClusterOptions.DEFAULT);
    rows.forEach(row -> learner.learn(row.features()));
    return learner;
  }

  private static double agreement(Model model, List<Instance> rows) {
    ClusterMetrics metrics = new ClusterMetrics();
    rows.forEach(row -> metrics.add(row.label(), model.predict(row.features()), new double[] {0}));
    return metrics.value();
  }

  @Test
  void ringsInRingsAreTwoClusters() {
    List<Instance> rows = rings(1200);
    Model model = learned(rows).settled();
    assertThat(model.clusters().orElseThrow().clusters()).hasSize(2);
    assertThat(agreement(model, rows)).isGreaterThan(0.95);
  }

  @Test
  void oneCloudIsOneCluster() {
    Model model = learned(blobs(1000, new double[] {3, 4})).settled();
    List<Cluster> found = model.clusters().orElseThrow().clusters();
    assertThat(found).hasSize(1);
    assertThat(found.get(0).centre().get(0)).isBetween(2.9, 3.1);
    assertThat(found.get(0).centre().get(1)).isBetween(3.9, 4.1);
    assertThat(found.get(0).size()).isGreaterThan(930);
  }

  /** Rows of one feature, or on a line through the plane. */
  private static double[] onALine(String shape, int i, Random random) {
    double noise = random.nextGaussian();
    return switch (shape) {
      case "normal" -> new double[] {noise};
      case "uniform" -> new double[] {random.nextDouble()};
      case "exponential" -> new double[] {-Math.log(1 - random.nextDouble())};
      case "two" -> new double[] {8 * (i % 2) + noise};
      case "three" -> new double[] {8 * (i % 3) + noise};
      case "line" -> new double[] {noise, 2 * noise + 0.01 * random.nextGaussian()};
      case "constant" -> new double[] {noise, 3};
      default -> throw new IllegalArgumentException(shape);
    };
  }

  /** Along a line no path leads around a gap, so that chance makes deeper valleys. */
  @ParameterizedTest
  @CsvSource({
    "normal, 1",
    "uniform, 1",
    "exponential, 1",
    "two, 2",
    "three, 3",
    "line, 1",
    "constant, 1"
  })
  void gapsByChanceAlongALineAreNoBorders(String shape, int clusters) {
    int right = 0;
    for (int seed = 0; seed < 8; seed++) {
      ClusterLearner learner = new ClusterLearner(ClusterOptions.DEFAULT);
      Random random = new Random(seed);
      for (int i = 0; i < 1000; i++) {
        learner.learn(Features.dense(onALine(shape, i, random)));
      }
      learner.settle();
      right += learner.clusters().orElseThrow().clusters().size() == clusters ? 1 : 0;
    }
    assertThat(right).as("samples of 8 with the right number of clusters").isGreaterThan(6);
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 1", "3, 1", "4, 2", "8, 2"})
  void pointsThatRepeatAreClusters(int points, int dimension) {
    ClusterLearner learner = new ClusterLearner(ClusterOptions.DEFAULT);
    for (int i = 0; i < 500; i++) {
      double[] x = new double[dimension];
      x[0] = 1.7 * (i % points);
      x[dimension - 1] += i % points % 3;
      learner.learn(Features.dense(x));
    }
    learner.settle();
    assertThat(learner.clusters().orElseThrow().clusters()).hasSize(points);
    assertThat(learner.clusters().orElseThrow().noise()).isZero();
    assertThat(learner.predict(Features.dense(new double[dimension]))).isPositive();
  }

  @Test
  void aRowBesideOnePointIsNoise() {
    ClusterLearner learner = new ClusterLearner(ClusterOptions.DEFAULT);
    for (int i = 0; i < 500; i++) {
      learner.learn(Features.dense(i == 77 ? 9 : 3));
    }
    learner.settle();
    assertThat(learner.clusters().orElseThrow().clusters()).hasSize(1);
    assertThat(learner.clusters().orElseThrow().noise()).isEqualTo(1);
  }

  @Test
  void oneCloudInTenDimensionsStaysOneCluster() {
    ClusterLearner learner = new ClusterLearner(ClusterOptions.DEFAULT);
    Random random = new Random(10);
    for (int i = 0; i < 20_000; i++) {
      learner.learn(
          Features.dense(DoubleStream.generate(random::nextGaussian).limit(10).toArray()));
    }
    assertThat(learner.settled().clusters().orElseThrow().clusters()).hasSize(1);
  }

  @Test
  void aSmallGroupIsAClusterBesideARowThatRepeats() {
    ClusterLearner learner = new ClusterLearner(ClusterOptions.DEFAULT);
    Random random = new Random(4);
    for (int i = 0; i < 20_000; i++) {
      boolean isRepeated = i % 5 < 3;
      double x = isRepeated ? 0 : i % 100 == 99 ? -6 : 5;
      double spread = isRepeated ? 0 : 0.5;
      double y = x + spread * random.nextGaussian();
      learner.learn(Features.dense(x + spread * random.nextGaussian(), y));
    }
    learner.settle();
    double group = learner.predict(Features.dense(-6, -6));
    assertThat(group).isPositive();
    assertThat(learner.predict(Features.dense(5, 5))).isPositive().isNotEqualTo(group);
    assertThat(learner.predict(Features.dense(0, 0))).isPositive().isNotEqualTo(group);
    assertThat(learner.clusters().orElseThrow().clusters()).hasSize(3);
  }

  @Test
  void roundedNumbersAreStillOneCloud() {
    ClusterLearner learner = new ClusterLearner(ClusterOptions.DEFAULT);
    Random random = new Random(3);
    for (int i = 0; i < 3000; i++) {
      learner.learn(Features.dense(Math.round(10 * random.nextGaussian()) / 10.0));
    }
    assertThat(learner.settled().clusters().orElseThrow().clusters()).hasSize(1);
  }

  @Test
  void cloudsInTenDimensionsAreFound() {
    double[][] centres = new double[4][10];
    for (int c = 0; c < 4; c++) {
      centres[c][c] = 5;
    }
    List<Instance> rows = blobs(2000, centres);
    assertThat(agreement(learned(rows).settled(), rows)).isGreaterThan(0.97);
  }

  @Test
  void whatIsFarFromAllIsNoise() {
    Model model = learned(blobs(600, new double[] {0, 0}, new double[] {5, 5})).settled();
    assertThat(model.predict(Features.dense(30, -20))).isEqualTo(Cluster.NOISE);
    assertThat(model.predict(Features.dense(2.5, 2.5))).isEqualTo(Cluster.NOISE);
    assertThat(model.predict(Features.dense(0, 0))).isPositive();
  }

  @Test
  void beforeThereIsAPartitionAllIsNoise() {
    ClusterLearner learner = learned(blobs(20, new double[] {0, 0}));
    assertThat(learner.predict(Features.dense(0, 0))).isEqualTo(Cluster.NOISE);
  }

  @Test
  void aClusterKeepsItsNumberWhileOthersAreBorn() {
    ClusterLearner learner =
        learned(blobs(1000, new double[] {0, 0}, new double[] {6, 0}, new double[] {3, 9}));
    double first = learner.predict(Features.dense(0, 0));
    double second = learner.predict(Features.dense(6, 0));
    assertThat(first).isPositive().isNotEqualTo(second);
    blobs(1500, new double[] {-9, 9}, new double[] {0, 0})
        .forEach(row -> learner.learn(row.features()));
    learner.settle();
    assertThat(learner.predict(Features.dense(0, 0))).isEqualTo(first);
    assertThat(learner.predict(Features.dense(6, 0))).isEqualTo(second);
    assertThat(learner.predict(Features.dense(-9, 9))).isPositive().isNotIn(first, second);
    assertThat(learner.clusters().orElseThrow().lastEvents())
        .anyMatch(event -> event.instance() > 1000 && event.other() == Cluster.NOISE);
  }

  @Test
  void twoCloudsThatGrowTogetherMerge() {
    ClusterLearner learner = learned(blobs(800, new double[] {0, 0}, new double[] {6, 0}));
    assertThat(learner.settled().clusters().orElseThrow().clusters()).hasSize(2);
    Random random = new Random(3);
    for (int i = 0; i < 20_000; i++) {
      learner.learn(Features.dense(-1 + 8 * random.nextDouble(), 0.4 * random.nextGaussian()));
    }
    learner.settle();
    assertThat(learner.clusters().orElseThrow().clusters()).hasSize(1);
    assertThat(learner.clusters().orElseThrow().lastEvents())
        .anyMatch(event -> event.kind() == ClusterEvent.Kind.MERGED);
  }

  @Test
  void aClusterThatIsForgottenDies() {
    ClusterLearner learner = new ClusterLearner(new ClusterOptions(500, 500));
    blobs(1000, new double[] {0, 0}, new double[] {8, 8})
        .forEach(row -> learner.learn(row.features()));
    double old = learner.settled().predict(Features.dense(8, 8));
    assertThat(old).isPositive();
    blobs(6000, new double[] {0, 0}, new double[] {0, 8})
        .forEach(row -> learner.learn(row.features()));
    learner.settle();
    assertThat(learner.predict(Features.dense(8, 8))).isEqualTo(Cluster.NOISE);
    assertThat(learner.clusters().orElseThrow().lastEvents())
        .anyMatch(event -> event.kind() == ClusterEvent.Kind.DIED && event.number() == old);
    double weight =
        learner.clusters().orElseThrow().clusters().stream().mapToDouble(Cluster::size).sum();
    assertThat(weight).isBetween(400.0, 500.0);
  }

  @Test
  void manyFeaturesMeanFewerCells() {
    ClusterLearner learner = new ClusterLearner(ClusterOptions.DEFAULT);
    Random random = new Random(8);
    for (int i = 0; i < 400; i++) {
      learner.learn(Features.dense(random.doubles(1000).toArray()));
    }
    assertThat(learner.size()).isLessThanOrEqualTo(131);
  }

  @Test
  void optionsAreChecked() {
    assertThatThrownBy(() -> new ClusterOptions(15, 0))
        .hasMessageContaining("from 16 to 10000: 15");
    assertThatThrownBy(() -> new ClusterOptions(100, 1)).hasMessageContaining("at least 2");
  }

  /**
   * Less than the mean over five shuffles by a margin; docs/research/clusters.md has the figures.
   */
  @ParameterizedTest
  @CsvSource({
    "aggregation, 0.93", "flame, 0.9", "3-spiral, 0.95", "jain, 0.95",
    "R15, 0.95", "D31, 0.9", "compound, 0.8", "cluto-t4-8k, 0.8"
  })
  void publishedShapesAreFound(String name, double least) throws Exception {
    String data = System.getenv("AVM_DATA");
    Path file = Path.of(data == null ? "." : data, "clusters", name + ".libsvm.gz");
    Assumptions.assumeTrue(Files.exists(file), "needs " + file);
    List<Instance> rows = new ArrayList<>();
    try (LibsvmReader reader = LibsvmReader.open(file)) {
      while (reader.next()) {
        rows.add(new Instance(reader.features().copy(), reader.label()));
      }
    }
    Collections.shuffle(rows, new Random(1));
    assertThat(agreement(learned(rows).settled(), rows)).isGreaterThan(least);
  }

  @Test
  void everyInstanceIsCountedOnce() {
    List<Instance> rows = blobs(3000, new double[] {0, 0, 0}, new double[] {4, 4, 4});
    Model model = learned(rows).settled();
    double inside =
        model.clusters().orElseThrow().clusters().stream()
            .collect(Collectors.summingDouble(Cluster::size));
    assertThat(inside + model.clusters().orElseThrow().noise()).isBetween(2999.9, 3000.1);
  }
}
