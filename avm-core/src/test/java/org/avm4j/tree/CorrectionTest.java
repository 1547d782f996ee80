package org.avm4j.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.avm4j.Loss;
import org.avm4j.internal.Columns;
import org.junit.jupiter.api.Test;

class CorrectionTest {
  private static Correction ofNumbers() {
    return new Correction(Loss.squared(), Columns.single());
  }

  private static Correction ofClasses() {
    return new Correction(Loss.hinge(), Columns.perClass(List.of(4.0, 7.0)));
  }

  private static Correction measured(Correction correction, double[] from, double[] to, double y) {
    correction.measure(from, to, from.length, 0, y);
    return correction;
  }

  private static double[] sums(Correction correction) {
    return new double[] {correction.before, correction.after, correction.num, correction.den};
  }

  @Test
  void ofANumberTheBestFactorIsWhatWasMissing() {
    Correction part = measured(ofNumbers(), new double[] {1}, new double[] {3}, 4);
    assertThat(sums(part)).containsExactly(9, 1, 2 * 3, 2 * 2);
    Correction exact = measured(ofNumbers(), new double[] {1}, new double[] {3}, 3);
    assertThat(sums(exact)).containsExactly(4, 0, 4, 4);
    Correction wrong = measured(ofNumbers(), new double[] {1}, new double[] {0}, 3);
    assertThat(sums(wrong)).containsExactly(4, 9, -2, 1);
  }

  /** Column 0 should be 1 and goes beyond the margin; column 1 should be -1 and goes half way. */
  @Test
  void ofClassesNothingBeyondTheMarginIsAFault() {
    Correction both = measured(ofClasses(), new double[] {0.5, 0}, new double[] {3, -0.5}, 4);
    assertThat(sums(both))
        .containsExactly(0.25 + 1, 0.25, 2.5 * 0.5 + 0.5 * 1, 2.5 * 0.5 + 0.5 * 0.5);
    both.times(2);
    assertThat(sums(both)).containsExactly(2.5, 0.5, 3.5, 3);
  }

  @Test
  void nothingIsLeftToLearnWhereAllScoresAreBeyondTheMargin() {
    assertThat(ofClasses().isSettled(new double[] {1, -1}, 2, 0, 4)).isTrue();
    assertThat(ofClasses().isSettled(new double[] {2, -0.9}, 2, 0, 4)).isFalse();
    assertThat(ofClasses().isSettled(new double[] {0.9, -2}, 2, 0, 4)).isFalse();
    assertThat(ofClasses().isSettled(new double[] {2, -0.9}, 1, 0, 4)).isTrue();
    assertThat(ofNumbers().isSettled(new double[] {4}, 1, 0, 4)).isFalse();
  }

  @Test
  void theLossIsSquared() {
    assertThat(ofNumbers().loss(new double[] {1}, 1, 0, 4)).isEqualTo(9);
    assertThat(ofClasses().loss(new double[] {-1, 0.5}, 2, 0, 4)).isEqualTo(4 + 2.25);
    assertThat(ofClasses().loss(new double[] {5, -5}, 2, 0, 4)).isZero();
    assertThat(ofClasses().loss(new double[] {-5, 5}, 2, 1, 7)).isZero();
  }
}
