package org.avm4j.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Random;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.junit.jupiter.api.Test;

class HistogramTest {
  private static double[] values(int n) {
    Random random = new Random(5);
    return random.doubles(n).map(u -> Math.exp(40 * u - 20) * (u < 0.2 ? -1 : 1)).toArray();
  }

  @Test
  void countsThatOverflowAreRefused() {
    Encoder out = new Encoder();
    out.int32(2);
    for (int bin = 5; bin < 7; bin++) {
      out.int32(bin);
      out.int64(Long.MAX_VALUE / 2 + 1);
    }
    assertThatThrownBy(() -> Histogram.decode(new Decoder(out.toBytes()), 7))
        .isInstanceOf(ModelFileException.class)
        .hasMessageContaining("all counts together must be below 2^63");
  }

  @Test
  void binsAscendWithTheirValues() {
    Histogram histogram = new Histogram(7);
    double[] values = values(5000);
    Arrays.sort(values);
    for (int i = 1; i < values.length; i++) {
      assertThat(histogram.bin(values[i])).isGreaterThanOrEqualTo(histogram.bin(values[i - 1]));
      double gap = Math.abs(values[i] - values[i - 1]) / Math.abs(values[i]);
      assertThat(gap > 1.0 / 64 && histogram.bin(values[i]) == histogram.bin(values[i - 1]))
          .isFalse();
    }
    assertThat(histogram.bin(-0.0)).isEqualTo(histogram.bin(0.0));
  }

  @Test
  void theTopIsWhereTheSortedValuesSay() {
    double[] values = values(5000);
    Histogram histogram = new Histogram(7);
    Arrays.stream(values).forEach(histogram::add);
    Arrays.sort(values);
    for (double part : new double[] {0.001, 0.01, 0.3, 0.9}) {
      double bound = histogram.top(part);
      double exact = values[values.length - 1 - (int) (part * values.length)];
      assertThat(bound).isBetween(exact, exact + Math.abs(exact) / 64);
      long above = Arrays.stream(values).filter(value -> value >= bound).count();
      assertThat(above).isLessThanOrEqualTo((long) (part * values.length));
    }
    assertThat(new Histogram(7).top(0.1)).isInfinite();
  }

  @Test
  void countsAddUpAndAreSaved() throws ModelFileException {
    Histogram all = new Histogram(10);
    Histogram one = new Histogram(10);
    Histogram other = new Histogram(10);
    double[] values = values(3000);
    for (int i = 0; i < values.length; i++) {
      all.add(values[i]);
      (i % 3 == 0 ? one : other).add(values[i]);
    }
    one.merge(other);
    Encoder expected = new Encoder();
    all.encode(expected);
    Encoder found = new Encoder();
    one.encode(found);
    assertThat(found.toBytes()).isEqualTo(expected.toBytes());
    Histogram loaded = Histogram.decode(new Decoder(found.toBytes()), 10);
    assertThat(loaded.total()).isEqualTo(3000);
    assertThat(loaded.top(0.25)).isEqualTo(all.top(0.25));
  }
}
