package moa.classifiers.avm;

import static org.assertj.core.api.Assertions.assertThat;

import com.yahoo.labs.samoa.instances.Attribute;
import com.yahoo.labs.samoa.instances.DenseInstance;
import com.yahoo.labs.samoa.instances.Instance;
import com.yahoo.labs.samoa.instances.Instances;
import com.yahoo.labs.samoa.instances.InstancesHeader;
import java.util.List;
import java.util.Random;
import moa.classifiers.Classifier;
import moa.classifiers.OneClassClassifier;
import moa.classifiers.oneclass.HSTrees;
import org.junit.jupiter.api.Test;

/** Anomalies on a plane. */
class AvmAnomalyDetectorTest {
  private static Instance row(double x, double y, int label) {
    List<Attribute> attributes =
        List.of(
            new Attribute("x"),
            new Attribute("y"),
            new Attribute("class", List.of("normal", "anomaly")));
    InstancesHeader header = new InstancesHeader(new Instances("plane", attributes, 0));
    header.setClassIndex(2);
    Instance row = new DenseInstance(1, new double[] {x, y, label});
    row.setDataset(header);
    return row;
  }

  /** Normal rows lie on a ring of radius 3, and one row in a hundred in its middle. */
  private static Instance row(Random random) {
    boolean isAnomaly = random.nextInt(100) == 0;
    double angle = 2 * Math.PI * random.nextDouble();
    double radius = isAnomaly ? 0 : 3;
    return row(
        radius * Math.cos(angle) + 0.2 * random.nextGaussian(),
        radius * Math.sin(angle) + 0.2 * random.nextGaussian(),
        isAnomaly ? 1 : 0);
  }

  /** The part of right answers to the anomalies, and to the normal rows, after 1,000 rows. */
  private static double[] right(Classifier detector) {
    Random random = new Random(5);
    int[] rows = new int[2];
    double[] right = new double[2];
    for (int t = 0; t < 4000; t++) {
      Instance row = row(random);
      if (t >= 1000) {
        int label = (int) row.classValue();
        rows[label]++;
        right[label] += detector.correctlyClassifies(row) ? 1 : 0;
      }
      detector.trainOnInstance(row);
    }
    return new double[] {right[0] / rows[0], right[1] / rows[1]};
  }

  @Test
  void theMiddleOfARingIsAnAnomaly() {
    AvmAnomalyDetector detector = new AvmAnomalyDetector();
    detector.getOptions().setViaCLIString("-a 0.02");
    detector.prepareForUse();
    double[] ours = right(detector);
    assertThat(ours[0]).isGreaterThan(0.97);
    assertThat(ours[1]).isGreaterThan(0.95);
    HSTrees trees = new HSTrees();
    trees.prepareForUse();
    double[] theirs = right(trees);
    assertThat(ours[0] + ours[1]).isGreaterThan(theirs[0] + theirs[1]);
  }

  @Test
  void votesAddUpAndScoresRiseWithTheDistance() {
    AvmAnomalyDetector detector = new AvmAnomalyDetector();
    detector.prepareForUse();
    assertThat(detector.getVotesForInstance(row(0, 0, 0))).containsExactly(1, 0);
    Random random = new Random(6);
    ((OneClassClassifier) detector)
        .initialize(random.ints(500).mapToObj(any -> row(random)).toList());
    double near = detector.getAnomalyScore(row(3, 0, 0));
    double far = detector.getAnomalyScore(row(9, 0, 0));
    assertThat(near).isLessThan(0.5);
    assertThat(far).isBetween(0.5, 1.0);
    double[] votes = detector.getVotesForInstance(row(9, 0, 0));
    assertThat(votes[0] + votes[1]).isEqualTo(1);
    Classifier copy = detector.copy();
    assertThat(copy.getVotesForInstance(row(9, 0, 0))).isEqualTo(votes);
    detector.resetLearning();
    assertThat(detector.measureByteSize()).isZero();
  }
}
