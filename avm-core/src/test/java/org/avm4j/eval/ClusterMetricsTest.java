package org.avm4j.eval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.junit.jupiter.api.Test;

/** Agreement of clusters with labels, against values worked out by hand. */
class ClusterMetricsTest {
  private static ClusterMetrics of(double[] labels, double[] answers) {
    ClusterMetrics metrics = new ClusterMetrics();
    for (int i = 0; i < labels.length; i++) {
      metrics.add(labels[i], answers[i], new double[] {answers[i]});
    }
    return metrics;
  }

  private static Map<String, Object> all(Metrics metrics) {
    return metrics.all(Double::toString);
  }

  /** Of 15 pairs 4 are together in both, 7 in the clusters, 6 by label: (4 - 2.8)/(6.5 - 2.8). */
  @Test
  void theRandIndexIsAdjustedForChance() {
    ClusterMetrics metrics = of(new double[] {0, 0, 0, 1, 1, 1}, new double[] {1, 1, 1, 1, 2, 2});
    assertThat(metrics.value()).isCloseTo(1.2 / 3.7, within(1e-12));
    assertThat((double) all(metrics).get("purity")).isCloseTo(5.0 / 6, within(1e-12));
    double information =
        0.5 * Math.log(0.5 / (2.0 / 3 * 0.5))
            + 1.0 / 6 * Math.log((1.0 / 6) / (2.0 / 3 * 0.5))
            + 1.0 / 3 * Math.log((1.0 / 3) / (1.0 / 3 * 0.5));
    double entropies = Math.log(2) - 2.0 / 3 * Math.log(2.0 / 3) - 1.0 / 3 * Math.log(1.0 / 3);
    assertThat((double) all(metrics).get("nmi"))
        .isCloseTo(2 * information / entropies, within(1e-12));
  }

  @Test
  void otherNumbersForTheSameClustersAgreeFully() {
    ClusterMetrics metrics = of(new double[] {3, 3, 5, 5, 7}, new double[] {2, 2, 9, 9, -1});
    assertThat(metrics.value()).isEqualTo(1);
    assertThat((double) all(metrics).get("nmi")).isCloseTo(1, within(1e-12));
    assertThat(all(metrics)).containsEntry("noiseRate", 20.0);
  }

  @Test
  void withoutLabelsOnlyNoiseIsKnown() {
    ClusterMetrics metrics = of(new double[] {Double.NaN, Double.NaN}, new double[] {1, -1});
    assertThat(metrics.value()).isNaN();
    assertThat(all(metrics)).containsOnlyKeys("noiseRate");
  }

  @Test
  void itIsSavedWhole() throws Exception {
    ClusterMetrics metrics = of(new double[] {0, 0, 1, 1}, new double[] {1, 2, 2, -1});
    Encoder out = new Encoder();
    metrics.encode(out);
    Metrics loaded = Metrics.decode(new Decoder(out.toBytes()));
    metrics.add(1, 2, new double[] {2});
    loaded.add(1, 2, new double[] {2});
    assertThat(all(loaded)).isEqualTo(all(metrics));
  }
}
