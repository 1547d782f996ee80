package org.avm4j.newton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import org.avm4j.Avm;
import org.avm4j.AvmModel;
import org.avm4j.AvmOptions;
import org.avm4j.Coverage;
import org.avm4j.Dense;
import org.avm4j.Features;
import org.avm4j.Forgetting;
import org.avm4j.Kernel;
import org.avm4j.Limit;
import org.avm4j.Loss;
import org.avm4j.OnlineLearner;
import org.avm4j.Streams;
import org.avm4j.Update;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;
import org.avm4j.math.SplitMix;
import org.avm4j.step.Weights;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class NewtonWeightsTest {
  private static final double PRIOR = 0.3;

  private static AvmOptions.Builder squared(int linear) {
    return AvmOptions.regression()
        .kernel(Kernel.gaussian(0.7))
        .coverage(Coverage.sphere(1e-9))
        .update(Update.newton(PRIOR, linear));
  }

  private static void learn(Avm avm, List<Instance> rows) {
    rows.forEach(row -> avm.learn(row.features(), row.label()));
  }

  private static Avm learned(AvmOptions options, int n, long seed) {
    Avm avm = new Avm(options);
    learn(avm, Streams.of(options.task(), n, 3, seed));
    return avm;
  }

  private static List<Instance> probes(Avm avm) {
    return Streams.of(avm.task(), 20, 3, 99);
  }

  private static void answersAs(Avm avm, Avm other, double tolerance) {
    for (Instance probe : probes(avm)) {
      double[] expected = other.score(probe.features());
      assertThat(avm.score(probe.features())).containsExactly(expected, within(tolerance));
    }
  }

  static List<AvmOptions> sums() {
    return List.of(
        squared(-1).build(),
        squared(1).build(),
        squared(-1).maxSize(500, Limit.MERGE).build(),
        squared(2).maxSize(500, Limit.MERGE).build(),
        squared(-1).maxSize(12, Limit.MERGE).build(),
        squared(2).maxSize(12, Limit.MERGE).build());
  }

  /** A merge computes them afresh from the sums. */
  @ParameterizedTest
  @MethodSource("sums")
  void theCoefficientsAreTheMinimumOfTheSumsAtAllTimes(AvmOptions options) {
    Avm avm = new Avm(options);
    int t = 0;
    for (Instance row : Streams.regression(100, 3, 1)) {
      avm.learn(row.features(), row.label());
      if (++t % 9 == 0) {
        Avm afresh = avm.copy();
        afresh.merge(new Avm(options));
        answersAs(afresh, avm, 1e-6);
      }
    }
  }

  /** Where cells may merge, a vector that is new gets nearly the history it would have had. */
  @Test
  void aNewVectorIsNearlyAsIfItHadAlwaysBeenThere() {
    List<Instance> rows = Dense.floats(Streams.regression(80, 3, 1));
    Avm near = new Avm(squared(-1).maxSize(500, Limit.MERGE).build());
    Avm without = new Avm(squared(-1).maxSize(500, Limit.APPROXIMATE).build());
    learn(near, rows);
    learn(without, rows);
    int n = near.size();
    double[][] a = new double[n][n];
    double[] b = new double[n];
    for (Instance row : rows) {
      Dense.add(a, b, 1, row.label(), Dense.kernels(near, row.features(), n));
    }
    for (int j = 0; j < n; j++) {
      a[j][j] += PRIOR;
    }
    double[] beta = Dense.solve(a, b);
    double ofNear = 0;
    double ofWithout = 0;
    for (Instance probe : probes(near)) {
      double expected = Dense.dot(beta, Dense.kernels(near, probe.features(), n));
      ofNear += Math.abs(near.score(probe.features())[0] - expected);
      ofWithout += Math.abs(without.score(probe.features())[0] - expected);
    }
    assertThat(ofNear).isLessThan(0.5 * ofWithout);
  }

  @Test
  void anEmptyLearnerThatTakesAnotherInGoesOnAsTheOther() {
    for (AvmOptions options : List.of(squared(-1).build(), squared(1).build())) {
      Avm full = learned(options, 40, 1);
      Avm empty = new Avm(options);
      empty.merge(full);
      answersAs(empty, full, 1e-6);
      learn(full, Streams.regression(15, 3, 2));
      learn(empty, Streams.regression(15, 3, 2));
      answersAs(empty, full, 1e-6);
    }
  }

  @Test
  void afterAMergeTheNextInstanceWeighsAsTheNextOfAll() {
    AvmOptions options = AvmOptions.binary().update(Update.newton(PRIOR)).build();
    Avm one = learned(options, 30, 1);
    one.merge(learned(options, 50, 2));
    assertThat(one.parts().state().weights.negligibleStrength())
        .isCloseTo(80 * PRIOR, within(1e-9));
  }

  /** As it is kept in a file. */
  private static double typical(Avm avm) throws ModelFileException {
    Encoder out = new Encoder();
    avm.parts().state().weights.encode(out);
    Decoder in = new Decoder(out.toBytes());
    in.int64();
    in.float64();
    in.float64();
    return in.float64();
  }

  @Test
  void theTypicalResidualOfTwoIsTheirMean() throws ModelFileException {
    AvmOptions options = squared(-1).loss(Loss.absolute()).build();
    Avm one = learned(options, 30, 1);
    Avm other = learned(options, 60, 2);
    double expected = (typical(one) + 4 * typical(other)) / 5;
    one.merge(other);
    assertThat(typical(one)).isCloseTo(expected, within(1e-12)).isPositive();
  }

  /** The other has seen that nothing there was of a class that it does not know. */
  @Test
  void aClassThatOnlyOneKnowsIsOfTheRestInTheOther() {
    AvmOptions options = AvmOptions.multiclass().update(Update.newton(PRIOR)).build();
    Avm one = new Avm(options);
    Avm other = new Avm(options);
    for (int i = 0; i < 20; i++) {
      one.learn(Features.dense(0), 0);
      one.learn(Features.dense(9), 1);
      one.learn(Features.dense(18), 2);
      other.learn(Features.dense(27), 0);
      other.learn(Features.dense(36), 1);
    }
    one.merge(other);
    double[] there = one.score(Features.dense(27));
    assertThat(there[0]).isGreaterThan(0.5);
    assertThat(there[1]).isLessThan(-0.5);
    assertThat(there[2]).isLessThan(-0.5);
    assertThat(one.predict(Features.dense(18))).isEqualTo(2);
  }

  /** β is the minimum of the same sums without the vector; the last one takes its place. */
  @Test
  void aVectorThatIsRemovedLeavesTheMinimumOverTheOthers() {
    Avm avm = new Avm(squared(-1).coverage(Coverage.sphere(1.2)).build());
    List<Instance> rows = Dense.floats(Streams.regression(60, 2, 3));
    int[] there = new int[60];
    for (int t = 0; t < 60; t++) {
      avm.learn(rows.get(t).features(), rows.get(t).label());
      there[t] = avm.size();
    }
    int n = avm.size();
    double[][] a = new double[n - 1][n - 1];
    double[] b = new double[n - 1];
    for (int t = 0; t < 60; t++) {
      double[] k = Dense.kernels(avm, rows.get(t).features(), there[t]);
      k[1] = k[n - 1];
      Dense.add(a, b, 1, rows.get(t).label(), Arrays.copyOf(k, n - 1));
    }
    for (int j = 0; j < n - 1; j++) {
      a[j][j] += PRIOR;
    }
    Weights weights = avm.parts().state().weights;
    weights.remove(1, -1);
    double[] expected = Dense.solve(a, b);
    assertThat(weights.coefficients(avm.options().output(), 0, n - 1))
        .containsExactly(expected, within(1e-5));
  }

  /** Rows beyond the margin teach nothing, but what was learned fades by a bit with each. */
  @Test
  void howeverMuchFadesItLearnsOn() {
    AvmOptions options =
        AvmOptions.binary().update(Update.newton(0.01)).forgetting(Forgetting.horizon(2)).build();
    Avm avm = new Avm(options);
    Features x = Features.dense(1, 1);
    for (int t = 0; t < 100 && avm.score(x)[0] < 1; t++) {
      avm.learn(x, 1);
      avm.learn(Features.dense(1.6, 1.6), 1);
    }
    for (int t = 0; t < 3000; t++) {
      avm.learn(x, 1);
    }
    for (int t = 0; t < 20; t++) {
      avm.learn(x, -1);
    }
    assertThat(avm.score(x)[0]).isNegative();
  }

  @Test
  void supportVectorsAreThoseWithACoefficient() {
    AvmOptions options =
        AvmOptions.multiclass()
            .kernel(Kernel.gaussian(5))
            .coverage(Coverage.sphere(0.3))
            .update(Update.newton())
            .build();
    Avm avm = new Avm(options);
    SplitMix random = new SplitMix(1);
    for (int t = 0; t < 200; t++) {
      double x = random.getAsDouble();
      avm.learn(Features.dense(x, 0.01 * random.getAsDouble()), x > 0.5 ? 1 : 0);
    }
    avm.learn(Features.dense(100), 0);
    AvmModel model = avm.snapshot();
    int count = 0;
    for (int j = 0; j < model.size(); j++) {
      count += model.coefficient(0, j) != 0 || model.coefficient(1, j) != 0 ? 1 : 0;
    }
    assertThat(avm.supportVectors()).isEqualTo(count).isPositive();
  }

  @Test
  void theStrengthOfAVectorIsHowMuchWasSeenThere() {
    Avm avm = new Avm(squared(1).build());
    Features often = Features.dense(0);
    Features seldom = Features.dense(50);
    avm.learn(often, 1);
    avm.learn(seldom, 1);
    Weights weights = avm.parts().state().weights;
    assertThat(weights.negligibleStrength()).isEqualTo(PRIOR);
    double before = weights.strength(0);
    for (int t = 0; t < 50; t++) {
      avm.learn(often, 1);
    }
    assertThat(weights.strength(0)).isGreaterThan(before + 10);
    assertThat(weights.strength(0)).isGreaterThan(10 * weights.strength(1));
    assertThat(weights.strength(1)).isPositive();
  }

  /** Rows that the model answers exactly, until all is computed afresh from the sums. */
  @Test
  void aWarmStartHasTheSumsOfItsModel() {
    AvmOptions options = squared(0).coverage(Coverage.sphere(0.8)).build();
    AvmModel model = learned(options, 60, 1).snapshot();
    Avm warm = Avm.from(model, options);
    for (Instance probe : probes(warm)) {
      warm.learn(probe.features(), model.score(probe.features())[0]);
    }
    Avm afresh = warm.copy();
    afresh.merge(new Avm(options));
    for (Instance probe : probes(warm)) {
      double expected = model.score(probe.features())[0];
      assertThat(warm.score(probe.features())[0]).isCloseTo(expected, within(1e-6));
      assertThat(afresh.score(probe.features())[0]).isCloseTo(expected, within(1e-6));
    }
  }

  /** An instance at each vector was its share of what was seen. */
  @Test
  void aWarmStartIsAsSureAsAnInstanceAtEachVectorMakesIt() {
    AvmOptions options = squared(0).kernel(Kernel.gaussian(9)).build();
    Avm once = new Avm(options);
    for (int i = 0; i < 8; i++) {
      once.learn(Features.dense(20 * i), i % 3);
    }
    Avm warm = Avm.from(once.snapshot(), options);
    once.learn(Features.dense(40), 7);
    warm.learn(Features.dense(40), 7);
    assertThat(warm.score(Features.dense(40))[0])
        .isCloseTo(once.score(Features.dense(40))[0], within(0.02));
  }

  @Test
  void aFileWithAHistoryAndALinearPartIsRefused() {
    Avm avm = new Avm(squared(0).maxSize(20, Limit.MERGE).build());
    avm.parts().rememberExactly();
    byte[] bytes = avm.toBytes();
    assertThatThrownBy(() -> OnlineLearner.fromBytes(bytes))
        .hasMessageContaining("a history must have no linear part: 1");
  }
}
