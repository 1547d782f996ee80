package org.avm4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.avm4j.data.Instance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MergeTest {
  static List<AvmOptions> forms() {
    AvmOptions.Builder binary = AvmOptions.binary().regularization(0.01);
    return List.of(
        binary.build(),
        binary.output(Output.average()).build(),
        binary.approximation(Approximation.decaying(4, 0.5)).build(),
        AvmOptions.multiclass().coverage(Coverage.rectangle(0.8)).build(),
        AvmOptions.regression().regularization(0.001).build(),
        AvmOptions.regression().loss(Loss.absolute()).build());
  }

  private static Avm learned(AvmOptions options, int n, long seed) {
    Avm avm = new Avm(options);
    for (Instance instance : Streams.of(options.task(), n, 3, seed)) {
      avm.learn(instance.features(), instance.label());
    }
    return avm;
  }

  /** Covered points move to the core point of their cell, so cells are made to coincide. */
  private static Avm onSharedCells(AvmOptions options, int n, long seed) {
    Avm avm = new Avm(options);
    for (Instance instance : Streams.of(options.task(), n, 3, seed)) {
      Features x = instance.features();
      Features corner =
          Features.dense(2 * Math.rint(x.get(0)), 2 * Math.rint(x.get(1)), 2 * Math.rint(x.get(2)));
      avm.learn(corner, instance.label());
    }
    return avm;
  }

  @ParameterizedTest
  @MethodSource("forms")
  void onSharedCellsTheMergedModelIsTheMeanByInstances(AvmOptions options) {
    Avm one = onSharedCells(options, 300, 1);
    Avm other = onSharedCells(options, 700, 2);
    Features probe = Features.dense(2, 0, -2);
    double[] a = one.score(probe);
    double[] b = other.score(probe);
    one.merge(other);
    double[] merged = one.score(probe);
    assertThat(one.instances()).isEqualTo(1000);
    for (int c = 0; c < merged.length; c++) {
      double mean = 0.3 * a[c] + 0.7 * b[c];
      assertThat(merged[c]).isCloseTo(mean, within(1e-9 * (1 + Math.abs(mean))));
    }
  }

  @ParameterizedTest
  @MethodSource("forms")
  void aMergedLearnerLearnsOn(AvmOptions options) {
    Avm one = learned(options, 300, 1);
    one.merge(learned(options, 300, 2));
    for (Instance instance : Streams.of(options.task(), 300, 3, 3)) {
      one.learn(instance.features(), instance.label());
      for (double score : one.score(instance.features())) {
        assertThat(score).isFinite();
      }
    }
    assertThat(one.instances()).isEqualTo(900);
  }

  @Test
  void aMergeWithNothingChangesNothing() {
    Avm full = learned(forms().get(0), 300, 1);
    Features probe = Features.dense(0.1, 0.2, 0.3);
    double[] before = full.score(probe);
    full.merge(new Avm(forms().get(0)));
    assertThat(full.score(probe)).isEqualTo(before);
    Avm empty = new Avm(forms().get(0));
    empty.merge(full);
    assertThat(empty.score(probe)).isEqualTo(before);
    assertThat(empty.cells()).isEqualTo(full.cells());
  }

  @Test
  void theOthersCorePointsFallIntoTheseCells() {
    Avm one = learned(forms().get(0), 1000, 1);
    Avm other = learned(forms().get(0), 1000, 2);
    int separate = one.cells() + other.cells();
    one.merge(other);
    assertThat(one.cells()).isLessThan(separate / 2 + 10);
    assertThat(one.size()).isEqualTo(one.cells());
  }

  @Test
  void classesOfEitherAreKnownAfterwards() {
    Avm one = new Avm(AvmOptions.multiclass().build());
    Avm other = new Avm(AvmOptions.multiclass().build());
    one.learn(Features.dense(0), 5);
    one.learn(Features.dense(3), 6);
    other.learn(Features.dense(9), 1);
    other.learn(Features.dense(3), 6);
    other.learn(Features.dense(9), 1);
    one.merge(other);
    assertThat(one.classes()).containsExactly(1, 5, 6);
    assertThat(one.predict(Features.dense(9))).isEqualTo(1);
  }

  @Test
  void theCapHoldsInAMerge() {
    AvmOptions options =
        AvmOptions.binary().coverage(Coverage.sphere(0.1)).maxSize(30, Limit.DROP).build();
    Avm one = learned(options, 200, 1);
    one.merge(learned(options, 200, 2));
    assertThat(one.size()).isEqualTo(30);
    assertThat(one.status().atLimit()).isPositive();
  }

  @Test
  void theMergedModelStaysInTheBallAsItLearnsOn() {
    AvmOptions options = AvmOptions.regression().regularization(0.002).yMax(2).build();
    Avm one = learned(options, 200, 1);
    one.merge(learned(options, 200, 2));
    for (Instance instance : Streams.regression(100, 3, 3)) {
      one.learn(instance.features(), instance.label());
      assertThat(AvmTest.norm(one.snapshot())).isLessThanOrEqualTo(1.0001 * 2 / Math.sqrt(0.002));
    }
  }

  @Test
  void theSeedMayDifferButNothingElse() {
    Avm one = new Avm(AvmOptions.binary().build());
    one.merge(new Avm(AvmOptions.binary().seed(99).build()));
    assertThatThrownBy(() -> one.merge(new Avm(AvmOptions.binary().regularization(0.5).build())))
        .hasMessageContaining("must have equal options");
    assertThatThrownBy(() -> one.merge(one)).hasMessageContaining("another");
  }
}
