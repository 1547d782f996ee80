package org.avm4j.lab.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.Streams;
import org.avm4j.Task;
import org.avm4j.data.Instance;
import org.avm4j.math.SplitMix;
import org.avm4j.math.Vectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sines and feature maps against their definitions. */
class LinearAlgebraTest {
  @Test
  void sinesAndCosinesAreThoseOfTheLibrary() {
    SplitMix random = new SplitMix(1);
    for (double size : new double[] {1e-9, 1, 3.2, 100, 1e6}) {
      double[] x = new double[1001];
      Arrays.setAll(x, i -> size * (2 * random.getAsDouble() - 1));
      double[] sines = new double[x.length];
      double[] cosines = new double[x.length];
      SineCosine.of(x.clone(), sines, cosines, x.length, 0.5);
      for (int i = 0; i < x.length; i++) {
        double tolerance = 1e-12 + 1e-15 * size;
        assertThat(sines[i]).isCloseTo(0.5 * Math.sin(x[i]), within(tolerance));
        assertThat(cosines[i]).isCloseTo(0.5 * Math.cos(x[i]), within(tolerance));
      }
    }
  }

  @Test
  void hugeArgumentsStillGiveSines() {
    double[] x = {1e15, -1e15, 1e300, 0, -1e8};
    double[] sines = new double[5];
    double[] cosines = new double[5];
    SineCosine.of(x, sines, cosines, 5, 1);
    for (int i = 0; i < 5; i++) {
      assertThat(sines[i] * sines[i] + cosines[i] * cosines[i]).isCloseTo(1, within(1e-9));
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.01, 0.5, 4})
  void manyRandomFeaturesAreTheKernel(double gamma) {
    int d = 20_000;
    RandomFeatures map = new RandomFeatures(gamma, d, 1 / Math.sqrt(d), 7);
    Kernel kernel = Kernel.gaussian(gamma);
    List<Instance> rows = Streams.binary(60, 6, 3);
    double[][] z = new double[rows.size()][2 * d];
    for (int i = 0; i < z.length; i++) {
      map.apply(rows.get(i).features(), z[i]);
    }
    double squares = 0;
    for (int i = 0; i < z.length; i++) {
      for (int j = 0; j < z.length; j++) {
        double exact = kernel.of(distance(rows.get(i).features(), rows.get(j).features()));
        squares += Math.pow(Vectors.dot(z[i], z[j], 2 * d) - exact, 2);
      }
    }
    assertThat(Math.sqrt(squares / (z.length * z.length))).isLessThan(0.01);
  }

  private static double distance(Features x, Features z) {
    double sum = 0;
    for (int i = 0; i < Math.max(x.dimension(), z.dimension()); i++) {
      sum += Math.pow(x.get(i) - z.get(i), 2);
    }
    return sum;
  }

  @Test
  void theToolboxesFeaturesAreLongerByTheRootOfTheirNumber() {
    double[] scaled = new double[100];
    double[] plain = new double[100];
    new RandomFeatures(1, 50, 1 / Math.sqrt(50), 1).apply(Features.dense(1, 2), scaled);
    new RandomFeatures(1, 50, 1, 1).apply(Features.dense(1, 2), plain);
    assertThat(plain[17]).isCloseTo(scaled[17] * Math.sqrt(50), within(1e-14));
    assertThat(Vectors.dot(scaled, scaled, 100)).isCloseTo(1, within(1e-12));
  }

  @Test
  void theOrderInWhichFeaturesAppearDoesNotMatter() {
    RandomFeatures upwards = new RandomFeatures(1, 9, 1, 5);
    RandomFeatures downwards = new RandomFeatures(1, 9, 1, 5);
    double[] z = new double[18];
    double[] other = new double[18];
    downwards.apply(Features.dense(0, 0, 0, 1), other);
    for (Features x : List.of(Features.dense(1, 2), Features.dense(0, 0, 3, 4))) {
      upwards.apply(x, z);
      downwards.apply(x, other);
      assertThat(other).isEqualTo(z);
    }
  }

  @Test
  void aNystromMapOfFullRankIsExactOnItsVectors() {
    Expansion f = new Expansion(Kernel.gaussian(1), 1);
    for (Instance instance : Streams.of(Task.binary(), 20, 3, 1)) {
      f.measure(instance.features());
      f.add(new LabelStep(0, -1, 1, 0, 1));
    }
    double[][] k = f.matrix();
    Nystrom map = Nystrom.of(k, 20);
    double[][] z = new double[20][map.size()];
    for (int i = 0; i < 20; i++) {
      map.apply(k[i], z[i]);
    }
    for (int i = 0; i < 20; i++) {
      for (int j = 0; j < 20; j++) {
        double product = Vectors.dot(z[i], z[j], map.size());
        assertThat(product).isCloseTo(k[i][j], within(1e-6));
      }
    }
  }

  @Test
  void ofVectorsThatAreAllAlikeOneFeatureIsLeft() {
    double[][] ones = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
    assertThat(Nystrom.of(ones, 3).size()).isEqualTo(1);
  }
}
