package org.avm4j.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.IntStream;
import org.avm4j.Features;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.table.Scaling;
import org.junit.jupiter.api.Test;

class MetricMatrixTest {
  private static final double[][] MAP = {{3, 1, 0}, {-0.5, 2, 0.25}, {0, 0, 1}};
  private static final Features X = Features.dense(1, -2, 0.5);
  private static final Features Y = Features.dense(0.5, 4, -3);
  private static final Features Z = Features.sparse(new int[] {1}, new double[] {1});

  private static Features map(Features x) {
    double[] mapped = new double[3];
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) {
        mapped[i] += MAP[i][j] * x.get(j);
      }
    }
    return Features.dense(mapped);
  }

  private static double distance(Features a, Features b) {
    return Math.sqrt(
        IntStream.range(0, 3).mapToDouble(i -> Math.pow(a.get(i) - b.get(i), 2)).sum());
  }

  private static double ratio(Scaler scaler, Features a, Features b) {
    return distance(scaler.apply(a), scaler.apply(b)) / distance(map(a), map(b));
  }

  @Test
  void distancesAreThoseOfTheMappedRows() {
    Scaler scaler = Scaler.none().weighted(Metric.of(MAP));
    double ratio = ratio(scaler, X, Y);
    assertThat(ratio(scaler, X, Z)).isCloseTo(ratio, within(1e-12));
    assertThat(ratio(scaler, Y, Z)).isCloseTo(ratio, within(1e-12));
  }

  @Test
  void aRowIsScaledFirst() {
    Scaler unit = Scaler.of(Scaling.UNIT, new double[] {0.5, 2, 1}, new double[] {0, 1, -1});
    Metric metric = Metric.of(MAP);
    Features mapped = unit.weighted(metric).apply(X);
    Features scaled = unit.apply(X);
    for (int i = 0; i < 3; i++) {
      double[] row = metric.row(i);
      double sum = IntStream.range(0, 3).mapToDouble(j -> row[j] * scaled.get(j)).sum();
      assertThat(mapped.get(i)).isCloseTo(sum, within(1e-12));
    }
    Features back = unit.weighted(metric).inverse(mapped);
    assertThat(distance(back, X)).isLessThan(1e-9);
  }

  @Test
  void theColumnsTellHowMuchFeaturesCount() {
    Metric diagonal = Metric.of(new double[][] {{2, 0}, {0, 1}});
    assertThat(diagonal.isMatrix()).isTrue();
    assertThat(List.of(diagonal.weight(0), diagonal.weight(1), diagonal.weight(2)))
        .containsExactly(1.0, 0.5, 0.0);
    assertThat(Metric.of(new double[2][2])).isEqualTo(Metric.NONE);
  }

  @Test
  void noDirectionIsLost() {
    Metric flat = Metric.of(new double[][] {{1, 1}, {1, 1}});
    Scaler scaler = Scaler.none().weighted(flat);
    Features x = Features.dense(3, -1);
    assertThat(distance(scaler.inverse(scaler.apply(x)), x)).isLessThan(1e-9);
  }

  @Test
  void aPointOfFloatsComesBackRounded() {
    Scaler scaler =
        Scaler.of(Scaling.STANDARD, new double[] {0.01, 2}, new double[] {-20.2, 0})
            .weighted(Metric.of(new double[][] {{1, 1}, {1, 1}}));
    Features mapped = scaler.apply(Features.dense(2023, 0));
    Features floats = Features.dense((float) mapped.get(0), (float) mapped.get(1));
    Features back = scaler.inverse(floats);
    assertThat(back.get(0)).isCloseTo(2023, within(0.1));
    assertThat(back.get(1)).isZero();
  }

  @Test
  void anyFiniteSquareMapWillDo() {
    double[][] huge = {{1e200, 0}, {0, 1e200}};
    assertThat(Metric.of(huge)).isEqualTo(Metric.of(new double[][] {{1, 0}, {0, 1}}));
    assertThat(Metric.of(new double[0][0])).isEqualTo(Metric.NONE);
    for (double[][] bad :
        List.of(new double[2][3], new double[513][513], new double[][] {{Double.NaN}})) {
      assertThatThrownBy(() -> Metric.of(bad)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void noRowIsTooFarToBeLearned() {
    Scaler scaler = Scaler.of(Scaling.UNIT, new double[] {1e9, 1e9}, new double[2]);
    Scaler mapped = scaler.weighted(Metric.of(new double[][] {{1, 0.4}, {0.4, 0.2}}));
    Features far = mapped.apply(Features.dense(1e15, -1e15));
    assertThat(Math.abs(far.get(0))).isBetween(1e3, 1e4);
    assertThat(Math.abs(far.get(1))).isBetween(1e3, 1e4);
  }

  @Test
  void stepsFollowEachOther() {
    Metric steps = Metric.of(1, 0.5, 0.25).mapped(MAP).weighted(1, 0.5, 1);
    double[][] all = new double[3][3];
    double[][] first = new double[3][3];
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) {
        first[i][j] = MAP[i][j] * Math.pow(0.5, j);
      }
    }
    Metric mapped = Metric.of(first);
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) {
        all[i][j] = mapped.row(i)[j] * (i == 1 ? 0.5 : 1);
      }
    }
    Metric whole = Metric.of(all);
    for (int i = 0; i < 3; i++) {
      assertThat(steps.row(i)).containsExactly(whole.row(i), within(1e-12));
    }
  }

  @Test
  void aMatrixIsSavedAndRead() throws ModelFileException {
    for (Metric metric : List.of(Metric.of(MAP), Metric.of(1, 0.5), Metric.NONE)) {
      Encoder out = new Encoder();
      metric.encode(out);
      assertThat(Metric.decode(new Decoder(out.toBytes()))).isEqualTo(metric);
    }
  }

  @Test
  void aMatrixThatIsNoneIsRefused() {
    refused("a matrix must have a feature");
    refused("a matrix must be symmetric", new double[] {1, 0.5}, new double[] {0, 1});
    refused("the eigenvalues", new double[] {0.5, 0.5}, new double[] {0.5, 0.5});
    refused("the eigenvalues", new double[] {-1});
    refused("an entry", new double[] {1e300});
  }

  private static void refused(String why, double[]... matrix) {
    Encoder out = new Encoder();
    out.section(
        "matrix",
        section -> {
          section.int32(matrix.length);
          for (double[] row : matrix) {
            section.doubles(row, row.length);
          }
        });
    assertThatThrownBy(() -> Metric.decode(new Decoder(out.toBytes())))
        .isInstanceOf(ModelFileException.class)
        .hasMessageContaining(why);
  }
}
