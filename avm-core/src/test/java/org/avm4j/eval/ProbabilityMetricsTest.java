package org.avm4j.eval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.junit.jupiter.api.Test;

class ProbabilityMetricsTest {
  private static final double[] SIGNS = {-1, 1};

  private static ClassificationMetrics binary() {
    return new ClassificationMetrics(true, false);
  }

  private static double figure(Metrics metrics, String name) {
    return (Double) metrics.all(Double::toString).get(name);
  }

  @Test
  void theFiguresOfTwoClassesAreThoseOfTheirDefinition() {
    ClassificationMetrics metrics = binary();
    Random random = new Random(1);
    int n = 2000;
    double logLoss = 0;
    double brier = 0;
    Map<Integer, Double> gaps = new HashMap<>();
    for (int i = 0; i < n; i++) {
      double p = random.nextDouble();
      int yes = random.nextDouble() < p * p ? 1 : 0;
      metrics.addProbabilities(2 * yes - 1, SIGNS, new double[] {1 - p, p}, new double[] {0, 1});
      logLoss -= Math.log(yes == 1 ? p : 1 - p) / n;
      brier += (p - yes) * (p - yes) / n;
      gaps.merge((int) (20 * p), p - yes, Double::sum);
    }
    double error = gaps.values().stream().mapToDouble(Math::abs).sum() / n;
    assertThat(figure(metrics, "logLoss")).isCloseTo(logLoss, within(1e-12));
    assertThat(figure(metrics, "brier")).isCloseTo(brier, within(1e-12));
    assertThat(figure(metrics, "calibrationError")).isCloseTo(error, within(1e-12));
    assertThat(error).isCloseTo(1 / 6.0, within(0.03));
    assertThat(figure(metrics, "calibrationErrorBefore")).isCloseTo(2 / 3.0, within(0.03));
  }

  @Test
  void ofSeveralClassesTheLikeliestIsHeldAgainstTheTruth() {
    ClassificationMetrics metrics = new ClassificationMetrics(false, false);
    double[] classes = {2, 5, 7};
    double[] p = {0.2, 0.7, 0.1};
    metrics.addProbabilities(5, classes, p, p);
    metrics.addProbabilities(7, classes, p, p);
    metrics.addProbabilities(9, classes, p, p);
    double brier = (0.04 + 0.09 + 0.01) + (0.04 + 0.49 + 0.81);
    double logLoss = -(Math.log(0.7) + Math.log(0.1));
    assertThat(figure(metrics, "brier")).isCloseTo(brier / 2, within(1e-12));
    assertThat(figure(metrics, "logLoss")).isCloseTo(logLoss / 2, within(1e-12));
    assertThat(figure(metrics, "calibrationError")).isCloseTo(0.7 - 0.5, within(1e-12));
  }

  @Test
  void theFirstInstanceMeetsNoClassAndIsNotCounted() {
    ClassificationMetrics metrics = new ClassificationMetrics(false, false);
    metrics.addProbabilities(5, new double[0], new double[0], new double[0]);
    assertThat(figure(metrics, "brier")).isZero();
    assertThat(figure(metrics, "calibrationError")).isZero();
  }

  @Test
  void whatIsSavedCountsOn() throws ModelFileException {
    ClassificationMetrics metrics = binary();
    metrics.addProbabilities(1, SIGNS, new double[] {0.3, 0.7}, new double[] {0.4, 0.6});
    Encoder out = new Encoder();
    metrics.encode(out);
    Metrics loaded = Metrics.decode(new Decoder(out.toBytes()));
    for (Metrics each : new Metrics[] {metrics, loaded}) {
      each.addProbabilities(-1, SIGNS, new double[] {0.3, 0.7}, new double[] {0.4, 0.6});
    }
    assertThat(loaded.all(Double::toString)).isEqualTo(metrics.all(Double::toString));
    assertThat(metrics.fresh().all(Double::toString)).doesNotContainKey("brier");
  }
}
