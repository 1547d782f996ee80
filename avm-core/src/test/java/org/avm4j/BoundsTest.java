package org.avm4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.avm4j.data.Instance;
import org.avm4j.theory.Bounds;
import org.junit.jupiter.api.Test;

class BoundsTest {
  private static final AvmOptions HINGE =
      AvmOptions.binary().regularization(0.1).coverage(Coverage.sphere(0.5)).build();

  @Test
  void theImageOfACellHasTheDiameterOfTheTheorem() {
    assertThat(Bounds.of(HINGE).featureDiameter())
        .isCloseTo(Math.sqrt(2 * (1 - Math.exp(-0.25))), within(1e-15));
  }

  /** With A = 0 and B = 1: P = (1+δ_Φ)/λ, H = (λP + 1 + δ_Φ)² = 4(1+δ_Φ)². */
  @Test
  void forTheHingeTheConstantsAreThese() {
    Bounds bounds = Bounds.of(HINGE);
    double c = 1 + bounds.featureDiameter();
    assertThat(bounds.p()).isCloseTo(c / 0.1, within(1e-12));
    assertThat(bounds.h()).isCloseTo(4 * c * c, within(1e-12));
    assertThat(bounds.m()).isEqualTo(1);
    double w = bounds.w();
    double delta = bounds.featureDiameter();
    double equation = 2 * w - 2 * Math.sqrt(w) * delta / 0.1 - bounds.h() / 0.01;
    assertThat(equation).as("W solves its equation").isCloseTo(0, within(1e-9));
  }

  @Test
  void theSquaredLossTakesTheLabelIntoAccount() {
    AvmOptions small = AvmOptions.regression().regularization(0.25).build();
    Bounds bounds = new Bounds(small, 4);
    assertThat(bounds.a()).isCloseTo(2 * Math.sqrt(2), within(1e-12));
    assertThat(bounds.b()).isEqualTo(4);
    assertThat(bounds.m()).isCloseTo(2 * (bounds.p() * bounds.p() + 16), within(1e-9));
    AvmOptions large = small.change().regularization(5).build();
    assertThat(new Bounds(large, 4).a()).isCloseTo(1, within(1e-12));
  }

  @Test
  void theGapVanishesWithTheDiameterAndWithTheApproximation() {
    AvmOptions tiny = HINGE.change().coverage(Coverage.sphere(1e-6)).build();
    assertThat(Bounds.of(tiny).gap(1000)).isLessThan(1e-3);
    AvmOptions never = HINGE.change().approximation(Approximation.never()).build();
    assertThat(Bounds.of(never).gap(1000)).isZero();
    AvmOptions some = HINGE.change().approximation(Approximation.decaying(9, 0.5)).build();
    assertThat(Bounds.of(some).gap(1000)).isBetween(1e-9, Bounds.of(HINGE).gap(1000));
    assertThat(Bounds.of(HINGE).regret(1_000_000)).isLessThan(Bounds.of(HINGE).regret(1000));
    assertThat(Bounds.of(HINGE).suffixRegret(0.5, 1000))
        .isCloseTo(Bounds.of(HINGE).h() * Math.log(2) / (2 * 0.1 * 0.5 * 1000), within(1e-12));
    assertThat(Bounds.of(HINGE).suffixGap(0.5, 1000)).isGreaterThan(Bounds.of(HINGE).gap(1000));
  }

  @Test
  void zetaIsRiemanns() {
    assertThat(Approximations.zeta(2)).isCloseTo(Math.PI * Math.PI / 6, within(1e-9));
    assertThat(Approximations.zeta(4)).isCloseTo(Math.pow(Math.PI, 4) / 90, within(1e-12));
    assertThat(Approximations.zeta(1.5)).isCloseTo(2.612375348685488, within(1e-7));
  }

  @Test
  void theModelSizeStaysBelowItsBound() {
    int d = 2;
    List<Instance> stream = Streams.binary(5000, d, 3);
    for (Approximation approximation :
        List.of(
            Approximation.always(),
            Approximation.decaying(5, 1),
            Approximation.decaying(5, 0.5),
            Approximation.decaying(5, 1.5),
            Approximation.never())) {
      AvmOptions options = HINGE.change().approximation(approximation).build();
      Avm avm = new Avm(options);
      stream.forEach(instance -> avm.learn(instance.features(), instance.label()));
      Bounds bounds = Bounds.of(options);
      assertThat((double) avm.size())
          .as("%s", approximation)
          .isLessThanOrEqualTo(bounds.modelSize(5000, avm.cells()) * 1.2);
      double most = bounds.cells(Math.sqrt(8), d);
      assertThat((double) avm.cells()).isLessThanOrEqualTo(most);
    }
  }

  @Test
  void theFormulasOfTheModelSizeTheoremAreThese() {
    assertThat(size(Approximation.always())).isEqualTo(40);
    assertThat(size(Approximation.never())).isEqualTo(1000);
    assertThat(size(Approximation.decaying(3, 1)))
        .isCloseTo(3 * (Math.log(1000) + 1) + 40, within(1e-9));
    assertThat(size(Approximation.decaying(3, 0.5)))
        .isCloseTo(6 * Math.sqrt(1000) + 40, within(1e-9));
    assertThat(size(Approximation.decaying(3, 2)))
        .isCloseTo(Math.PI * Math.PI / 2 + 40, within(1e-6));
    assertThat(size(Approximation.whenConfident())).isEqualTo(1000);
  }

  private static double size(Approximation approximation) {
    AvmOptions options = HINGE.change().approximation(approximation).build();
    return Bounds.of(options).modelSize(1000, 40);
  }
}
