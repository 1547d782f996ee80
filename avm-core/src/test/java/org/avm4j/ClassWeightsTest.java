package org.avm4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.avm4j.batch.BatchNewton;
import org.avm4j.data.Instance;
import org.avm4j.math.SplitMix;
import org.avm4j.step.ClassCounts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClassWeightsTest {
  private static Avm learned(AvmOptions options, List<Instance> stream) {
    Avm avm = new Avm(options);
    stream.forEach(instance -> avm.learn(instance.features(), instance.label()));
    return avm;
  }

  /** Two bells that overlap; one in twenty is of the rare class. */
  private static List<Instance> rare(int n, double common, double rare, long seed) {
    SplitMix random = new SplitMix(seed);
    List<Instance> stream = new ArrayList<>();
    for (int t = 0; t < n; t++) {
      boolean isRare = random.getAsDouble() < 0.05;
      double x = random.getAsDouble() + random.getAsDouble() + (isRare ? 0.7 : 0);
      stream.add(new Instance(Features.dense(x, random.getAsDouble()), isRare ? rare : common));
    }
    return stream;
  }

  private static double recall(Predictor predictor, List<Instance> stream, double label) {
    double found = 0;
    double all = 0;
    for (Instance instance : stream) {
      if (instance.label() == label) {
        all++;
        found += predictor.predict(instance.features()) == label ? 1 : 0;
      }
    }
    return found / all;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theRareClassIsFoundMoreOften(boolean isSecondOrder) {
    for (AvmOptions.Builder form : List.of(AvmOptions.binary(), AvmOptions.multiclass())) {
      form.update(isSecondOrder ? Update.newton() : Update.sgd())
          .regularization(0.01)
          .coverage(Coverage.sphere(0.3));
      List<Instance> stream = rare(6000, -1, 1, 3);
      List<Instance> test = rare(2000, -1, 1, 4);
      double even = recall(learned(form.build(), stream), test, 1);
      form.classWeights(ClassWeights.of(Map.of(1.0, 15.0)));
      double weighted = recall(learned(form.build(), stream), test, 1);
      form.classWeights(ClassWeights.balanced());
      double balanced = recall(learned(form.build(), stream), test, 1);
      assertThat(even).isLessThan(0.4);
      assertThat(weighted).isGreaterThan(even + 0.3);
      assertThat(balanced).isGreaterThan(even + 0.3);
    }
  }

  private static AvmModel batch(AvmOptions options, List<Instance> rows) {
    double[] labels = rows.stream().mapToDouble(Instance::label).toArray();
    return BatchNewton.train(options, rows.stream().map(Instance::features).toList(), labels, 30);
  }

  @Test
  void theRareClassIsFoundMoreOftenInABatch() {
    AvmOptions.Builder form =
        AvmOptions.binary().update(Update.newton()).coverage(Coverage.sphere(0.3));
    List<Instance> stream = rare(3000, -1, 1, 3);
    List<Instance> test = rare(2000, -1, 1, 4);
    double even = recall(batch(form.build(), stream), test, 1);
    form.classWeights(ClassWeights.balanced());
    assertThat(recall(batch(form.build(), stream), test, 1)).isGreaterThan(even + 0.3);
  }

  /** In a batch weight 3 is to have the instances of that class three times. */
  @Test
  void inABatchAWeightIsHowOftenAnInstanceIsThere() {
    AvmOptions.Builder form =
        AvmOptions.binary().update(Update.newton()).coverage(Coverage.sphere(0.4));
    List<Instance> stream = rare(500, -1, 1, 5);
    List<Instance> often = new ArrayList<>();
    for (Instance instance : stream) {
      for (int n = 0; n < (instance.label() > 0 ? 3 : 1); n++) {
        often.add(instance);
      }
    }
    AvmModel repeated = batch(form.build(), often);
    form.classWeights(ClassWeights.of(Map.of(1.0, 3.0)));
    AvmModel weighted = batch(form.build(), stream);
    for (Instance instance : rare(50, -1, 1, 6)) {
      assertThat(weighted.score(instance.features())[0])
          .isCloseTo(repeated.score(instance.features())[0], within(0.01));
    }
  }

  @ParameterizedTest
  @MethodSource("org.avm4j.AvmTest#forms")
  void bySgdTheGradientIsMultiplied(AvmOptions form) {
    if (form.task().isRegression()) {
      return;
    }
    AvmOptions options =
        form.change()
            .regularization(0.01)
            .classWeights(ClassWeights.of(Map.of(1.0, 2.5, 0.0, 0.5)))
            .build();
    Avm avm = new Avm(options);
    ExplicitAvm explicit = new ExplicitAvm(options, Math.max(1, avm.columns()));
    for (Instance instance : Streams.of(options.task(), 300, 3, 21)) {
      Features x = instance.features();
      double[] row = {x.get(0), x.get(1), x.get(2)};
      double[] expected = explicit.score(row);
      assertThat(avm.score(x)).containsExactly(expected, within(1e-4));
      explicit.learn(row, instance.label(), true);
      avm.learn(x, instance.label());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void allWeightsTimesFourAreAFourthOfTheRegularization(boolean isSecondOrder) {
    ClassWeights four = ClassWeights.of(Map.of(-1.0, 4.0, 1.0, 4.0));
    AvmOptions.Builder form = AvmOptions.binary().coverage(Coverage.sphere(0.5));
    List<Instance> stream = Streams.binary(2000, 3, 5);
    Features probe = Features.dense(0.3, 0.2, 0.1);
    form.regularization(0.01).update(isSecondOrder ? Update.newton(0.25) : Update.sgd());
    double[] weak = learned(form.build(), stream).score(probe);
    form.regularization(0.04).update(isSecondOrder ? Update.newton(1) : Update.sgd());
    assertThat(learned(form.classWeights(four).build(), stream).score(probe)).isEqualTo(weak);
  }

  /**
   * Squared hinge below the margin puts the same parabola each time, and the instance of step t
   * weighs t: learned in steps 1 and 2 it weighs 3.
   */
  @Test
  void weightThreeInOneStepIsToLearnInTheFirstTwoSteps() {
    AvmOptions.Builder form = AvmOptions.binary().update(Update.newton(100));
    Features x = Features.dense(0.5);
    Avm twice = new Avm(form.build());
    twice.learn(x, 1);
    twice.learn(x, 1);
    Avm once = new Avm(form.classWeights(ClassWeights.of(Map.of(1.0, 3.0))).build());
    once.learn(x, 1);
    assertThat(once.score(x)[0]).isCloseTo(3 / 103.0, within(1e-12));
    assertThat(twice.score(x)[0]).isCloseTo(once.score(x)[0], within(1e-12));
  }

  @Test
  void balancedWeightsFollowTheCounts() {
    ClassCounts counts = new ClassCounts(ClassWeights.balanced());
    counts.count(1, 1);
    assertThat(counts.weight(1, 1)).isEqualTo(1);
    counts.count(0, 1);
    assertThat(counts.weight(0, -1)).isEqualTo(1);
    counts.count(0, 1);
    counts.count(0, 1);
    assertThat(counts.weight(0, -1)).isCloseTo(4 / (2 * 3.0), within(1e-15));
    counts.discount(0.5);
    counts.count(1, 1);
    assertThat(counts.weight(1, 1)).isCloseTo(3 / (2 * 1.5), within(1e-15));
  }

  @Test
  void nonsenseIsRefused() {
    assertThatThrownBy(() -> ClassWeights.of(Map.of(1.0, 0.0)))
        .hasMessage("a class weight must be > 0 and finite: 0.0");
    assertThatThrownBy(() -> ClassWeights.of(Map.of(1.0, 1e16)))
        .hasMessage("a class weight must be at most 1.0E15: 1.0E16");
    assertThatThrownBy(() -> new ClassWeights(Map.of(1.0, 2.0), true))
        .hasMessageContaining("not both");
    assertThatThrownBy(() -> AvmOptions.regression().classWeights(ClassWeights.balanced()).build())
        .hasMessageContaining("class weights need classes");
  }
}
