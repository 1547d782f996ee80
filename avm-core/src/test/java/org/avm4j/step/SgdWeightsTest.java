package org.avm4j.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Coverage;
import org.avm4j.Dense;
import org.avm4j.Features;
import org.avm4j.Forgetting;
import org.avm4j.Limit;
import org.avm4j.Loss;
import org.avm4j.Output;
import org.avm4j.Streams;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.points.CoreSet;
import org.junit.jupiter.api.Test;

class SgdWeightsTest {
  private static final AvmOptions OPTIONS = AvmOptions.binary().build();

  /** The weights of an empty learner, with another scale. */
  private static SgdWeights withScale(double scale) throws ModelFileException {
    Encoder out = new Encoder();
    out.int64(3);
    out.float64(scale);
    out.float64(0);
    out.float64(0);
    out.doubles(new double[0], 0);
    out.doubles(new double[0], 0);
    out.int32(0);
    Memory memory = new Memory(Forgetting.none());
    return SgdWeights.decode(new Decoder(out.toBytes()), OPTIONS, memory, new CoreSet(), 1);
  }

  @Test
  void aFileWithoutAScaleIsRefused() throws ModelFileException {
    assertThat(withScale(0.5).t()).isEqualTo(3);
    for (double scale : new double[] {0, -1}) {
      assertThatThrownBy(() -> withScale(scale)).hasMessageContaining("the scale must be > 0");
    }
  }

  @Test
  void theStrengthOfAVectorIsItsLargestCoefficient() {
    Avm avm = new Avm(AvmOptions.multiclass().coverage(Coverage.sphere(1e-9)).build());
    Streams.multiclass(60, 2, 1).forEach(row -> avm.learn(row.features(), row.label(), 3));
    Weights weights = avm.parts().state().weights;
    double all = 0;
    for (int j = 0; j < avm.size(); j++) {
      double largest = 0;
      for (int c = 0; c < 3; c++) {
        double[] column = weights.coefficients(Output.last(), c, avm.size());
        largest = Math.max(largest, Math.abs(column[j]));
      }
      assertThat(weights.strength(j)).isEqualTo(largest);
      all = Math.max(all, largest);
    }
    assertThat(weights.negligibleStrength()).isCloseTo(0.01 * all, within(1e-15)).isPositive();
  }

  @Test
  void aVectorThatIsRemovedTakesItsCoefficientsWithIt() {
    Avm avm = new Avm(AvmOptions.binary().coverage(Coverage.sphere(1e-9)).build());
    for (int i = 0; i < 3; i++) {
      avm.learn(Features.dense(9 * i), i == 1 ? 1 : -1);
    }
    Weights weights = avm.parts().state().weights;
    weights.remove(0, -1);
    assertThat(weights.coefficients(Output.last(), 0, 3)).containsExactly(1, -1, 0);
    weights.remove(0, 1);
    assertThat(weights.coefficients(Output.last(), 0, 3)).containsExactly(0, 0, 0);
  }

  /** ‖a‖² as it is kept in a file. */
  private static double keptNorm(Avm avm) throws ModelFileException {
    Encoder out = new Encoder();
    avm.parts().state().weights.encode(out);
    Decoder in = new Decoder(out.toBytes());
    in.int64();
    in.float64();
    in.float64();
    return in.float64();
  }

  private static void normIsThatOfTheCoefficients(Avm avm) throws ModelFileException {
    double[] a = avm.parts().state().weights.coefficients(Output.last(), 0, avm.size());
    double sum = 0;
    for (int j = 0; j < a.length; j++) {
      double[] k = Dense.kernels(avm, avm.parts().state().core().vector(j), a.length);
      sum += a[j] * Dense.dot(a, k);
    }
    assertThat(keptNorm(avm)).isPositive().isCloseTo(sum, within(1e-3 * sum));
  }

  private static AvmOptions.Builder projecting() {
    return AvmOptions.regression().regularization(0.02).coverage(Coverage.sphere(0.4));
  }

  private static Avm learned(AvmOptions options, long seed) {
    Avm avm = new Avm(options);
    Streams.regression(150, 2, seed).forEach(row -> avm.learn(row.features(), row.label()));
    return avm;
  }

  @Test
  void theNormThatIsKeptIsThatOfTheCoefficients() throws ModelFileException {
    List<AvmOptions> forms =
        List.of(
            projecting().build(),
            projecting().forgetting(Forgetting.horizon(20)).build(),
            projecting().maxSize(9, Limit.MERGE).build());
    for (AvmOptions options : forms) {
      Avm avm = learned(options, 1);
      normIsThatOfTheCoefficients(avm);
      avm.merge(learned(options, 2));
      normIsThatOfTheCoefficients(avm);
    }
    assertThat(keptNorm(learned(projecting().loss(Loss.absolute()).build(), 1))).isZero();
  }
}
