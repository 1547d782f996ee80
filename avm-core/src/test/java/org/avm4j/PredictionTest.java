package org.avm4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.avm4j.data.Instance;
import org.junit.jupiter.api.Test;

class PredictionTest {
  private static final double[] CLASSES = {1, 2, 5};
  private static final double[] SCORES = {-1, 0.5, 0.25};
  private static final double[] PROBABILITIES = {0.2, 0.5, 0.3};

  @Test
  void theProbabilityOfAClassIsFoundByItsLabel() {
    Prediction answer = new Prediction(2, CLASSES, SCORES, PROBABILITIES);
    assertThat(answer.isCalibrated()).isTrue();
    assertThat(answer.probabilityOf(1)).isEqualTo(0.2);
    assertThat(answer.probabilityOf(5)).isEqualTo(0.3);
    assertThat(answer.probabilityOf(3)).isZero();
  }

  @Test
  void withoutCalibrationThereIsNoProbability() {
    Prediction answer = new Prediction(2, CLASSES, SCORES);
    assertThat(answer.isCalibrated()).isFalse();
    assertThat(answer.probabilities()).isEmpty();
    assertThatThrownBy(() -> answer.probabilityOf(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the predictor was not calibrated, it has no probabilities");
  }

  @Test
  void itIsAValue() {
    double[] scores = SCORES.clone();
    Prediction answer = new Prediction(2, CLASSES, scores, PROBABILITIES);
    Prediction same = new Prediction(2, CLASSES, SCORES, PROBABILITIES);
    scores[0] = 99;
    assertThat(answer).isEqualTo(same).hasSameHashCodeAs(same).hasToString(same.toString());
    assertThat(answer.toString())
        .isEqualTo("2.0, scores [-1.0, 0.5, 0.25], probabilities [0.2, 0.5, 0.3]");
    assertThat(
            List.of(
                new Prediction(1, CLASSES, SCORES, PROBABILITIES),
                new Prediction(2, SCORES, SCORES, PROBABILITIES),
                new Prediction(2, CLASSES, CLASSES, PROBABILITIES),
                new Prediction(2, CLASSES, SCORES)))
        .doesNotContain(answer);
  }

  @Test
  void manyRowsAreScoredInAnyNumberOfTasks() {
    Avm avm = new Avm(AvmOptions.multiclass().build());
    Streams.multiclass(50, 3, 1).forEach(row -> avm.learn(row.features(), row.label()));
    Model model = avm.snapshot();
    ExecutorService pool = Executors.newFixedThreadPool(4);
    for (int n : new int[] {0, 1, Model.BLOCK - 1, Model.BLOCK, Model.BLOCK + 1, 1000}) {
      List<Features> rows = Streams.multiclass(n, 3, 2).stream().map(Instance::features).toList();
      double[][] scores = model.score(rows, pool);
      assertThat(scores).hasNumberOfRows(n);
      for (int i = 0; i < n; i++) {
        assertThat(scores[i]).isEqualTo(model.score(rows.get(i)));
      }
    }
    pool.shutdown();
  }

  @Test
  void aRowThatIsRefusedIsRefusedInItsOwnWords() {
    Model model = new Avm(AvmOptions.binary().build()).snapshot();
    List<Features> rows = new ArrayList<>(List.of(Features.dense(1), Features.dense(1e300)));
    assertThatThrownBy(() -> model.score(rows, Runnable::run))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1.0E300");
  }
}
