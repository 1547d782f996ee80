package org.avm4j.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.avm4j.Features;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.table.Scaling;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ScalerTest {
  private static final List<Features> ROWS =
      List.of(
          Features.dense(2, -1, 5, 0, 1),
          Features.dense(4, 0, 5, 0, 0),
          Features.dense(3, 3, 5, 0, 0));

  private static Scaler fitted(Scaling scaling) {
    ScalerFit fit = new ScalerFit(scaling);
    ROWS.forEach(fit::observe);
    return fit.scaler();
  }

  @Test
  void unitIsFromZeroToOne() {
    assertThat(fitted(Scaling.UNIT).apply(ROWS.get(0)).copy())
        .isEqualTo(Features.dense(0, 0, 0, 0, 1));
    assertThat(fitted(Scaling.UNIT).apply(ROWS.get(1)).copy())
        .isEqualTo(Features.dense(1, 0.25, 0, 0, 0));
  }

  @Test
  void symmetricIsFromMinusOneToOne() {
    assertThat(fitted(Scaling.SYMMETRIC).apply(ROWS.get(2)).copy())
        .isEqualTo(Features.dense(0, 1, 0, 0, -1));
  }

  @Test
  void standardHasMeanZeroAndDeviationOne() {
    Scaler scaler = fitted(Scaling.STANDARD);
    double[] sums = new double[5];
    double[] squares = new double[5];
    for (Features row : ROWS) {
      Features scaled = scaler.apply(row);
      for (int i = 0; i < 5; i++) {
        sums[i] += scaled.get(i);
        squares[i] += scaled.get(i) * scaled.get(i);
      }
    }
    for (int i : new int[] {0, 1, 4}) {
      assertThat(sums[i]).isCloseTo(0, within(1e-12));
      assertThat(squares[i]).isCloseTo(3, within(1e-12));
    }
  }

  @Test
  void aConstantOrUnseenFeatureIsLeftOut() {
    Features wide = Features.dense(3, 3, 77, 88, 1, 99);
    assertThat(fitted(Scaling.UNIT).apply(wide).copy()).isEqualTo(Features.dense(0.5, 1, 0, 0, 1));
  }

  @Test
  void whatLiesOutsideTheRangeGoesBeyond() {
    assertThat(fitted(Scaling.UNIT).apply(Features.dense(6)).get(0)).isEqualTo(2);
  }

  @Test
  void noneChangesNothing() {
    assertThat(fitted(Scaling.NONE).apply(ROWS.get(0))).isSameAs(ROWS.get(0));
  }

  @Test
  void theMapStaysWhateverIsObservedLater() {
    ScalerFit fit = new ScalerFit(Scaling.SYMMETRIC);
    ROWS.forEach(fit::observe);
    Scaler scaler = fit.scaler();
    Features before = scaler.apply(ROWS.get(1));
    fit.observe(Features.dense(-50, 100, 7, 3, 2, 9));
    assertThat(scaler.apply(ROWS.get(1))).isEqualTo(before);
    assertThat(fit.scaler().apply(ROWS.get(1))).isNotEqualTo(before);
  }

  @Test
  void aSavedMapIsTheMap() throws ModelFileException {
    Scaler scaler = fitted(Scaling.SYMMETRIC);
    Features before = scaler.apply(ROWS.get(1)).copy();
    Encoder out = new Encoder();
    scaler.encode(out);
    Scaler loaded = Scaler.decode(new Decoder(out.toBytes()));
    assertThat(loaded.apply(ROWS.get(1)).copy()).isEqualTo(before);
    assertThat(loaded.scaling()).isEqualTo(Scaling.SYMMETRIC);
  }

  @ParameterizedTest
  @EnumSource(names = {"UNIT", "SYMMETRIC", "STANDARD"})
  void aLoneOutlierIsSetAsideAndTwoAreNot(Scaling scaling) {
    ScalerFit plain = new ScalerFit(scaling);
    ScalerFit lone = new ScalerFit(scaling);
    ScalerFit two = new ScalerFit(scaling);
    for (int i = 0; i < 50; i++) {
      for (ScalerFit fit : List.of(plain, lone, two)) {
        fit.observe(Features.dense(1 + i % 7));
      }
      if (i == 20 || i == 40) {
        two.observe(Features.dense(1e9));
      }
    }
    lone.observe(Features.dense(-1e12));
    assertThat(lone.scaler().factor(0)).isEqualTo(plain.scaler().factor(0));
    assertThat(lone.scaler().shift(0)).isEqualTo(plain.scaler().shift(0));
    assertThat(two.scaler().factor(0)).isLessThan(1e-6 * plain.scaler().factor(0));
  }
}
