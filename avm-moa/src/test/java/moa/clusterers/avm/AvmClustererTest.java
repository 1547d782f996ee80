package moa.clusterers.avm;

import static org.assertj.core.api.Assertions.assertThat;

import com.yahoo.labs.samoa.instances.Attribute;
import com.yahoo.labs.samoa.instances.DenseInstance;
import com.yahoo.labs.samoa.instances.Instance;
import com.yahoo.labs.samoa.instances.Instances;
import com.yahoo.labs.samoa.instances.InstancesHeader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import moa.cluster.Cluster;
import moa.cluster.Clustering;
import moa.clusterers.AbstractClusterer;
import moa.clusterers.Clusterer;
import moa.core.AutoClassDiscovery;
import moa.options.ClassOption;
import moa.tasks.MainTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The clusterer in MOA's own task, and by hand. */
class AvmClustererTest {
  private static final int ROWS = 2000;

  private static final InstancesHeader HEADER =
      new InstancesHeader(
          new Instances("rings", List.of(new Attribute("x"), new Attribute("y")), 0));

  /** A point of the ring with this radius. */
  private static Instance ring(double radius, Random random) {
    double angle = 2 * Math.PI * random.nextDouble();
    double r = radius + 0.1 * random.nextGaussian();
    Instance row = new DenseInstance(1, new double[] {r * Math.cos(angle), r * Math.sin(angle)});
    row.setDataset(HEADER);
    return row;
  }

  /** A clusterer that has seen two rings, one around the other. */
  private static AvmClusterer rings() {
    AvmClusterer clusterer = new AvmClusterer();
    clusterer.prepareForUse();
    Random random = new Random(1);
    for (int t = 0; t < ROWS; t++) {
      clusterer.trainOnInstance(ring(t % 2 == 0 ? 1 : 4, random));
    }
    return clusterer;
  }

  private static double inside(Cluster cluster, double radius) {
    Random random = new Random(2);
    double sum = 0;
    for (int t = 0; t < 200; t++) {
      sum += cluster.getInclusionProbability(ring(radius, random));
    }
    return sum / 200;
  }

  @Test
  void clustersMayLieAroundEachOther() {
    Clustering found = rings().getClusteringResult();
    assertThat(found.size()).isEqualTo(2);
    Cluster first = found.get(0);
    double its = inside(first, 1) > 0.5 ? 1 : 4;
    assertThat(inside(first, its)).isGreaterThan(0.9);
    assertThat(inside(first, 5 - its)).isZero();
    assertThat(inside(found.get(1), 5 - its)).isGreaterThan(0.9);
    assertThat(first.getWeight() + found.get(1).getWeight()).isBetween(0.9 * ROWS, 1.0 * ROWS);
    assertThat(first.getCenter()[0]).isBetween(-0.5, 0.5);
  }

  /** MOA copies what it shows. */
  @Test
  void aCopyOfAClusterHoldsTheSameInstances() {
    Clustering found = rings().getClusteringResult();
    for (int c = 0; c < found.size(); c++) {
      Cluster copy = found.getClusteringCopy().get(c);
      assertThat(copy.getId()).isEqualTo(found.get(c).getId());
      assertThat(inside(copy, 4)).isEqualTo(inside(found.get(c), 4));
    }
  }

  @Test
  void microClustersAreCells() {
    Clustering cells = rings().getMicroClusteringResult();
    assertThat(cells.size()).isBetween(16, 1500);
    double weight = cells.getClustering().stream().mapToDouble(Cluster::getWeight).sum();
    assertThat(weight).isBetween(0.9 * ROWS, 1.0 * ROWS);
    for (Cluster cell : cells.getClustering()) {
      double[] centre = cell.getCenter();
      assertThat(Math.hypot(centre[0], centre[1])).isBetween(0.3, 5.0);
    }
  }

  @Test
  void aCopyGoesOnAloneAndResetForgets() {
    AvmClusterer clusterer = rings();
    Instance row = ring(4, new Random(3));
    assertThat(clusterer.getVotesForInstance(row)).containsExactlyInAnyOrder(0, 1);
    Clusterer copy = clusterer.copy();
    assertThat(copy.getVotesForInstance(row)).isEqualTo(clusterer.getVotesForInstance(row));
    clusterer.resetLearning();
    assertThat(clusterer.getVotesForInstance(row)).isEmpty();
    assertThat(clusterer.getClusteringResult().size()).isZero();
    assertThat(clusterer.getMicroClusteringResult().size()).isZero();
    assertThat(copy.getClusteringResult().size()).isEqualTo(2);
  }

  /** Five clusters that move, and a tenth of the rows are noise; nobody says that it is five. */
  @Test
  void itsOwnTaskFindsMovingClusters(@TempDir Path folder) throws Exception {
    Path out = folder.resolve("clusters.csv");
    String task =
        "EvaluateClustering -l (avm.AvmClusterer -f 1000) -g -f -i 5000 -d %s"
            + " -s (RandomRBFGeneratorEvents -K 5 -N 0.1)";
    MainTask parsed =
        (MainTask) ClassOption.cliStringToObject(task.formatted(out), MainTask.class, null);
    parsed.prepareForUse();
    parsed.doTask();
    List<String> lines = Files.readAllLines(out);
    List<String> names = List.of(lines.get(0).split(";"));
    String[] last = lines.get(lines.size() - 1).split(";");
    assertThat(last[names.indexOf("numCluster")]).isEqualTo("5.0");
    assertThat(Double.parseDouble(last[names.indexOf("Purity")])).isGreaterThan(0.9);
    assertThat(Double.parseDouble(last[names.indexOf("F1-P")])).isGreaterThan(0.9);
  }

  @Test
  void theListsOfTheGuiHaveIt() {
    String name = AvmClusterer.class.getName();
    assertThat(AutoClassDiscovery.findClassNames("moa")).contains(name);
    assertThat(AutoClassDiscovery.isPublicConcreteClassOfType(name, AbstractClusterer.class))
        .isTrue();
  }
}
