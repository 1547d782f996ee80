package org.avm4j.points;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.Stream;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Coverage;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.Limit;
import org.avm4j.Model;
import org.avm4j.OnlineLearner;
import org.avm4j.Update;
import org.avm4j.math.SplitMix;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Gradients against differences of scores. */
class GradientsTest {
  private static final double STEP = 1.0 / 256;

  static Stream<Kernel> kernels() {
    return Stream.of(
        Kernel.gaussian(0.7),
        Kernel.laplacian(0.7),
        Kernel.rationalQuadratic(0.7),
        Kernel.matern32(0.7),
        Kernel.matern52(0.7));
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void slopeIsThatOfTheKernel(Kernel kernel) {
    for (double square : new double[] {0.01, 0.3, 1, 4, 20}) {
      double difference = (kernel.of(square + 1e-6) - kernel.of(square - 1e-6)) / 2e-6;
      assertThat(kernel.slope(square)).isCloseTo(difference, within(1e-6));
    }
    assertThat(kernel.slope(0)).isFinite();
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void gradientOfAMachineIsThatOfItsScores(Kernel kernel) {
    AvmOptions options =
        AvmOptions.multiclass()
            .kernel(kernel)
            .coverage(Coverage.sphere(1e-9))
            .update(Update.newton(0.1, 2))
            .maxSize(20, Limit.MERGE)
            .build();
    Avm machine = new Avm(options);
    learn(machine, 200);
    check(machine.snapshot(), 1e-2);
  }

  private static void learn(OnlineLearner learner, int rows) {
    SplitMix random = new SplitMix(1);
    for (int t = 0; t < rows; t++) {
      Features x = row(random);
      learner.learn(x, Math.floor(2 * x.get(0) * x.get(2)));
    }
  }

  private static Features row(SplitMix random) {
    return Features.dense(
        1 + random.getAsDouble(), random.getAsDouble() - 3, 1 + random.getAsDouble());
  }

  private static void check(Model model, double tolerance) {
    SplitMix random = new SplitMix(2);
    for (int t = 0; t < 20; t++) {
      Features x = row(random);
      double[][] gradient = new double[model.columns()][3];
      ((Differentiable) model).addGradient(x, gradient);
      for (int i = 0; i < 3; i++) {
        double[] above = model.score(moved(x, i, STEP));
        double[] below = model.score(moved(x, i, -STEP));
        for (int c = 0; c < above.length; c++) {
          double difference = (above[c] - below[c]) / (2 * STEP);
          double close = tolerance * (1 + Math.abs(difference));
          assertThat(gradient[c][i]).isCloseTo(difference, within(close));
        }
      }
    }
  }

  private static Features moved(Features x, int i, double by) {
    double[] values = {x.get(0), x.get(1), x.get(2)};
    values[i] += by;
    return Features.dense(values);
  }
}
