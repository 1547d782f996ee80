package org.avm4j.lab.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.avm4j.Features;
import org.avm4j.Predictor;
import org.avm4j.Streams;
import org.avm4j.Task;
import org.avm4j.data.Instance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The batch learners on small data. */
class BatchTest {
  private static final Task BINARY = Task.binary();

  static Stream<BatchOptions> all() {
    return Stream.of(
        BatchOptions.libsvm(BINARY, 1),
        BatchOptions.libsvm(Task.multiclass(), 1).withCost(10),
        BatchOptions.llsvm(BINARY, 1, 40),
        BatchOptions.llsvm(Task.multiclass(), 1, 60).withCost(100));
  }

  @ParameterizedTest
  @MethodSource("all")
  void itLearns(BatchOptions options) {
    Predictor model = Baselines.create(options).train(Streams.of(options.task(), 500, 2, 1));
    assertThat(accuracy(model, Streams.of(options.task(), 500, 2, 2))).isGreaterThan(0.9);
  }

  private static double accuracy(Predictor model, List<Instance> data) {
    long right = data.stream().filter(i -> model.predict(i.features()) == i.label()).count();
    return (double) right / data.size();
  }

  @ParameterizedTest
  @MethodSource("all")
  void trainedTwiceItIsTheSame(BatchOptions options) {
    List<Instance> data = Streams.of(options.task(), 200, 3, 1);
    Predictor one = Baselines.create(options).train(data);
    Predictor other = Baselines.create(options).train(data);
    Features x = Features.dense(0.1, 0.2, 0.3);
    assertThat(other.score(x)).isEqualTo(one.score(x));
  }

  @ParameterizedTest
  @MethodSource("all")
  void oneClassIsRefused(BatchOptions options) {
    List<Instance> data = List.of(new Instance(Features.dense(1), 1));
    assertThatThrownBy(() -> Baselines.create(options).train(data))
        .hasMessage("training data must hold two classes at least: 1");
  }

  @Test
  void twoClassesMayHaveAnyLabels() {
    List<Instance> data =
        Streams.binary(300, 2, 1).stream()
            .map(i -> new Instance(i.features(), i.label() > 0 ? 3 : 7))
            .toList();
    BatchOptions libsvm = BatchOptions.libsvm(Task.multiclass(), 1);
    assertThat(accuracy(Baselines.create(libsvm).train(data), data)).isGreaterThan(0.9);
    BatchOptions llsvm = BatchOptions.llsvm(Task.multiclass(), 1, 30);
    assertThat(accuracy(Baselines.create(llsvm).train(data), data)).isGreaterThan(0.9);
  }

  /** With a centre at every instance nothing is approximated but the bias, which LLSVM has not. */
  @Test
  void withACentreAtEveryInstanceLowRankIsFullRank() {
    List<Instance> data = Streams.binary(120, 2, 4);
    Predictor exact = Baselines.create(BatchOptions.libsvm(BINARY, 2)).train(data);
    Predictor lowRank = Baselines.create(BatchOptions.llsvm(BINARY, 2, 120)).train(data);
    long agreed =
        Streams.binary(500, 2, 5).stream()
            .filter(i -> exact.predict(i.features()) == lowRank.predict(i.features()))
            .count();
    assertThat(agreed).isGreaterThan(475);
  }

  @Test
  void theSeedOfTheCentresMatters() {
    List<Instance> data = Streams.binary(200, 3, 1);
    BatchOptions options = BatchOptions.llsvm(BINARY, 1, 5);
    Features x = Features.dense(0.1, 0.2, 0.3);
    assertThat(Baselines.create(options.withSeed(2)).train(data).score(x))
        .isNotEqualTo(Baselines.create(options).train(data).score(x));
  }
}
