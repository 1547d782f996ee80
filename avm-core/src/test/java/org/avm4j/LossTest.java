package org.avm4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LossTest {
  static List<Loss> losses() {
    return List.of(
        Loss.hinge(),
        Loss.smoothHinge(0.5),
        Loss.smoothHinge(1.5),
        Loss.logistic(),
        Loss.absolute(),
        Loss.squared(),
        Loss.epsilonInsensitive(0.1));
  }

  @ParameterizedTest
  @MethodSource("losses")
  void theDerivativeIsTheSlopeBetweenNeighbours(Loss loss) {
    double step = 1e-6;
    for (double u = -3.03; u < 3; u += 0.0937) {
      double slope = (loss.value(u + step) - loss.value(u - step)) / (2 * step);
      assertThat(loss.derivative(u)).as("at %s", u).isCloseTo(slope, within(1e-5));
    }
  }

  @ParameterizedTest
  @MethodSource("losses")
  void everyMarginGivesAFiniteLossAndABoundedSlope(Loss loss) {
    for (double u : new double[] {-1e150, -1e10, -800, -40, 0, 40, 800, 1e10, 1e150}) {
      assertThat(loss.value(u)).as("at %s", u).isFinite().isNotNegative();
      double bound = loss.isQuadratic() ? Math.abs(u) : loss.bound();
      assertThat(Math.abs(loss.derivative(u))).as("at %s", u).isLessThanOrEqualTo(bound);
    }
  }

  @ParameterizedTest
  @MethodSource("losses")
  void theLossIsConvex(Loss loss) {
    double before = Double.NEGATIVE_INFINITY;
    for (double u = -4; u < 4; u += 0.01) {
      assertThat(loss.derivative(u)).as("at %s", u).isGreaterThanOrEqualTo(before - 1e-12);
      before = loss.derivative(u);
    }
  }

  @ParameterizedTest
  @MethodSource("losses")
  void theParabolaTouchesTheLossAndStaysAboveIt(Loss loss) {
    boolean isHinge = loss instanceof Losses.Hinge;
    for (double u = -3.03; u < 3; u += 0.0937) {
      double curvature = loss.curvature(u, 0);
      double slope = isHinge ? Math.min(0, u - 1) : loss.derivative(u);
      assertThat(curvature * (u - loss.goal(u))).as("at %s", u).isCloseTo(slope, within(1e-9));
      for (double v = -3; v < 3 && curvature > 0 && !isHinge; v += 0.1) {
        double parabola = loss.value(u) + slope * (v - u) + curvature / 2 * (v - u) * (v - u);
        assertThat(loss.value(v)).as("from %s at %s", u, v).isLessThanOrEqualTo(parabola + 1e-9);
      }
    }
  }

  @Test
  void atAMarginOfOneTheHingeIsStill() {
    assertThat(Loss.hinge().derivative(1)).isZero();
    assertThat(Loss.hinge().derivative(Math.nextDown(1.0))).isEqualTo(-1);
  }

  @Test
  void nonsenseIsRefusedWithRuleAndValue() {
    assertThatThrownBy(() -> Loss.smoothHinge(0)).hasMessage("tau must be > 0 and finite: 0.0");
    assertThatThrownBy(() -> Loss.smoothHinge(Double.NaN)).hasMessageContaining("NaN");
    assertThatThrownBy(() -> Loss.epsilonInsensitive(-1))
        .hasMessage("epsilon must be >= 0 and finite: -1.0");
    assertThatThrownBy(() -> Loss.epsilonInsensitive(Double.POSITIVE_INFINITY))
        .hasMessageContaining("Infinity");
  }
}
