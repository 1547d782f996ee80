package org.avm4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.avm4j.data.Instance;
import org.avm4j.math.SplitMix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AvmTest {
  private static Avm learned(AvmOptions options, List<Instance> stream) {
    Avm avm = new Avm(options);
    stream.forEach(instance -> avm.learn(instance.features(), instance.label()));
    return avm;
  }

  private static double[] dense(Features x, int d) {
    return IntStream.range(0, d).mapToDouble(x::get).toArray();
  }

  static List<AvmOptions> forms() {
    return List.of(
        AvmOptions.binary().regularization(0.01).build(),
        AvmOptions.binary().loss(Loss.logistic()).kernel(Kernel.matern32(2)).build(),
        AvmOptions.binary().loss(Loss.smoothHinge(0.3)).coverage(Coverage.rectangle(0.9)).build(),
        AvmOptions.multiclass().task(Task.multiclass(0, 1, 2)).regularization(0.02).build(),
        AvmOptions.multiclass()
            .task(Task.multiclass(0, 1, 2))
            .loss(Loss.logistic())
            .kernel(Kernel.matern52(1))
            .build(),
        AvmOptions.regression().regularization(0.05).build(),
        AvmOptions.regression().regularization(0.001).coverage(Coverage.sphere(0.6)).build(),
        AvmOptions.regression().regularization(1.2).build(),
        AvmOptions.regression().loss(Loss.absolute()).kernel(Kernel.laplacian(1)).build(),
        AvmOptions.regression().loss(Loss.epsilonInsensitive(0.05)).build());
  }

  @ParameterizedTest
  @MethodSource("forms")
  void lazySumsAreExplicitRescaling(AvmOptions form) {
    double lambda = Math.max(0.01, form.regularization());
    AvmOptions options = form.change().regularization(lambda).output(Output.suffix(0.5)).build();
    Avm avm = new Avm(options);
    ExplicitAvm explicit = new ExplicitAvm(options, Math.max(1, avm.columns()));
    SplitMix coin = new SplitMix(11);
    int t = 0;
    for (Instance instance : Streams.of(options.task(), 256, 3, 21)) {
      boolean approximate = coin.getAsDouble() < 0.8;
      double[] x = dense(instance.features(), 3);
      explicit.learn(x, instance.label(), approximate);
      avm.observe(instance.features(), instance.label(), 1);
      avm.step(approximate);
      if (++t % 16 == 0) {
        Features probe = Features.dense(0.1, -0.2, 0.3);
        double[] p = {0.1, -0.2, 0.3};
        close(avm.snapshot(Output.last()).score(probe), explicit.score(p));
        close(avm.snapshot(Output.average()).score(probe), explicit.score(p, explicit.mean(0)));
        close(avm.score(probe), explicit.score(p, explicit.mean(t - (t + 1) / 2)));
      }
    }
    assertThat(avm.size()).isEqualTo(explicit.size());
  }

  private static void close(double[] found, double[] wanted) {
    assertThat(found).hasSameSizeAs(wanted);
    for (int c = 0; c < found.length; c++) {
      assertThat(found[c]).isCloseTo(wanted[c], within(1e-5 * (1 + Math.abs(wanted[c]))));
    }
  }

  @Test
  void betweenKeptPointsTheSuffixTakesAtMostASixtyFourthMore() {
    AvmOptions options = AvmOptions.binary().output(Output.suffix(0.5)).build();
    Avm avm = new Avm(options);
    ExplicitAvm explicit = new ExplicitAvm(options, 1);
    int t = 0;
    for (Instance instance : Streams.binary(1200, 2, 4)) {
      explicit.learn(dense(instance.features(), 2), instance.label(), true);
      avm.learn(instance.features(), instance.label());
      t++;
      if (t > 1000 && t % 50 == 37) {
        int from = t - (t + 1) / 2;
        int kept = from & -(1 << Math.max(0, 25 - Integer.numberOfLeadingZeros(from)));
        assertThat(from - kept).isBetween(0, t / 64);
        Features probe = Features.dense(0.1, -0.2);
        close(avm.score(probe), explicit.score(new double[] {0.1, -0.2}, explicit.mean(kept)));
      }
    }
  }

  @Test
  void aCoveredPointKeepsTheSize() {
    Avm avm = new Avm(AvmOptions.binary().coverage(Coverage.sphere(1)).build());
    avm.learn(Features.dense(0, 0), 1);
    avm.learn(Features.dense(0.3, 0.3), -1);
    assertThat(avm.cells()).isEqualTo(1);
    avm.learn(Features.dense(0.5, 0), -1);
    assertThat(avm.cells()).as("the ball is open").isEqualTo(2);
  }

  @Test
  void aTinyDiameterIsPlainKernelSgd() {
    List<Instance> stream = Streams.binary(300, 4, 2);
    AvmOptions tiny =
        AvmOptions.binary().coverage(Coverage.sphere(1e-9)).regularization(0.01).build();
    AvmOptions never = tiny.change().approximation(Approximation.never()).build();
    Avm covered = learned(tiny, stream);
    Avm plain = learned(never, stream);
    for (Instance instance : stream) {
      assertThat(covered.score(instance.features())).isEqualTo(plain.score(instance.features()));
    }
  }

  @Test
  void duplicatesFallIntoTheirOwnCellHoweverSmallItIs() {
    AvmOptions tiny = AvmOptions.binary().coverage(Coverage.sphere(1e-12)).build();
    List<Instance> once = Streams.sparse(100, 60, 5, 3);
    Avm avm = learned(tiny, once);
    int size = avm.size();
    once.forEach(instance -> avm.learn(instance.features(), instance.label()));
    assertThat(avm.size()).isEqualTo(size);
    List<Instance> dense = Streams.binary(100, 3, 3);
    Avm other = learned(tiny, dense);
    dense.forEach(instance -> other.learn(instance.features(), instance.label()));
    assertThat(other.size()).isEqualTo(100);
  }

  @Test
  void fewEntriesFarFromTheOriginKeepTheirDistances() {
    Avm avm = new Avm(AvmOptions.binary().coverage(Coverage.sphere(1)).build());
    int[] index = {0, 30};
    avm.learn(Features.sparse(index, new double[] {10_000, 5}), 1);
    double k = avm.score(Features.sparse(index, new double[] {10_000, 6}))[0];
    double one = avm.score(Features.sparse(index, new double[] {10_000, 5}))[0];
    assertThat(k / one).isCloseTo(Math.exp(-1), within(1e-6));
  }

  static List<UnaryOperator<AvmOptions.Builder>> changes() {
    return List.of(
        b -> b.kernel(Kernel.gaussian(1.7)),
        b -> b.kernel(Kernel.laplacian(1)),
        b -> b.coverage(Coverage.sphere(0.3)),
        b -> b.coverage(Coverage.rectangle(0.9)),
        b -> b.loss(Loss.logistic()),
        b -> b.loss(Loss.smoothHinge(0.5)),
        b -> b.approximation(Approximation.never()),
        b -> b.approximation(Approximation.decaying(5, 0.6)),
        b -> b.approximation(Approximation.whenConfident()),
        b -> b.output(Output.average()),
        b -> b.output(Output.suffix(0.3)),
        b -> b.regularization(0.03),
        b -> b.maxSize(5, Limit.APPROXIMATE));
  }

  @ParameterizedTest
  @MethodSource("changes")
  void everyOptionMatters(UnaryOperator<AvmOptions.Builder> change) {
    List<Instance> stream = Streams.binary(300, 2, 1);
    AvmOptions base = AvmOptions.binary().regularization(0.01).build();
    AvmOptions changed = change.apply(base.change()).build();
    Features probe = Features.dense(0.2, -0.3);
    assertThat(learned(changed, stream).score(probe))
        .isNotEqualTo(learned(base, stream).score(probe));
  }

  @Test
  void theSmallParametersMatterToo() {
    List<Instance> stream = Streams.regression(300, 2, 1);
    AvmOptions base = AvmOptions.regression().regularization(1e-4).build();
    differ(base, base.change().yMax(0.01).build(), stream);
    AvmOptions epsilon = base.change().loss(Loss.epsilonInsensitive(0.1)).build();
    differ(epsilon, base.change().loss(Loss.epsilonInsensitive(0.2)).build(), stream);
    AvmOptions capped = base.change().maxSize(5, Limit.APPROXIMATE).build();
    differ(capped, base.change().maxSize(5, Limit.DROP).build(), stream);
    AvmOptions tau = AvmOptions.binary().loss(Loss.smoothHinge(0.5)).regularization(0.1).build();
    AvmOptions wide = tau.change().loss(Loss.smoothHinge(1)).build();
    differ(tau, wide, Streams.binary(300, 2, 1));
    AvmOptions drawn = AvmOptions.binary().approximation(Approximation.decaying(5, 0.6)).build();
    differ(drawn, drawn.change().seed(2).build(), Streams.binary(300, 2, 1));
    AvmOptions slower = drawn.change().approximation(Approximation.decaying(5, 0.9)).build();
    differ(drawn, slower, Streams.binary(300, 2, 1));
  }

  private static void differ(AvmOptions one, AvmOptions other, List<Instance> stream) {
    Features probe = Features.dense(0.2, -0.3);
    assertThat(learned(one, stream).score(probe)).isNotEqualTo(learned(other, stream).score(probe));
  }

  @Test
  void classesMayAppearAtAnyTime() {
    Avm avm = new Avm(AvmOptions.multiclass().build());
    assertThat(avm.predict(Features.dense(1))).isNaN();
    avm.learn(Features.dense(1), 7);
    assertThat(avm.classes()).containsExactly(7);
    assertThat(avm.predict(Features.dense(-5))).isEqualTo(7);
    avm.learn(Features.dense(-3), 2.5);
    avm.learn(Features.dense(-3), 2.5);
    avm.learn(Features.dense(5), -1);
    assertThat(avm.classes()).containsExactly(-1, 2.5, 7);
    assertThat(avm.predict(Features.dense(-3))).isEqualTo(2.5);
    assertThat(avm.score(Features.dense(-3))).hasSize(3);
    assertThat(avm.snapshot().classes()).containsExactly(-1, 2.5, 7);
  }

  /** One instance of each class first; with no loss there, declaring changes nothing. */
  @Test
  void onceAllClassesHaveAppearedDeclaringThemMakesNoDifference() {
    AvmOptions open = AvmOptions.multiclass().regularization(0.1).build();
    AvmOptions closed = open.change().task(Task.multiclass(2, 1, 0)).build();
    Avm appearing = new Avm(open);
    Avm declared = new Avm(closed);
    appearing.learn(Features.dense(90, 90), 2);
    declared.learn(Features.dense(90, 90), 2);
    for (Instance instance : Streams.multiclass(400, 2, 3)) {
      appearing.learn(instance.features(), instance.label());
      declared.learn(instance.features(), instance.label());
    }
    assertThat(appearing.classes()).containsExactly(declared.classes());
    assertThat(appearing.cells()).isEqualTo(declared.cells());
    double[] far = declared.score(Features.dense(90, 90));
    assertThat(far[2]).as("only the declared one had a rival there").isNotZero();
    assertThat(appearing.score(Features.dense(90, 90))[2]).isCloseTo(0, within(1e-30));
  }

  @Test
  void featuresMayAppearAtAnyTime() {
    Avm avm = new Avm(AvmOptions.binary().build());
    avm.learn(Features.dense(1), 1);
    avm.learn(Features.dense(1, 0, 0, 3), -1);
    assertThat(avm.dimension()).isEqualTo(4);
    assertThat(avm.predict(Features.dense(1, 0, 0, 3))).isEqualTo(-1);
    assertThat(avm.predict(Features.sparse(new int[] {100_000}, new double[] {9}))).isIn(-1.0, 1.0);
  }

  @Test
  void aScoreOfZeroPredictsPlusOne() {
    assertThat(new Avm(AvmOptions.binary().build()).predict(Features.dense(1))).isEqualTo(1);
  }

  @Test
  void theCapSaysWhatItDid() {
    List<Instance> stream = Streams.binary(500, 3, 2);
    AvmOptions.Builder builder = AvmOptions.binary().coverage(Coverage.sphere(0.2));
    Avm near = learned(builder.maxSize(20, Limit.APPROXIMATE).build(), stream);
    Avm drop = learned(builder.maxSize(20, Limit.DROP).build(), stream);
    Avm free = learned(builder.maxSize(0, Limit.DROP).build(), stream);
    assertThat(near.size()).isEqualTo(20);
    assertThat(drop.size()).isEqualTo(20);
    assertThat(near.status().atLimit()).isPositive();
    assertThat(drop.status().atLimit()).isPositive();
    assertThat(free.status().atLimit()).isZero();
    assertThat(near.provenance().atLimit()).isEqualTo(near.status().atLimit());
  }

  @Test
  void theNormNeverLeavesTheBall() {
    AvmOptions options = AvmOptions.regression().regularization(0.002).build();
    Avm avm = new Avm(options);
    double yMax = 0;
    double largest = 0;
    for (Instance instance : Streams.regression(400, 2, 8)) {
      yMax = Math.max(yMax, Math.abs(instance.label()));
      avm.learn(instance.features(), instance.label());
      double part = norm(avm.snapshot()) * Math.sqrt(0.002) / yMax;
      largest = Math.max(largest, part);
      assertThat(part).isLessThanOrEqualTo(1.0001);
    }
    assertThat(largest).as("the ball is reached").isGreaterThan(0.999);
  }

  /** ‖w‖ from all pairs of vectors. */
  static double norm(AvmModel model) {
    double sum = 0;
    for (int i = 0; i < model.size(); i++) {
      double[] w = new double[1];
      model.score(model.vector(i), w);
      sum += model.coefficient(0, i) * w[0];
    }
    return Math.sqrt(Math.max(0, sum));
  }

  @Test
  void aModelServesManyThreadsWhileTheLearnerGoesOn() {
    List<Instance> stream = Streams.binary(500, 3, 2);
    Avm avm = learned(AvmOptions.binary().coverage(Coverage.sphere(0.5)).build(), stream);
    AvmModel model = avm.snapshot();
    double[] alone = stream.stream().mapToDouble(i -> model.score(i.features())[0]).toArray();
    Thread learner =
        new Thread(
            () -> Streams.binary(20_000, 3, 3).forEach(i -> avm.learn(i.features(), i.label())));
    learner.start();
    for (int round = 0; round < 50; round++) {
      double[] together =
          stream.parallelStream().mapToDouble(i -> model.score(i.features())[0]).toArray();
      assertThat(together).containsExactly(alone);
    }
    learner.interrupt();
  }

  @Test
  void nonsenseIsRefusedWithRuleAndValue() {
    refused(() -> AvmOptions.binary().regularization(0).build(), "lambda must be > 0", "0.0");
    refused(() -> AvmOptions.binary().regularization(Double.NaN).build(), "lambda", "NaN");
    refused(() -> Coverage.sphere(-0.1), "delta must be > 0 and finite: -0.1");
    refused(() -> Coverage.rectangle(Double.POSITIVE_INFINITY), "delta", "Infinity");
    refused(() -> Approximation.decaying(-1, 1), "beta must be >= 0", "-1.0");
    refused(() -> Approximation.decaying(1, 0), "rho must be > 0", "0.0");
    refused(() -> Output.suffix(1), "the suffix must be > 0 and < 1: 1.0");
    refused(() -> AvmOptions.binary().maxSize(-1, Limit.DROP).build(), "size cap", "-1");
    refused(() -> AvmOptions.regression().yMax(-1).build(), "y-max must be >= 0", "-1.0");
    refused(() -> AvmOptions.binary().loss(Loss.squared()).build(), "must fit the task");
    refused(
        () -> AvmOptions.regression().approximation(Approximation.whenConfident()).build(),
        "when confident needs classes");
    refused(() -> Task.multiclass(1, Double.NaN), "a class label must be a finite number: NaN");
    Avm avm = new Avm(AvmOptions.binary().build());
    refused(() -> avm.learn(Features.dense(1), 0), "a binary label must be -1 or +1: 0.0");
    refused(() -> Features.dense(1, Double.NaN), "finite number: NaN at index 1");
    refused(() -> Features.sparse(new int[] {3, 3}, new double[] {1, 1}), "must ascend: 3 after 3");
    refused(() -> Features.sparse(new int[] {-1}, new double[] {1}), "not be negative: -1");
    refused(() -> Features.sparse(new int[] {1}, new double[] {}), "1 and 0");
    refused(
        () -> Features.sparse(new int[] {Integer.MAX_VALUE}, new double[] {1}), "must be below");
    refused(() -> avm.snapshot(Output.suffix(0.5)), "at most as long as that of the options");
  }

  private static void refused(ThrowingCallable call, String... parts) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(parts);
  }
}
