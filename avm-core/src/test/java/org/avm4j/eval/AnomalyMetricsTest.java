package org.avm4j.eval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import java.util.Random;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.junit.jupiter.api.Test;

class AnomalyMetricsTest {
  @Test
  void theAreaIsTheShareOfPairsInOrderWithinItsError() {
    Random random = new Random(1);
    for (double spread : new double[] {1e-4, 0.1, 3}) {
      Roc roc = new Roc();
      double[] scores = new double[700];
      boolean[] positive = new boolean[scores.length];
      for (int i = 0; i < scores.length; i++) {
        positive[i] = random.nextInt(4) == 0;
        scores[i] = 5 + spread * Math.round(20 * random.nextGaussian() + (positive[i] ? 15 : 0));
        roc.add(positive[i], scores[i]);
      }
      double naive = naive(scores, positive);
      assertThat(roc.area()).isCloseTo(naive, within(roc.error() + 1e-12));
      assertThat(roc.error()).isLessThan(0.5);
    }
  }

  private static double naive(double[] scores, boolean[] positive) {
    double inOrder = 0;
    double pairs = 0;
    for (int i = 0; i < scores.length; i++) {
      for (int j = 0; j < scores.length; j++) {
        if (positive[i] && !positive[j]) {
          pairs++;
          inOrder += scores[i] > scores[j] ? 1 : scores[i] == scores[j] ? 0.5 : 0;
        }
      }
    }
    return inOrder / pairs;
  }

  @Test
  void callsAreCounted() {
    AnomalyMetrics metrics = new AnomalyMetrics(false);
    add(metrics, 0, -1, 1);
    add(metrics, 0, 1, 3);
    add(metrics, 1, 1, 5);
    add(metrics, 1, -1, 2);
    Map<String, Object> all = metrics.all(Double::toString);
    assertThat(all).containsEntry("alertRate", 50.0).containsEntry("auc", 0.75);
    assertThat(all).containsEntry("precision", 50.0).containsEntry("recall", 50.0);
  }

  @Test
  void withoutLabelsOnlyAlertsCount() {
    AnomalyMetrics metrics = new AnomalyMetrics(false);
    add(metrics, Double.NaN, 1, 3);
    assertThat(metrics.all(Double::toString)).containsOnlyKeys("alertRate");
    assertThat(metrics.value()).isNaN();
  }

  @Test
  void ofNamesTheCommonestIsNormal() {
    AnomalyMetrics names = new AnomalyMetrics(true);
    AnomalyMetrics numbers = new AnomalyMetrics(false);
    AnomalyMetrics three = new AnomalyMetrics(false);
    for (AnomalyMetrics metrics : new AnomalyMetrics[] {names, numbers, three}) {
      add(metrics, 1, -1, 1);
      add(metrics, 1, -1, 2);
      add(metrics, 0, 1, 9);
    }
    add(three, 7, 1, 8);
    assertThat(names.value()).isEqualTo(1);
    assertThat(numbers.value()).isZero();
    assertThat(three.value()).isEqualTo(1);
  }

  @Test
  void whatIsSavedCountsOn() throws ModelFileException {
    AnomalyMetrics metrics = new AnomalyMetrics(true);
    add(metrics, 0, 1, 3);
    add(metrics, 0, -1, 2);
    add(metrics, 4, -1, 1);
    Encoder out = new Encoder();
    metrics.encode(out);
    Metrics loaded = Metrics.decode(new Decoder(out.toBytes()));
    add(metrics, 4, 1, 7);
    loaded.add(4, 1, new double[] {7});
    assertThat(loaded.all(Double::toString)).isEqualTo(metrics.all(Double::toString));
  }

  private static void add(AnomalyMetrics metrics, double label, double answer, double score) {
    metrics.add(label, answer, new double[] {score});
  }
}
