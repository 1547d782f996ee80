package org.avm4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.avm4j.data.Instance;
import org.avm4j.data.Scaler;
import org.avm4j.data.Schema;
import org.avm4j.pipeline.Labels;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.Preparation;
import org.avm4j.step.ClassCounts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class InstanceWeightsTest {
  private static final double WEIGHT = 2.75;

  private static AvmOptions.Builder ridge() {
    return AvmOptions.regression()
        .update(Update.newton())
        .coverage(Coverage.sphere(0.8))
        .maxSize(40, Limit.APPROXIMATE);
  }

  private static void close(Predictor found, Predictor expected, double tolerance) {
    for (Instance probe : Streams.regression(100, 3, 2)) {
      double[] scores = expected.score(probe.features());
      for (int c = 0; c < scores.length; c++) {
        double allowed = tolerance * (1 + Math.abs(scores[c]));
        assertThat(found.score(probe.features())[c]).isCloseTo(scores[c], within(allowed));
      }
    }
  }

  /** Ridge regression minimises a sum over the instances: twice the term is the term twice. */
  @ParameterizedTest
  @EnumSource(
      value = Limit.class,
      names = {"APPROXIMATE", "DROP"})
  void forSquaredLossWeightTwoIsTheInstanceTwice(Limit limit) {
    Avm weighted = new Avm(ridge().maxSize(40, limit).build());
    Avm repeated = new Avm(ridge().maxSize(40, limit).build());
    for (Instance instance : Streams.regression(400, 3, 1)) {
      weighted.learn(instance.features(), instance.label(), 2);
      repeated.learn(instance.features(), instance.label());
      repeated.learn(instance.features(), instance.label());
    }
    assertThat(weighted.size()).isEqualTo(repeated.size()).isEqualTo(40);
    close(weighted, repeated, 1e-9);
  }

  @Test
  void forSquaredLossAWholeWeightIsHowOftenTheInstanceIsThere() {
    Avm weighted = new Avm(ridge().build());
    Avm repeated = new Avm(ridge().build());
    int t = 0;
    for (Instance instance : Streams.regression(400, 3, 3)) {
      int times = 1 + t++ % 4;
      weighted.learn(instance.features(), instance.label(), times);
      for (int i = 0; i < times; i++) {
        repeated.learn(instance.features(), instance.label());
      }
    }
    close(weighted, repeated, 1e-9);
  }

  /** A power of two changes no digit. */
  @Test
  void fourTimesAllWeightsAreAFourthOfThePrior() {
    Avm plain = new Avm(ridge().update(Update.newton(0.25)).build());
    Avm weighted = new Avm(ridge().update(Update.newton(1)).build());
    for (Instance instance : Streams.regression(400, 3, 4)) {
      plain.learn(instance.features(), instance.label());
      weighted.learn(instance.features(), instance.label(), 4);
      assertThat(weighted.score(instance.features())).isEqualTo(plain.score(instance.features()));
    }
  }

  static Stream<AvmOptions> classifiers() {
    return Stream.of(AvmOptions.binary(), AvmOptions.multiclass())
        .flatMap(
            task ->
                Stream.of(Loss.hinge(), Loss.smoothHinge(0.5), Loss.logistic())
                    .map(loss -> task.loss(loss).coverage(Coverage.sphere(0.6)))
                    .flatMap(
                        form ->
                            Stream.of(
                                form.update(Update.newton()).build(),
                                form.update(Update.sgd()).regularization(0.01).build())));
  }

  @ParameterizedTest
  @MethodSource("classifiers")
  void theWeightOfAnInstanceIsTheWeightOfItsClass(AvmOptions options) {
    ClassWeights ofOne = ClassWeights.of(Map.of(1.0, WEIGHT));
    Avm byClass = new Avm(options.change().classWeights(ofOne).build());
    Avm byInstance = new Avm(options);
    for (Instance instance : Streams.of(options.task(), 300, 3, 5)) {
      byClass.learn(instance.features(), instance.label());
      byInstance.learn(instance.features(), instance.label(), instance.label() == 1 ? WEIGHT : 1);
      assertThat(byInstance.score(instance.features()))
          .isEqualTo(byClass.score(instance.features()));
    }
  }

  @ParameterizedTest
  @MethodSource("classifiers")
  void weightsOfInstanceAndClassMultiply(AvmOptions options) {
    ClassWeights two = ClassWeights.of(Map.of(1.0, 2.0));
    ClassWeights eight = ClassWeights.of(Map.of(1.0, 8.0));
    Avm both = new Avm(options.change().classWeights(two).build());
    Avm one = new Avm(options.change().classWeights(eight).build());
    for (Instance instance : Streams.of(options.task(), 300, 3, 6)) {
      both.learn(instance.features(), instance.label(), instance.label() == 1 ? 4 : 1);
      one.learn(instance.features(), instance.label());
      assertThat(both.score(instance.features())).isEqualTo(one.score(instance.features()));
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.25, 1, 2, 1024})
  void bySgdTheStepIsMultiplied(double weight) {
    AvmOptions options = AvmOptions.regression().loss(Loss.absolute()).regularization(0.5).build();
    Avm plain = new Avm(options);
    Avm weighted = new Avm(options);
    plain.learn(Features.dense(1, 2), 5);
    weighted.learn(Features.dense(1, 2), 5, weight);
    Features probe = Features.dense(1.5, 2);
    assertThat(weighted.score(probe)[0]).isEqualTo(weight * plain.score(probe)[0]);
  }

  @Test
  void aClassIsCountedByTheWeightsOfItsInstances() {
    ClassCounts weighted = new ClassCounts(ClassWeights.balanced());
    ClassCounts repeated = new ClassCounts(ClassWeights.balanced());
    weighted.count(0, 2);
    weighted.count(1, 3);
    for (int c : new int[] {0, 0, 1, 1, 1}) {
      repeated.count(c, 1);
    }
    assertThat(weighted.weight(0, -1)).isEqualTo(repeated.weight(0, -1)).isEqualTo(5 / (2 * 2.0));
    assertThat(weighted.weight(1, 1)).isEqualTo(repeated.weight(1, 1)).isEqualTo(5 / (2 * 3.0));
  }

  /** What a balanced learner has counted decides how the next instance weighs. */
  @Test
  void whereClassesAreBalancedWeightTwoCountsAsTwoInstances() {
    AvmOptions options =
        AvmOptions.multiclass()
            .coverage(Coverage.sphere(0.6))
            .classWeights(ClassWeights.balanced())
            .build();
    Avm weighted = new Avm(options);
    Avm repeated = new Avm(options);
    for (Instance instance : Streams.multiclass(200, 3, 7)) {
      weighted.learn(instance.features(), instance.label(), 2);
      repeated.learn(instance.features(), instance.label());
      repeated.learn(instance.features(), instance.label());
    }
    for (double label : weighted.classes()) {
      int number = weighted.parts().state().columns.classNumber(label);
      assertThat(weighted.parts().state().counts.weight(number, label))
          .isEqualTo(repeated.parts().state().counts.weight(number, label));
    }
  }

  @Test
  void aPipelineHandsTheWeightOn() {
    AvmOptions options = AvmOptions.binary().coverage(Coverage.sphere(0.6)).build();
    Preparation pair = new Preparation(new Schema(), Scaler.none(), new Labels.Pair(3, 4));
    Pipeline pipeline = new Pipeline(pair, new Avm(options));
    Avm alone = new Avm(options);
    List<Instance> stream = Streams.binary(200, 3, 8);
    for (int t = 0; t < stream.size(); t++) {
      Instance instance = stream.get(t);
      pipeline.learn(instance.features(), instance.label() > 0 ? 4 : 3, 1 + t % 3);
      alone.learn(instance.features(), instance.label(), 1 + t % 3);
      assertThat(pipeline.score(instance.features())).isEqualTo(alone.score(instance.features()));
    }
  }
}
