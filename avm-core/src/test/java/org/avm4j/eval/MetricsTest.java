package org.avm4j.eval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.math.SplitMix;
import org.junit.jupiter.api.Test;

class MetricsTest {
  private static final double[] NO_SCORES = {0, 0, 0};

  /** The truth by rows, the answer by columns: 8 2 0 / 1 6 3 / 0 0 10. */
  private static ClassificationMetrics threeClasses() {
    long[][] confusion = {{8, 2, 0}, {1, 6, 3}, {0, 0, 10}};
    ClassificationMetrics metrics = new ClassificationMetrics(false, false);
    for (int truth = 0; truth < 3; truth++) {
      for (int answer = 0; answer < 3; answer++) {
        for (long i = 0; i < confusion[truth][answer]; i++) {
          metrics.add(truth, answer, NO_SCORES);
        }
      }
    }
    return metrics;
  }

  @Test
  void theFiguresOfAConfusionMatrixAreThose() {
    ClassificationMetrics metrics = threeClasses();
    assertThat(metrics.instances()).isEqualTo(30);
    assertThat(metrics.value()).isEqualTo(20);
    assertThat(metrics.balancedAccuracy()).isCloseTo(80, within(1e-9));
    double chance = (10.0 * 9 + 10 * 8 + 10 * 13) / 900;
    assertThat(metrics.kappa()).isCloseTo((0.8 - chance) / (1 - chance), within(1e-12));
    assertThat(metrics.f1(MetricsTest::name).get("class 0")).isCloseTo(16.0 / 19, within(1e-12));
    assertThat(metrics.f1(MetricsTest::name).get("class 2")).isCloseTo(20.0 / 23, within(1e-12));
    assertThat(metrics.all(MetricsTest::name)).doesNotContainKeys("auc", "logLoss");
    assertThat(metrics.precision(MetricsTest::name).get("class 1")).isEqualTo(75);
    assertThat(metrics.recall(MetricsTest::name).get("class 1")).isEqualTo(60);
    assertThat(metrics.majorityMistakeRate()).isCloseTo(200.0 / 3, within(1e-12));
    assertThat(metrics.all(MetricsTest::name).get("confusion"))
        .isEqualTo(
            Map.of(
                "labels",
                List.of("class 0", "class 1", "class 2"),
                "counts",
                List.of(List.of(8L, 2L, 0L), List.of(1L, 6L, 3L), List.of(0L, 0L, 10L))));
  }

  /** Classes appear in descending order here, so that places and order differ. */
  @Test
  void theConfusionOfSixtyFourClassesIsKeptAndOfMoreIsNot() throws ModelFileException {
    ClassificationMetrics metrics = new ClassificationMetrics(false, false);
    for (int label = 63; label >= 0; label--) {
      metrics.add(label, 63 - label, NO_SCORES);
    }
    Encoder out = new Encoder();
    metrics.encode(out);
    Map<String, Object> read = Metrics.decode(new Decoder(out.toBytes())).all(MetricsTest::name);
    assertThat(read).isEqualTo(metrics.all(MetricsTest::name));
    Map<?, ?> confusion = (Map<?, ?>) read.get("confusion");
    List<?> first = (List<?>) ((List<?>) confusion.get("counts")).get(0);
    assertThat(first.get(63)).isEqualTo(1L);
    assertThat(first.stream().filter(count -> (Long) count > 0)).hasSize(1);
    metrics.add(64, 64, NO_SCORES);
    metrics.add(1, 1, NO_SCORES);
    assertThat(metrics.all(MetricsTest::name)).doesNotContainKey("confusion");
  }

  @Test
  void theAreaUnderTheCurveIsTheShareOfPairsInOrder() {
    SplitMix random = new SplitMix(1);
    ClassificationMetrics metrics = new ClassificationMetrics(true, true);
    double[] scores = new double[400];
    boolean[] positive = new boolean[400];
    double logLoss = 0;
    for (int i = 0; i < scores.length; i++) {
      positive[i] = random.nextInt(3) == 0;
      scores[i] = 2 * random.getAsDouble() - (positive[i] ? 0.5 : 1.2);
      double y = positive[i] ? 1 : -1;
      metrics.add(y, scores[i] >= 0 ? 1 : -1, new double[] {scores[i]});
      logLoss += Math.log1p(Math.exp(-y * scores[i])) / scores.length;
    }
    double inOrder = 0;
    double pairs = 0;
    for (int i = 0; i < scores.length; i++) {
      for (int j = 0; j < scores.length; j++) {
        if (positive[i] && !positive[j]) {
          pairs++;
          inOrder += scores[i] > scores[j] ? 1 : 0;
        }
      }
    }
    assertThat(metrics.auc()).isCloseTo(inOrder / pairs, within(1e-3));
    assertThat((Double) metrics.all(MetricsTest::name).get("logLoss"))
        .isCloseTo(logLoss, within(1e-12));
  }

  @Test
  void anyNumberOfClassesCounts() {
    ClassificationMetrics metrics = new ClassificationMetrics(false, false);
    for (int label = 0; label < 100; label++) {
      metrics.add(label, label + 0.5, NO_SCORES);
      metrics.add(label, label, NO_SCORES);
    }
    assertThat(metrics.value()).isEqualTo(50);
    assertThat(metrics.f1(MetricsTest::name).get("class 99")).isCloseTo(2.0 / 3, within(1e-12));
  }

  @Test
  void anAnswerBeforeAnyClassIsAMistake() {
    ClassificationMetrics metrics = new ClassificationMetrics(false, false);
    metrics.add(5, Double.NaN, new double[0]);
    metrics.add(5, 5, new double[1]);
    assertThat(metrics.value()).isEqualTo(50);
  }

  @Test
  void theFiguresOfNumbersAreThose() {
    RegressionMetrics metrics = new RegressionMetrics();
    metrics.add(1, 2, null);
    metrics.add(3, 3, null);
    metrics.add(5, 3, null);
    Map<String, Object> all = metrics.all(MetricsTest::name);
    assertThat((Double) all.get("rmse")).isCloseTo(Math.sqrt(5.0 / 3), within(1e-12));
    assertThat((Double) all.get("mae")).isCloseTo(1, within(1e-12));
    assertThat((Double) all.get("r2")).isCloseTo(1 - 5.0 / 8, within(1e-12));
  }

  @Test
  void whatIsSavedCountsOn() throws ModelFileException {
    for (Metrics metrics : new Metrics[] {threeClasses(), binary(), new RegressionMetrics()}) {
      Encoder out = new Encoder();
      metrics.encode(out);
      Metrics loaded = Metrics.decode(new Decoder(out.toBytes()));
      metrics.add(1, 2, new double[] {0.3});
      loaded.add(1, 2, new double[] {0.3});
      assertThat(loaded.all(MetricsTest::name)).isEqualTo(metrics.all(MetricsTest::name));
    }
  }

  private static String name(double label) {
    return label == Math.rint(label) ? "class " + (int) label : "class " + label;
  }

  private static Metrics binary() {
    Metrics metrics = new ClassificationMetrics(true, true);
    metrics.add(1, 1, new double[] {0.7});
    metrics.add(-1, 1, new double[] {0.1});
    return metrics;
  }
}
