package org.avm4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.avm4j.data.Instance;
import org.avm4j.math.SplitMix;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NewtonTest {
  private static AvmOptions.Builder squared() {
    return AvmOptions.regression().coverage(Coverage.sphere(0.8)).update(Update.newton(0.3));
  }

  private static Avm learned(AvmOptions options, List<Instance> stream) {
    Avm avm = new Avm(options);
    stream.forEach(instance -> avm.learn(instance.features(), instance.label()));
    return avm;
  }

  /** Ridge regression on the core points, where a k_t is 0 for those that came after x_t. */
  private static double[] closedForm(AvmModel model, List<Instance> stream, double prior) {
    int n = model.size();
    double[][] a = new double[n][n];
    double[] b = new double[n];
    int there = 0;
    for (Instance instance : stream) {
      there += there < n && instance.features().equals(model.vector(there)) ? 1 : 0;
      double[] k = new double[n];
      for (int j = 0; j < there; j++) {
        k[j] = kernel(model, instance.features(), j);
      }
      for (int i = 0; i < n; i++) {
        b[i] += k[i] * instance.label();
        for (int j = 0; j < n; j++) {
          a[i][j] += k[i] * k[j];
        }
      }
    }
    for (int i = 0; i < n; i++) {
      a[i][i] += prior;
    }
    return Dense.solve(a, b);
  }

  private static double kernel(AvmModel model, Features x, int j) {
    double squares = 0;
    for (int i = 0; i < 3; i++) {
      squares += Math.pow((float) x.get(i) - model.vector(j).get(i), 2);
    }
    return model.provenance().options().kernel().of(squares);
  }

  @ParameterizedTest
  @ValueSource(ints = {40, 700, 5000})
  void forSquaredLossTheCoefficientsAreTheClosedForm(int length) {
    List<Instance> stream = Dense.floats(Streams.regression(length, 3, 4));
    AvmModel model = learned(squared().build(), stream).snapshot();
    double[] expected = closedForm(model, stream, 0.3);
    for (int j = 0; j < model.size(); j++) {
      assertThat(model.coefficient(0, j)).isCloseTo(expected[j], within(1e-5));
    }
  }

  @Test
  void itBeatsSgdAtTheSameSize() {
    for (AvmOptions.Builder form :
        List.of(AvmOptions.binary(), AvmOptions.multiclass(), AvmOptions.regression())) {
      AvmOptions sgd = form.coverage(Coverage.sphere(0.8)).regularization(0.001).build();
      AvmOptions newton = sgd.change().update(Update.newton()).build();
      List<Instance> stream = Streams.of(sgd.task(), 3000, 3, 1);
      assertThat(loss(learned(newton, stream))).isLessThan(0.9 * loss(learned(sgd, stream)));
    }
  }

  private static double loss(Avm avm) {
    double sum = 0;
    for (Instance instance : Streams.of(avm.options().task(), 1000, 3, 2)) {
      double answer = avm.predict(instance.features());
      sum += Math.min(1, Math.pow(answer - instance.label(), 2));
    }
    return sum;
  }

  @Test
  void thePriorMatters() {
    List<Instance> stream = Streams.binary(300, 3, 1);
    AvmOptions.Builder form = AvmOptions.binary().coverage(Coverage.sphere(0.5));
    Features probe = Features.dense(0.5, 0.5, 0);
    double weak = learned(form.update(Update.newton(1e-3)).build(), stream).score(probe)[0];
    double strong = learned(form.update(Update.newton(1e3)).build(), stream).score(probe)[0];
    assertThat(Math.abs(strong)).isLessThan(0.5 * Math.abs(weak));
  }

  @Test
  void atTheCapNothingIsLost() {
    AvmOptions options =
        squared().coverage(Coverage.sphere(0.1)).maxSize(40, Limit.APPROXIMATE).build();
    List<Instance> stream = Dense.floats(Streams.regression(2000, 3, 4));
    AvmModel model = learned(options, stream).snapshot();
    double[] expected = closedForm(model, stream, 0.3);
    assertThat(model.size()).isEqualTo(40);
    for (int j = 0; j < model.size(); j++) {
      assertThat(model.coefficient(0, j)).isCloseTo(expected[j], within(1e-5));
    }
  }

  /** Most kernel values are below the neglected part of the largest here, down to exp(-700). */
  @Test
  void whatIsNeglectedChangesNothing() {
    AvmOptions options = squared().kernel(Kernel.gaussian(90)).build();
    List<Instance> stream = Dense.floats(Streams.regression(1000, 3, 4));
    AvmModel model = learned(options, stream).snapshot();
    double[] expected = closedForm(model, stream, 0.3);
    for (int j = 0; j < model.size(); j++) {
      assertThat(model.coefficient(0, j)).isCloseTo(expected[j], within(1e-5));
    }
  }

  @Test
  void aConfidentMarginCostsNothing() {
    Avm avm = new Avm(AvmOptions.binary().update(Update.newton()).build());
    Features x = Features.dense(1, 1);
    while (avm.score(x)[0] < 1) {
      avm.learn(x, 1);
      avm.learn(x, 1);
      avm.learn(Features.dense(2, 2), 1);
    }
    double before = avm.score(x)[0];
    avm.learn(x, 1);
    assertThat(avm.score(x)[0]).isEqualTo(before);
  }

  /** Nine core points that the kernel keeps apart, then instances anywhere between them. */
  private static List<Instance> line(int n, long seed) {
    SplitMix random = new SplitMix(seed);
    List<Instance> stream = new ArrayList<>();
    for (int t = 0; t < n; t++) {
      double x = t < 9 ? 6 * t : 6 * random.nextInt(9) + 6 * random.getAsDouble() - 3;
      stream.add(new Instance(Features.dense(x), Math.sin(x) + 0.1 * random.getAsDouble()));
    }
    return stream;
  }

  @Test
  void forSquaredLossAMergeIsToHaveLearnedBothParts() {
    AvmOptions options =
        squared().kernel(Kernel.gaussian(0.5)).coverage(Coverage.sphere(8)).build();
    Avm joint = learned(options, line(900, 1));
    line(1500, 2).forEach(instance -> joint.learn(instance.features(), instance.label()));
    Avm merged = learned(options, line(900, 1));
    merged.merge(learned(options, line(1500, 2)));
    assertThat(merged.size()).isEqualTo(9);
    assertThat(merged.instances()).isEqualTo(2400);
    for (int j = 0; j < 9; j++) {
      assertThat(merged.snapshot().coefficient(0, j))
          .isCloseTo(joint.snapshot().coefficient(0, j), within(1e-6));
    }
  }

  @Test
  void mergedClassifiersKnowWhatEitherKnew() {
    for (AvmOptions.Builder form : List.of(AvmOptions.binary(), AvmOptions.multiclass())) {
      AvmOptions options = form.coverage(Coverage.sphere(0.5)).update(Update.newton()).build();
      Avm one = learned(options, Streams.of(options.task(), 1500, 3, 5));
      double alone = loss(one);
      one.merge(learned(options, Streams.of(options.task(), 1500, 3, 6)));
      assertThat(loss(one)).isLessThan(1.2 * alone);
      assertThat(one.isPositiveDefinite()).isTrue();
    }
  }

  @Test
  void aLateClassIsLearnedAsIfItHadBeenDeclared() {
    AvmOptions.Builder form = AvmOptions.multiclass().update(Update.newton());
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

  @Test
  void averagesAreRefused() {
    assertThatThrownBy(() -> squared().output(Output.average()).build())
        .hasMessageContaining("only its last output: Average");
    assertThatThrownBy(() -> new Avm(squared().build()).snapshot(Output.average()))
        .hasMessageContaining("only its last output: Average");
    assertThatThrownBy(() -> Update.newton(0)).hasMessage("the prior must be > 0 and finite: 0.0");
  }

  /** Duplicates with a tiny δ and a flat kernel: every kernel matrix is singular. */
  @ParameterizedTest
  @Tag("long")
  @ValueSource(strings = {"binary", "multiclass", "regression"})
  void twoHundredThousandStepsOnASingularMatrixDoNoHarm(String task) {
    AvmOptions.Builder form =
        switch (task) {
          case "binary" -> AvmOptions.binary();
          case "multiclass" -> AvmOptions.multiclass();
          default -> AvmOptions.regression();
        };
    Avm avm =
        new Avm(
            form.kernel(Kernel.gaussian(1e-4))
                .coverage(Coverage.sphere(1e-7))
                .maxSize(24, Limit.APPROXIMATE)
                .update(Update.newton())
                .build());
    SplitMix random = new SplitMix(3);
    double[] mistakes = new double[2];
    for (int t = 0; t < 200_000; t++) {
      Features x = Features.dense(random.nextInt(4) + 1e-6 * random.nextInt(3), random.nextInt(3));
      double clean = x.get(0) > 1.5 ? 1 : -1;
      double y = random.getAsDouble() < 0.2 ? -clean : clean;
      double gap = task.equals("regression") ? Math.pow(avm.predict(x) - clean, 2) : 1;
      mistakes[t / 100_000] += task.equals("regression") || avm.predict(x) != clean ? gap : 0;
      avm.learn(x, y);
    }
    assertThat(avm.score(Features.dense(1, 1))).doesNotContain(Double.NaN);
    assertThat(avm.isPositiveDefinite()).isTrue();
    assertThat(mistakes[1]).isLessThan(1.1 * mistakes[0] + 100);
  }
}
