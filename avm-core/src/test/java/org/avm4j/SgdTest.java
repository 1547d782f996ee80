package org.avm4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.List;
import org.avm4j.data.Instance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the sums of SGD do beside the plain step: fading, averages, files, merging, releasing. */
class SgdTest {
  private static final Features PROBE = Features.dense(0.1, -0.2, 0.3);

  static List<AvmOptions> forms() {
    return List.of(
        AvmOptions.binary().regularization(0.02).build(),
        AvmOptions.multiclass().task(Task.multiclass(0, 1, 2)).regularization(0.05).build(),
        AvmOptions.regression().regularization(0.02).build());
  }

  private static Avm learned(AvmOptions options, int n, long seed) {
    Avm avm = new Avm(options);
    learn(avm, n, seed);
    return avm;
  }

  private static void learn(Avm avm, int n, long seed) {
    Streams.of(avm.task(), n, 3, seed).forEach(row -> avm.learn(row.features(), row.label()));
  }

  private static double[] dense(Features x) {
    return new double[] {x.get(0), x.get(1), x.get(2)};
  }

  /** 2,500 steps of horizon 3 fade by 1,460 bits: more than a double could hold. */
  @ParameterizedTest
  @MethodSource("forms")
  void howeverMuchFadesTheStepIsThePapers(AvmOptions form) {
    AvmOptions options =
        form.change()
            .coverage(Coverage.sphere(1.5))
            .regularization(0.2)
            .forgetting(Forgetting.horizon(3))
            .build();
    Avm avm = new Avm(options);
    ExplicitAvm explicit = new ExplicitAvm(options, Math.max(1, avm.columns()));
    int t = 0;
    for (Instance row : Streams.of(options.task(), 2500, 3, 21)) {
      avm.observe(row.features(), row.label(), 1);
      avm.step(true);
      explicit.learn(dense(row.features()), row.label(), true);
      if (++t % 100 == 0) {
        double[] expected = explicit.score(dense(PROBE));
        assertThat(avm.score(PROBE)).containsExactly(expected, within(1e-4));
        assertThat(avm.snapshot().score(PROBE)).containsExactly(expected, within(1e-4));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("forms")
  void itGoesOnBitForBitFromAFile(AvmOptions form) throws IOException {
    for (AvmOptions options :
        List.of(
            form.change().output(Output.suffix(0.3)).build(),
            form.change().forgetting(Forgetting.horizon(20)).build(),
            form.change().coverage(Coverage.sphere(0.1)).maxSize(12, Limit.MERGE).build())) {
      Avm whole = new Avm(options);
      Avm resumed = new Avm(options);
      for (Instance row : Streams.of(options.task(), 300, 3, 5)) {
        if (whole.instances() % 37 == 0) {
          resumed = (Avm) OnlineLearner.fromBytes(resumed.toBytes());
        }
        whole.learn(row.features(), row.label());
        resumed.learn(row.features(), row.label());
        assertThat(resumed.score(row.features())).isEqualTo(whole.score(row.features()));
      }
      assertThat(resumed.toBytes()).isEqualTo(whole.toBytes());
    }
  }

  /** The last iterate, the average and the suffix, as the learner and as its model. */
  @ParameterizedTest
  @MethodSource("forms")
  void aModelAnswersAsItsLearnerByAnyOutput(AvmOptions form) {
    for (Output output : List.of(Output.last(), Output.average(), Output.suffix(0.3))) {
      AvmOptions options = form.change().output(output).build();
      assertThat(new Avm(options).score(PROBE)).containsOnly(0);
      assertThat(new Avm(options).snapshot().score(PROBE)).containsOnly(0);
      Avm avm = learned(options, 100, 3);
      assertThat(avm.snapshot().score(PROBE)).containsExactly(avm.score(PROBE), within(1e-12));
      assertThat(avm.score(PROBE)).doesNotContain(0);
    }
  }

  @Test
  void aClassThatComesLateHasNoPastInAverages() {
    AvmOptions options =
        AvmOptions.multiclass().regularization(0.05).output(Output.suffix(0.5)).build();
    Avm avm = new Avm(options);
    for (Instance row : Streams.binary(200, 3, 2)) {
      avm.learn(row.features(), row.label());
    }
    avm.learn(PROBE, 7);
    assertThat(avm.score(PROBE)[2]).as("an average before this step").isZero();
    for (int i = 0; i < 20; i++) {
      avm.learn(PROBE, 7);
    }
    assertThat(avm.score(PROBE)[2]).isPositive();
    assertThat(avm.snapshot().score(PROBE)).containsExactly(avm.score(PROBE), within(1e-12));
  }

  /** The sums of both start at different times, so a suffix is the average until it has its own. */
  @Test
  void afterAMergeASuffixStartsAnew() {
    AvmOptions options =
        AvmOptions.binary().regularization(0.02).output(Output.suffix(0.5)).build();
    Avm one = learned(options, 200, 1);
    one.merge(learned(options, 300, 2));
    assertThat(one.score(PROBE)[0])
        .isCloseTo(one.snapshot(Output.average()).score(PROBE)[0], within(1e-12));
    learn(one, 1100, 3);
    assertThat(one.score(PROBE)).isNotEqualTo(one.snapshot(Output.average()).score(PROBE));
  }

  /** Both have faded by different factors. */
  @ParameterizedTest
  @MethodSource("forms")
  void aMergeOfWhatHasFadedIsTheMean(AvmOptions form) {
    AvmOptions options =
        form.change().coverage(Coverage.sphere(1e-9)).forgetting(Forgetting.horizon(50)).build();
    Avm one = learned(options, 70, 1);
    Avm other = learned(options, 160, 2);
    double[] a = one.score(PROBE);
    double[] b = other.score(PROBE);
    one.merge(other);
    for (int c = 0; c < a.length; c++) {
      assertThat(one.score(PROBE)[c]).isCloseTo((a[c] + b[c]) / 2, within(1e-9));
    }
  }

  @ParameterizedTest
  @MethodSource("forms")
  void supportVectorsAreThoseWithACoefficient(AvmOptions form) {
    Avm avm = learned(form.change().coverage(Coverage.sphere(0.2)).build(), 400, 3);
    AvmModel model = avm.snapshot();
    int count = 0;
    for (int j = 0; j < model.size(); j++) {
      boolean isZero = true;
      for (int c = 0; c < model.columns(); c++) {
        isZero &= model.coefficient(c, j) == 0;
      }
      count += isZero ? 0 : 1;
    }
    assertThat(avm.supportVectors()).isEqualTo(count);
    if (!form.task().isRegression()) {
      assertThat(count).isLessThan(avm.size());
    }
  }

  /**
   * Two clouds so far apart that their kernel values are 0, and so small that inside they are 1.
   */
  private static Avm onClouds(AvmOptions options) {
    Avm avm = new Avm(options);
    int t = 0;
    for (Instance row : Streams.of(options.task(), 150, 3, 4)) {
      double tiny = 1e-3 * row.features().get(0);
      avm.learn(Features.dense(1000 * (t % 2) + tiny, 1e-3 * t, tiny), row.label());
      t += row.features().get(1) > 0 ? 1 : 2;
    }
    return avm;
  }

  /** What a vector was given counts as given to the one that absorbs it. */
  @ParameterizedTest
  @MethodSource("forms")
  void whereCellsMergeTheSumsOfTheirCoefficientsStay(AvmOptions form) {
    AvmOptions free =
        form.change()
            .kernel(Kernel.gaussian(1e-4))
            .loss(form.task().isRegression() ? Loss.absolute() : form.loss())
            .coverage(Coverage.sphere(1e-5))
            .output(Output.suffix(0.5))
            .build();
    Avm merging = onClouds(free.change().maxSize(9, Limit.MERGE).build());
    Avm whole = onClouds(free);
    assertThat(merging.size()).isLessThanOrEqualTo(9);
    for (Output output : List.of(Output.last(), Output.average(), Output.suffix(0.5))) {
      for (double x : new double[] {0, 1000}) {
        double[] expected = whole.snapshot(output).score(Features.dense(x));
        assertThat(merging.snapshot(output).score(Features.dense(x)))
            .containsExactly(expected, within(1e-3));
        assertThat(expected[0]).isNotZero();
      }
    }
  }

  @Test
  void whereCellsMergeTheNormIsKnown() {
    AvmOptions options =
        AvmOptions.regression()
            .regularization(0.002)
            .coverage(Coverage.sphere(0.1))
            .maxSize(8, Limit.MERGE)
            .build();
    Avm avm = new Avm(options);
    double yMax = 0;
    double largest = 0;
    for (Instance row : Streams.regression(300, 2, 8)) {
      yMax = Math.max(yMax, Math.abs(row.label()));
      avm.learn(row.features(), row.label());
      double part = AvmTest.norm(avm.snapshot()) * Math.sqrt(0.002) / yMax;
      assertThat(part).isLessThanOrEqualTo(1.001);
      largest = Math.max(largest, part);
    }
    assertThat(avm.size()).isLessThanOrEqualTo(8);
    assertThat(largest).isGreaterThan(0.999);
  }
}
