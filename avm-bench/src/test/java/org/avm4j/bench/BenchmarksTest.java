package org.avm4j.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.avm4j.Avm;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.data.Instance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is measured gives the right answers: a benchmark of a wrong answer is worth nothing. */
class BenchmarksTest {
  @ParameterizedTest
  @ValueSource(strings = {"500x54", "135x123", "436x8", "3x5"})
  void thePassOverCorePointsIsTheObviousOne(String shape) {
    DistanceBenchmark benchmark = new DistanceBenchmark();
    benchmark.shape = shape;
    benchmark.setUp();
    for (int t = 0; t < 2; t++) {
      double[] obvious = benchmark.obvious().clone();
      double[] measured = other(benchmark);
      for (int j = 0; j < obvious.length; j++) {
        assertThat(measured[j]).isCloseTo(obvious[j], within(1e-5));
      }
    }
    assertThat(benchmark.kernels()[0])
        .isCloseTo((float) Math.exp(-benchmark.distances[0]), within(1e-5f));
  }

  /** Both go on to the other row, so that the next but one is the same again. */
  private static double[] other(DistanceBenchmark benchmark) {
    benchmark.measure();
    return benchmark.measure();
  }

  @Test
  void exponentialsAreThoseOfTheLibrary() {
    ExpBenchmark benchmark = new ExpBenchmark();
    benchmark.n = 500;
    benchmark.setUp();
    float[] exact = benchmark.math().clone();
    assertThat(exact[7]).isEqualTo((float) Math.exp(-benchmark.distances[7]));
    float[] ours = benchmark.ours();
    for (int i = 0; i < exact.length; i++) {
      assertThat((double) ours[i]).isCloseTo(exact[i], within(1e-6));
    }
  }

  private static double squaredDistance(Instance a, Instance b) {
    double sum = 0;
    for (int i = 0; i < 123; i++) {
      double difference = a.features().get(i) - b.features().get(i);
      sum += difference * difference;
    }
    return sum;
  }

  @ParameterizedTest
  @CsvSource({"a9a-like,sgd", "ijcnn1-like,sgd", "covtype-like,sgd", "covtype-like,newton"})
  void learningGoesOnWhereThePassEnded(String data, String update) {
    LearnBenchmark benchmark = new LearnBenchmark();
    benchmark.data = data;
    benchmark.update = update;
    benchmark.rows = 3000;
    benchmark.setUp();
    Workload workload = Workload.of(data, 3000);
    Avm twin = new Avm(LearnBenchmark.options(workload, update));
    for (Instance row : workload.rows()) {
      twin.learn(row.features(), row.label());
    }
    for (int t = 0; t < 100; t++) {
      benchmark.learn();
      Instance row = workload.rows()[t];
      twin.learn(row.features(), row.label());
    }
    Features probe = workload.rows()[7].features();
    assertThat(benchmark.avm.score(probe)).containsExactly(twin.score(probe));
    assertThat(benchmark.avm.instances()).isEqualTo(3100);
  }

  @ParameterizedTest
  @CsvSource({"a9a-like,100,200", "ijcnn1-like,500,500", "covtype-like,30,90"})
  void aLikenessNeedsAsManyCellsAsTheData(String data, int least, int most) {
    Workload workload = Workload.of(data, Workload.GENERATED);
    Avm avm = new Avm(workload.options());
    for (Instance row : workload.rows()) {
      avm.learn(row.features(), row.label());
    }
    assertThat(avm.size()).isBetween(least, most);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a9a-like", "ijcnn1-like", "covtype-like"})
  void scoresAreTheExpansion(String data) {
    ScoreBenchmark benchmark = new ScoreBenchmark();
    benchmark.data = data;
    benchmark.rows = 5000;
    benchmark.setUp();
    Kernel kernel = Workload.of(data, 1).options().kernel();
    for (int t = 0; t < 10; t++) {
      double score = benchmark.one()[0];
      double expected = 0;
      for (int j = 0; j < benchmark.model.size(); j++) {
        Instance vector = new Instance(benchmark.model.vector(j), 0);
        double k = kernel.of(squaredDistance(benchmark.current(), vector));
        expected += benchmark.model.coefficient(0, j) * k;
      }
      assertThat(score).isCloseTo(expected, within(1e-3 * (1 + Math.abs(expected))));
    }
  }

  @Test
  void manyScoresAreThoseOfEachRow() {
    ScoreBenchmark benchmark = new ScoreBenchmark();
    benchmark.data = "covtype-like";
    benchmark.rows = 5000;
    benchmark.setUp();
    double[][] scores = benchmark.many();
    assertThat(scores).hasNumberOfRows(ScoreBenchmark.MANY);
    for (int t = 0; t < ScoreBenchmark.MANY; t++) {
      assertThat(scores[t]).containsExactly(benchmark.model.score(benchmark.first.get(t)));
    }
  }
}
