package org.avm4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.avm4j.data.Instance;
import org.avm4j.math.SplitMix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** f(x) = bᵀx + β₀ + Σ β_j K(x, c_j), all by one second-order step. */
class LinearPartTest {
  private static final double PRIOR = 0.3;

  private static AvmOptions.Builder squared(int linear) {
    return AvmOptions.regression()
        .coverage(Coverage.sphere(0.8))
        .update(Update.newton(PRIOR, linear));
  }

  private static Avm learned(AvmOptions options, List<Instance> stream) {
    Avm avm = new Avm(options);
    stream.forEach(instance -> avm.learn(instance.features(), instance.label()));
    return avm;
  }

  /** Ridge regression on [1, x, k(x)], where k is 0 for vectors that came after x. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 5})
  void forSquaredLossItIsRidgeRegression(int linear) {
    List<Instance> stream = Dense.floats(Streams.regression(600, 3, 4));
    Avm avm = learned(squared(linear).build(), stream);
    int n = 1 + linear + avm.size();
    double[][] a = new double[n][n];
    double[] b = new double[n];
    int there = 0;
    for (Instance instance : stream) {
      boolean isNext = there < avm.size() && isVector(avm, there, instance.features());
      there += isNext ? 1 : 0;
      Dense.add(a, b, 1, instance.label(), row(avm, instance.features(), linear, there));
    }
    for (int j = 0; j < n; j++) {
      a[j][j] += PRIOR;
    }
    double[] beta = Dense.solve(a, b);
    for (int i = 0; i <= linear; i++) {
      assertThat(avm.snapshot().linear(0)[i]).isCloseTo(beta[i], within(1e-5));
    }
    for (Instance probe : stream.subList(0, 50)) {
      double expected = Dense.dot(beta, row(avm, probe.features(), linear, avm.size()));
      assertThat(avm.score(probe.features())[0]).isCloseTo(expected, within(1e-5));
    }
  }

  private static boolean isVector(Avm avm, int j, Features x) {
    return avm.parts().state().core().vector(j).equals(x);
  }

  private static double[] row(Avm avm, Features x, int linear, int there) {
    double[] row = new double[1 + linear + avm.size()];
    row[0] = 1;
    for (int i = 0; i < linear; i++) {
      row[1 + i] = x.get(i);
    }
    System.arraycopy(Dense.kernels(avm, x, there), 0, row, 1 + linear, avm.size());
    return row;
  }

  @Test
  void aPlaneIsLearnedToTheLastDigits() {
    SplitMix random = new SplitMix(1);
    AvmOptions options =
        AvmOptions.regression()
            .coverage(Coverage.sphere(1e-9))
            .update(Update.newton(1e-6, 4))
            .maxSize(10, Limit.MERGE)
            .build();
    Avm avm = new Avm(options);
    double last = 1;
    for (int t = 0; t < 2000; t++) {
      double[] x = new double[4];
      double y = 2;
      for (int i = 0; i < 4; i++) {
        x[i] = (float) (4 * random.getAsDouble() - 2);
        y += (i - 1) * x[i];
      }
      Features row = Features.dense(x);
      last = 0.9 * last + 0.1 * Math.abs(avm.score(row)[0] - y);
      avm.learn(row, y);
    }
    assertThat(last).isLessThan(1e-5);
    assertThat(avm.isPositiveDefinite()).isTrue();
  }

  /** Features beyond those of the linear part count by the kernel alone; absent ones are 0. */
  @Test
  void itMayHaveFewerOrMoreFeaturesThanTheRows() {
    for (int linear : new int[] {0, 1, 3, 40}) {
      Avm avm = learned(squared(linear).build(), Streams.regression(300, 3, 2));
      AvmModel model = avm.snapshot();
      assertThat(model.linear(0)).hasSize(linear + 1);
      for (Features x : List.of(Features.dense(), Features.dense(1), Features.dense(1, 2, 3, 4))) {
        assertThat(avm.score(x)[0]).isFinite();
        assertThat(model.score(x)[0]).isCloseTo(avm.score(x)[0], within(1e-12));
      }
      double atZero = model.linear(0)[0];
      for (int j = 0; j < model.size(); j++) {
        double squares = Dense.dot(values(model.vector(j)), values(model.vector(j)));
        atZero += model.coefficient(0, j) * avm.options().kernel().of(squares);
      }
      assertThat(model.score(Features.dense())[0]).isCloseTo(atZero, within(1e-6));
    }
  }

  private static double[] values(Features x) {
    double[] values = new double[x.dimension()];
    for (int e = 0; e < x.count(); e++) {
      values[x.index(e)] = x.value(e);
    }
    return values;
  }

  @Test
  void withoutALinearPartThereIsNone() {
    AvmModel model = learned(squared(-1).build(), Streams.regression(30, 3, 2)).snapshot();
    assertThat(model.linear(0)).isEmpty();
    assertThat(Update.newton(PRIOR)).isEqualTo(Update.newton(PRIOR, -1));
    assertThatThrownBy(() -> Update.newton(1, -2)).hasMessageContaining("from -1 to 4096");
    assertThatThrownBy(() -> Update.newton(1, 4097)).hasMessageContaining("from -1 to 4096");
  }

  @Test
  void itGoesOnBitForBitFromFilesAndSoDoesItsModel() throws IOException {
    for (AvmOptions.Builder form :
        List.of(AvmOptions.binary(), AvmOptions.multiclass(), AvmOptions.regression())) {
      AvmOptions options =
          form.coverage(Coverage.sphere(1e-9))
              .update(Update.newton(0.1, 2))
              .maxSize(12, Limit.MERGE)
              .build();
      Avm whole = new Avm(options);
      Avm resumed = new Avm(options);
      for (Instance instance : Streams.of(options.task(), 600, 3, 3)) {
        if (whole.instances() % 37 == 0) {
          resumed = (Avm) OnlineLearner.fromBytes(resumed.toBytes());
        }
        whole.learn(instance.features(), instance.label());
        resumed.learn(instance.features(), instance.label());
      }
      assertThat(resumed.toBytes()).isEqualTo(whole.toBytes());
      AvmModel model = whole.snapshot();
      Model loaded = Model.fromBytes(model.toBytes());
      assertThat(loaded.toBytes()).isEqualTo(model.toBytes());
      for (Instance probe : Streams.of(options.task(), 20, 4, 5)) {
        double[] scores = whole.score(probe.features());
        assertThat(model.score(probe.features())).containsExactly(scores, within(1e-12));
        assertThat(loaded.score(probe.features())).isEqualTo(model.score(probe.features()));
      }
    }
  }

  /** Clusters so far apart that no kernel value is shared: all that couples them is linear. */
  private static List<Instance> line(int n, int seed) {
    SplitMix random = new SplitMix(seed);
    List<Instance> stream = new ArrayList<>();
    for (int t = 0; t < n; t++) {
      int at = t < 9 ? t : random.nextInt(9);
      double x = 10 * at;
      stream.add(new Instance(Features.dense(x), 0.1 * x + at % 3 + 0.1 * random.getAsDouble()));
    }
    return stream;
  }

  @Test
  void forSquaredLossAMergeIsToHaveLearnedBothParts() {
    AvmOptions options = squared(1).coverage(Coverage.sphere(8)).build();
    Avm joint = learned(options, line(900, 1));
    line(1500, 2).forEach(instance -> joint.learn(instance.features(), instance.label()));
    Avm merged = learned(options, line(900, 1));
    merged.merge(learned(options, line(1500, 2)));
    assertThat(merged.size()).isEqualTo(9);
    assertThat(merged.instances()).isEqualTo(2400);
    for (double x = 0; x <= 80; x += 5) {
      Features probe = Features.dense(x);
      assertThat(merged.score(probe)[0]).isCloseTo(joint.score(probe)[0], within(1e-6));
    }
    Avm empty = new Avm(options);
    empty.merge(joint);
    assertThat(empty.score(Features.dense(15))[0])
        .isCloseTo(joint.score(Features.dense(15))[0], within(1e-9));
    assertThatThrownBy(() -> merged.merge(new Avm(squared(2).coverage(Coverage.sphere(8)).build())))
        .hasMessageContaining("must have equal options");
  }

  /** A class that is new starts as the rest did, in the linear part too. */
  @Test
  void aLateClassIsLearnedAsIfItHadBeenDeclared() {
    AvmOptions.Builder form = AvmOptions.multiclass().update(Update.newton(0.1, 3));
    Avm late = new Avm(form.build());
    Avm declared = new Avm(form.task(Task.multiclass(0, 1, 7)).build());
    List<Instance> stream = new ArrayList<>(Streams.multiclass(400, 3, 2));
    stream.removeIf(instance -> instance.label() == 2);
    for (int t = 0; t < 50; t++) {
      stream.add(new Instance(Features.dense(0.1, 0.01 * t, 0), 7));
    }
    stream.forEach(instance -> declared.learn(instance.features(), instance.label()));
    stream.forEach(instance -> late.learn(instance.features(), instance.label()));
    Features probe = Features.dense(0.1, 0.2, 0);
    assertThat(late.predict(probe)).isEqualTo(7);
    assertThat(late.score(probe)).containsExactly(declared.score(probe), within(1e-6));
  }
}
