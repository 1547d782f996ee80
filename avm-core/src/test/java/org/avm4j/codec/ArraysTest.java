package org.avm4j.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Features;
import org.avm4j.OnlineLearner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes of arrays: short where most values are 0, and without loss. */
class ArraysTest {
  private static final int N = 40;

  private static double[] doubles(Consumer<Encoder> content) throws ModelFileException {
    return ModelFile.copy("array", content::accept, in -> in.doubles(N, 0));
  }

  private static float[] floats(Consumer<Encoder> content) throws ModelFileException {
    return ModelFile.copy("array", content::accept, in -> in.floats(N, N + 3));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.1, 0.45, 0.5, 0.6, 1})
  void valuesComeBackAsTheyWere(double share) throws ModelFileException {
    Random random = new Random(5);
    double[] values = new double[N];
    float[] singles = new float[N + 3];
    for (int i = 0; i < N; i++) {
      values[i] = random.nextDouble() < share ? random.nextGaussian() : 0;
      singles[i] = (float) values[i];
    }
    assertThat(doubles(out -> out.doubles(values, N))).isEqualTo(values);
    assertThat(floats(out -> out.floats(singles, N))).isEqualTo(singles);
  }

  @Test
  void minusZeroIsNotZero() throws ModelFileException {
    double[] values = new double[N];
    values[7] = -0.0;
    double[] back = doubles(out -> out.doubles(values, N));
    assertThat(1 / back[7]).isEqualTo(Double.NEGATIVE_INFINITY);
    assertThat(1 / back[8]).isEqualTo(Double.POSITIVE_INFINITY);
  }

  @Test
  void theLongFormOfEarlierBuildsIsRead() throws ModelFileException {
    double[] back =
        doubles(
            out -> {
              out.int32(N);
              IntStream.range(0, N).forEach(i -> out.float64(i == 3 ? 7 : 0));
            });
    assertThat(back).hasSize(N).startsWith(0, 0, 0, 7, 0);
  }

  @Test
  void damageIsNoticed() {
    assertThatThrownBy(() -> doubles(out -> few(out, N + 1, 1, 0)))
        .hasMessageContaining("expected 40 values: 41");
    assertThatThrownBy(() -> doubles(out -> few(out, N, N + 1, 0)))
        .hasMessageContaining("the number of values must be from 0 to 40");
    assertThatThrownBy(() -> doubles(out -> few(out, N, 1, N)))
        .hasMessageContaining("an index must be from 0 to 39");
    assertThatThrownBy(() -> doubles(out -> few(out, N, 2, 5)))
        .hasMessageContaining("indices must ascend");
    assertThatThrownBy(() -> doubles(out -> out.ints(-1 - N, 5)))
        .hasMessageContaining("a length must fit");
  }

  private static void few(Encoder out, int n, int count, int index) {
    out.ints(-1 - n, count);
    for (int k = 0; k < count; k++) {
      out.int32(index);
      out.float64(1);
    }
  }

  /** Each row has 20 features that no other row has. */
  @Test
  void aLearnerOfWideSparseRowsIsSmall() throws Exception {
    OnlineLearner learner = new Avm(AvmOptions.binary().build());
    for (int t = 0; t < 300; t++) {
      learner.learn(row(t), t % 2 == 0 ? 1 : -1);
    }
    byte[] bytes = learner.toBytes();
    assertThat(bytes.length).isLessThan(300 * 20 * 40);
    OnlineLearner back = OnlineLearner.fromBytes(bytes);
    assertThat(back.toBytes()).isEqualTo(bytes);
    assertThat(back.score(row(7))).isEqualTo(learner.score(row(7)));
  }

  private static Features row(int t) {
    int[] index = IntStream.range(0, 20).map(k -> 3000 * t + 7 * k).toArray();
    double[] value = IntStream.range(0, 20).mapToDouble(k -> 1 + k % 3).toArray();
    return Features.sparse(index, value);
  }
}
