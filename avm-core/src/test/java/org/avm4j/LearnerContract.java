package org.avm4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.avm4j.data.Instance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What every online learner keeps, ours and the baselines: extend this, say how to make one and how
 * to load one, and these tests run.
 */
public abstract class LearnerContract {
  @TempDir Path folder;

  /** A new learner, always made alike. */
  protected abstract OnlineLearner make();

  /** The learner saved in a file. */
  protected abstract OnlineLearner load(Path file) throws IOException;

  /** What it predicts. */
  protected abstract Task task();

  /** How many vectors it may hold at most, or 0 where there is no bound. */
  protected int bound() {
    return 0;
  }

  private List<Instance> stream() {
    return Streams.of(task(), 400, 3, 5);
  }

  private static void learn(OnlineLearner learner, List<Instance> stream) {
    stream.forEach(instance -> learner.learn(instance.features(), instance.label()));
  }

  private static double[][] scores(Predictor predictor, List<Instance> stream) {
    return stream.stream()
        .map(instance -> predictor.score(instance.features()))
        .toArray(double[][]::new);
  }

  @Test
  void itScoresAndPredictsBeforeItHasLearned() {
    OnlineLearner learner = make();
    assertThat(learner.score(Features.dense(1, 2, 3))).isEqualTo(new double[learner.columns()]);
    double answer = learner.predict(Features.dense(1, 2, 3));
    assertThat(Double.isNaN(answer))
        .isEqualTo(task() instanceof Task.Multiclass && learner.columns() == 0);
    assertThat(learner.size()).isZero();
  }

  @Test
  void scoringChangesNothing() {
    OnlineLearner scored = make();
    OnlineLearner silent = make();
    for (Instance instance : stream()) {
      scored.score(instance.features());
      scored.predict(Features.dense(0.3, instance.label()));
      scored.learn(instance.features(), instance.label());
      silent.learn(instance.features(), instance.label());
    }
    assertThat(scores(scored, stream())).isDeepEqualTo(scores(silent, stream()));
  }

  @Test
  void theSameSeedGivesTheSameRun() {
    OnlineLearner one = make();
    OnlineLearner other = make();
    learn(one, stream());
    learn(other, stream());
    assertThat(scores(one, stream())).isDeepEqualTo(scores(other, stream()));
  }

  @Test
  void theInputIsNotAliased() {
    OnlineLearner fresh = make();
    OnlineLearner reused = make();
    Features.Buffer buffer = new Features.Buffer();
    for (Instance instance : stream()) {
      buffer.clear();
      for (int i = 0; i < instance.features().count(); i++) {
        buffer.add(instance.features().index(i), instance.features().value(i));
      }
      fresh.learn(instance.features(), instance.label());
      reused.learn(buffer.features(), instance.label());
      buffer.clear().add(0, 99).add(7, -99);
    }
    assertThat(scores(reused, stream())).isDeepEqualTo(scores(fresh, stream()));
  }

  @Test
  void itLearns() {
    OnlineLearner learner = make();
    double before = error(learner);
    learn(learner, Streams.of(task(), 4000, 3, 6));
    assertThat(error(learner)).isLessThan(0.8 * before);
  }

  private double error(OnlineLearner learner) {
    double sum = 0;
    for (Instance instance : stream()) {
      double answer = learner.predict(instance.features());
      boolean isNumber = task() instanceof Task.Regression;
      sum += isNumber ? Math.pow(answer - instance.label(), 2) : answer == instance.label() ? 0 : 1;
    }
    return sum;
  }

  @Test
  void theSizeStaysWithinItsBound() {
    assumeThat(bound()).as("a bound").isPositive();
    OnlineLearner learner = make();
    for (Instance instance : Streams.of(task(), 3000, 3, 9)) {
      learner.learn(instance.features(), instance.label());
      assertThat(learner.size()).isLessThanOrEqualTo(bound());
    }
  }

  @Test
  void aSnapshotStandsStill() {
    OnlineLearner learner = make();
    learn(learner, stream());
    Predictor snapshot = learner.snapshot();
    double[][] then = scores(snapshot, stream());
    assertThat(close(scores(learner, stream()), then)).isTrue();
    learn(learner, Streams.of(task(), 300, 5, 8));
    assertThat(scores(snapshot, stream())).isDeepEqualTo(then);
    assertThat(close(scores(learner, stream()), then)).isFalse();
  }

  /** An average is summed in another order by the learner than by its snapshot. */
  private static boolean close(double[][] a, double[][] b) {
    boolean close = true;
    for (int i = 0; i < a.length; i++) {
      close &= a[i].length == b[i].length;
      for (int c = 0; close && c < a[i].length; c++) {
        close = Math.abs(a[i][c] - b[i][c]) <= 1e-9 * (1 + Math.abs(b[i][c]));
      }
    }
    return close;
  }

  @Test
  void whatIsSavedGoesOnBitForBit() throws IOException {
    Path file = folder.resolve("learner.avm");
    OnlineLearner uninterrupted = make();
    OnlineLearner resumed = make();
    int t = 0;
    for (Instance instance : Streams.of(task(), 500, 4, 3)) {
      if (t++ % 61 == 0) {
        resumed.save(file);
        resumed = load(file);
      }
      assertThat(resumed.score(instance.features()))
          .isEqualTo(uninterrupted.score(instance.features()));
      uninterrupted.learn(instance.features(), instance.label());
      resumed.learn(instance.features(), instance.label());
    }
    assertThat(resumed.size()).isEqualTo(uninterrupted.size());
  }

  @Test
  void aSparseRowIsTheDenseRow() {
    OnlineLearner dense = make();
    OnlineLearner sparse = make();
    for (Instance instance : stream()) {
      double[] x = {0, instance.features().get(0), 0, instance.features().get(1), 0};
      dense.learn(Features.dense(x), instance.label());
      sparse.learn(
          Features.sparse(new int[] {1, 3, 4}, new double[] {x[1], x[3], 0}), instance.label());
    }
    assertThat(scores(sparse, stream())).isDeepEqualTo(scores(dense, stream()));
  }

  @Test
  void refusedInputChangesNothing() {
    OnlineLearner learner = make();
    learn(learner, stream());
    double[][] before = scores(learner, stream());
    assertThatThrownBy(() -> learner.learn(Features.dense(1, 2, 3), Double.NaN))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("NaN");
    assertThatThrownBy(() -> learner.learn(Features.dense(1, 1e300), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1.0E300");
    assertThat(scores(learner, stream())).isDeepEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource
  void awkwardStreamsDoNoHarm(Streams.Shape shape) {
    for (boolean oneClass : new boolean[] {false, true}) {
      OnlineLearner learner = make();
      List<Instance> stream = Streams.of(shape, task(), 300, oneClass, 4);
      learn(learner, stream);
      for (double[] scores : scores(learner, stream)) {
        for (double score : scores) {
          assertThat(score).isFinite();
        }
      }
    }
  }
}
