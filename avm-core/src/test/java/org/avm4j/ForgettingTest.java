package org.avm4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.avm4j.batch.BatchNewton;
import org.avm4j.data.Instance;
import org.avm4j.internal.Cholesky;
import org.avm4j.math.SplitMix;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ForgettingTest {
  private static AvmOptions.Builder newton(AvmOptions.Builder form, long horizon) {
    return form.update(Update.newton(0.3)).forgetting(Forgetting.horizon(horizon));
  }

  private static Avm learned(AvmOptions options, List<Instance> stream) {
    Avm avm = new Avm(options);
    stream.forEach(instance -> avm.learn(instance.features(), instance.label()));
    return avm;
  }

  @ParameterizedTest
  @MethodSource("org.avm4j.AvmTest#forms")
  void bySgdTheStepIsThePapersWithTheMemoryInPlaceOfT(AvmOptions form) {
    AvmOptions options =
        form.change()
            .regularization(Math.max(0.05, form.regularization()))
            .forgetting(Forgetting.horizon(25))
            .build();
    Avm avm = new Avm(options);
    ExplicitAvm explicit = new ExplicitAvm(options, Math.max(1, avm.columns()));
    for (Instance instance : Streams.of(options.task(), 500, 3, 21)) {
      Features x = instance.features();
      double[] row = {x.get(0), x.get(1), x.get(2)};
      double[] expected = explicit.score(row);
      double[] found = avm.score(x);
      for (int c = 0; c < expected.length; c++) {
        assertThat(found[c]).isCloseTo(expected[c], within(2e-4 * (1 + Math.abs(expected[c]))));
      }
      explicit.learn(row, instance.label(), true);
      avm.observe(x, instance.label(), 1);
      avm.step(true);
    }
  }

  /** Nine core points that the kernel keeps apart, then instances between them that change. */
  private static List<Instance> line(int n, long seed) {
    SplitMix random = new SplitMix(seed);
    List<Instance> stream = new ArrayList<>();
    for (int t = 0; t < n; t++) {
      double x = t < 9 ? 6 * t : 6 * random.nextInt(9) + 5 * random.getAsDouble() - 2.5;
      double y = Math.sin(x + 0.001 * t) + 0.1 * random.getAsDouble();
      stream.add(new Instance(Features.dense((float) x), y));
    }
    return stream;
  }

  private static AvmOptions onTheLine(long horizon) {
    return newton(AvmOptions.regression(), horizon)
        .kernel(Kernel.gaussian(0.5))
        .coverage(Coverage.sphere(8))
        .build();
  }

  /** β from its definition: (prior I + Σ ρ^(T-t) k kᵀ)⁻¹ Σ ρ^(T-t) y k, faded from m > H on. */
  private static double[] closedForm(List<Instance> stream, long horizon, double prior) {
    double[][] a = new double[9][9];
    double[] b = new double[9];
    for (int t = 0; t < stream.size(); t++) {
      double[] k = new double[9];
      for (int j = 0; j < Math.min(9, t + 1); j++) {
        k[j] = Math.exp(-0.5 * Math.pow(stream.get(t).features().get(0) - 6 * j, 2));
      }
      double part = t + 1 > horizon ? 1 - 1.0 / horizon : 1;
      for (int i = 0; i < 9; i++) {
        b[i] = part * b[i] + stream.get(t).label() * k[i];
        for (int j = 0; j < 9; j++) {
          a[i][j] = part * a[i][j] + k[i] * k[j];
        }
      }
    }
    for (int j = 0; j < 9; j++) {
      a[j][j] += prior;
    }
    Cholesky.factor(a, 9);
    Cholesky.solve(a, b, 9);
    return b;
  }

  /** 50,000 steps of horizon 50 are 1,440 bits of fading: more than a double could hold. */
  @ParameterizedTest
  @CsvSource({"40,100", "500,100", "3000,400", "50000,50"})
  void forSquaredLossTheCoefficientsAreTheClosedForm(int length, long horizon) {
    List<Instance> stream = line(length, 4);
    Avm avm = learned(onTheLine(horizon), stream);
    assertThat(avm.size()).isEqualTo(9);
    avm.merge(new Avm(avm.options())); // fills the prior up to its full strength
    double[] expected = closedForm(stream, horizon, 0.3);
    for (int j = 0; j < 9; j++) {
      assertThat(avm.snapshot().coefficient(0, j)).isCloseTo(expected[j], within(1e-6));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {30, 1000})
  void betweenTwoRenewalsThePriorFadesALittleAtMost(long horizon) {
    List<Instance> stream = line(4000, 5);
    Avm avm = learned(onTheLine(horizon), stream);
    double[] full = closedForm(stream, horizon, 0.3);
    double[] faded = closedForm(stream, horizon, 0.05);
    for (int j = 0; j < 9; j++) {
      double slack = 1.1 * Math.abs(full[j] - faded[j]) + 1e-6;
      assertThat(avm.snapshot().coefficient(0, j)).isCloseTo(full[j], within(slack));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"sgd", "newton"})
  void aHorizonThatIsNeverReachedChangesNoDigit(String update) {
    AvmOptions.Builder form = AvmOptions.regression().regularization(0.01);
    if (update.equals("newton")) {
      form.update(Update.newton());
    }
    List<Instance> stream = Streams.regression(300, 3, 7);
    Features probe = Features.dense(0.1, 0.2, 0.3);
    double[] ever = learned(form.build(), stream).score(probe);
    form.forgetting(Forgetting.horizon(301));
    assertThat(learned(form.build(), stream).score(probe)).isEqualTo(ever);
  }

  /** One label in five is wrong when it is learned, so that a margin must be earned. */
  private static double mistakes(Avm avm, List<Instance> stream, double sign) {
    SplitMix coin = new SplitMix(17);
    double mistakes = 0;
    for (Instance instance : stream) {
      double label = sign * instance.label();
      mistakes += avm.predict(instance.features()) == label ? 0 : 1;
      avm.learn(instance.features(), coin.getAsDouble() < 0.2 ? -label : label);
    }
    return mistakes / stream.size();
  }

  @ParameterizedTest
  @Tag("long")
  @ValueSource(strings = {"sgd", "newton"})
  void whoForgetsFollowsAStreamThatTurnsOver(String update) {
    AvmOptions.Builder form =
        AvmOptions.binary().coverage(Coverage.sphere(0.6)).regularization(0.01);
    if (update.equals("newton")) {
      form.update(Update.newton());
    }
    Avm stubborn = new Avm(form.build());
    Avm forgetful = new Avm(form.forgetting(Forgetting.horizon(500)).build());
    mistakes(stubborn, Streams.binary(20_000, 2, 1), 1);
    mistakes(forgetful, Streams.binary(20_000, 2, 1), 1);
    mistakes(stubborn, Streams.binary(1000, 2, 2), -1);
    mistakes(forgetful, Streams.binary(1000, 2, 2), -1);
    double forgot = mistakes(forgetful, Streams.binary(1000, 2, 3), -1);
    assertThat(forgot).isLessThan(0.15);
    assertThat(mistakes(stubborn, Streams.binary(1000, 2, 3), -1)).isGreaterThan(2 * forgot);
  }

  /** A cloud that walks away, one unit in 100 instances. */
  private static Instance walking(int t, Task task, SplitMix random) {
    double x = 0.01 * t + random.getAsDouble();
    double y = 2 * random.getAsDouble() - 1;
    double label = task.isRegression() ? y + Math.sin(x) : y > 0 ? 1 : -1;
    return new Instance(Features.dense(x, y), label);
  }

  @ParameterizedTest
  @Tag("long")
  @ValueSource(booleans = {true, false})
  void corePointsThatNobodyMeetsAreReleased(boolean isSecondOrder) {
    for (AvmOptions.Builder form :
        List.of(AvmOptions.binary(), AvmOptions.multiclass(), AvmOptions.regression())) {
      AvmOptions options =
          form.update(isSecondOrder ? Update.newton() : Update.sgd())
              .coverage(Coverage.sphere(0.7))
              .kernel(Kernel.gaussian(2))
              .forgetting(Forgetting.horizon(200))
              .maxSize(300, Limit.APPROXIMATE)
              .build();
      Avm avm = new Avm(options);
      SplitMix random = new SplitMix(8);
      for (int t = 0; t < 20_000; t++) {
        Instance next = walking(t, options.task(), random);
        avm.learn(next.features(), next.label());
        assertThat(avm.score(next.features())[0]).isFinite();
      }
      assertThat(avm.status().atLimit()).isZero();
      assertThat(avm.size()).isBetween(10, 300);
      assertThat(avm.cells()).isEqualTo(avm.size());
      assertThat(avm.snapshot().vector(0).get(0)).isGreaterThan(150);
      assertThat(avm.isPositiveDefinite()).isTrue();
    }
  }

  @Test
  void whatIsReleasedLeavesTheOthersAsTheyWere() {
    AvmOptions options =
        newton(AvmOptions.regression(), 50)
            .kernel(Kernel.gaussian(0.5))
            .coverage(Coverage.sphere(8))
            .build();
    Avm avm = learned(options, line(300, 1));
    Avm alone = new Avm(options);
    for (Instance instance : line(4000, 2)) {
      double x = instance.features().get(0) % 20;
      if (Math.abs(x - 6 * Math.rint(x / 6)) < 2) {
        avm.learn(Features.dense(x), instance.label());
        alone.learn(Features.dense(x), instance.label());
      }
    }
    assertThat(avm.size()).isEqualTo(alone.size()).isLessThan(6);
    assertThat(avm.score(Features.dense(6.5))[0])
        .isCloseTo(alone.score(Features.dense(6.5))[0], within(0.02));
  }

  @Test
  void aMergeAddsUpTheMemoriesAndTheNextStepShortensThem() {
    for (Update update : List.of(Update.sgd(), Update.newton())) {
      AvmOptions options =
          AvmOptions.regression()
              .regularization(0.01)
              .kernel(Kernel.gaussian(0.5))
              .coverage(Coverage.sphere(8))
              .update(update)
              .forgetting(Forgetting.horizon(100))
              .build();
      Avm one = learned(options, line(3000, 1));
      Avm other = learned(options, line(9000, 2));
      Features probe = Features.dense(6);
      double a = one.score(probe)[0];
      double b = other.score(probe)[0];
      one.merge(other);
      assertThat(one.score(probe)[0]).isCloseTo((a + b) / 2, within(0.1 * Math.abs(a - b) + 0.02));
      line(3000, 3).forEach(instance -> one.learn(instance.features(), instance.label()));
      Avm fresh = learned(options, line(3000, 3));
      assertThat(one.score(probe)[0]).isCloseTo(fresh.score(probe)[0], within(0.01));
    }
  }

  /** Labels that turn over every 3,000 instances, one in ten wrong. */
  private static double turned(int t, double label, SplitMix coin) {
    double now = t / 3000 % 2 == 0 ? label : -label;
    return coin.getAsDouble() < 0.1 ? -now : now;
  }

  @ParameterizedTest
  @Tag("long")
  @ValueSource(booleans = {true, false})
  void aDriftIsFoundWhereTheLabelsTurnOverAndNowhereElse(boolean isSecondOrder) {
    AvmOptions options =
        AvmOptions.binary()
            .update(isSecondOrder ? Update.newton() : Update.sgd())
            .regularization(0.01)
            .coverage(Coverage.sphere(0.6))
            .forgetting(Forgetting.auto())
            .build();
    Avm avm = new Avm(options);
    SplitMix coin = new SplitMix(5);
    int late = 0;
    List<Instance> stream = Streams.binary(12_000, 2, 1);
    for (int t = 0; t < stream.size(); t++) {
      Features x = stream.get(t).features();
      double label = turned(t, stream.get(t).label(), coin);
      late += t % 3000 >= 1500 && avm.predict(x) != label ? 1 : 0;
      avm.learn(x, label);
    }
    assertThat(avm.status().drifts()).isBetween(3L, 8L);
    assertThat(avm.status().lastDrifts()).allMatch(drift -> drift.instance() % 3000 < 600);
    assertThat(avm.status().lastDrifts()).allMatch(drift -> drift.after() > drift.before());
    assertThat(avm.status().memory()).isBetween(2700.0, 3300.0);
    assertThat(late / 6000.0).isLessThan(0.2);
  }

  @Test
  void aNumberThatTurnsOverIsADriftToo() {
    Avm avm =
        new Avm(
            AvmOptions.regression().update(Update.newton()).forgetting(Forgetting.auto()).build());
    int t = 0;
    for (Instance instance : Streams.regression(6000, 2, 3)) {
      avm.learn(instance.features(), 100 * (t++ < 4000 ? 1 : -1) * instance.label());
    }
    assertThat(avm.status().drifts()).isPositive();
    assertThat(avm.status().lastDrifts().get(0).instance()).isBetween(4001L, 4100L);
    assertThat(avm.status().memory()).isBetween(2000.0, 2300.0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"binary", "multiclass", "regression"})
  void aStreamThatStaysIsLearnedAsIfNothingWereWatched(String task) {
    AvmOptions.Builder form =
        switch (task) {
          case "binary" -> AvmOptions.binary();
          case "multiclass" -> AvmOptions.multiclass();
          default -> AvmOptions.regression();
        };
    AvmOptions plain = form.update(Update.newton()).build();
    List<Instance> stream = Streams.of(plain.task(), 5000, 3, 9);
    Avm watchful = learned(form.forgetting(Forgetting.auto()).build(), stream);
    assertThat(watchful.status().drifts()).isZero();
    assertThat(watchful.status().memory()).isEqualTo(5000);
    Features probe = Features.dense(0.1, 0.2, 0.3);
    assertThat(watchful.score(probe)).isEqualTo(learned(plain, stream).score(probe));
  }

  @Test
  void nonsenseIsRefused() {
    assertThatThrownBy(() -> Forgetting.horizon(1)).hasMessageContaining("at least 2");
    assertThatThrownBy(
            () ->
                AvmOptions.binary()
                    .forgetting(Forgetting.horizon(9))
                    .output(Output.average())
                    .build())
        .hasMessageContaining("only its last output: Average");
    Avm avm = new Avm(AvmOptions.binary().forgetting(Forgetting.horizon(9)).build());
    assertThatThrownBy(() -> avm.snapshot(Output.average()))
        .hasMessageContaining("only its last output: Average");
    assertThatThrownBy(() -> new BatchNewton(onTheLine(50))).hasMessageContaining("no order");
  }
}
