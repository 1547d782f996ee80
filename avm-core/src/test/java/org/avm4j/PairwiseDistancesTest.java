package org.avm4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.avm4j.theory.PairwiseDistances;
import org.junit.jupiter.api.Test;

class PairwiseDistancesTest {
  @Test
  void allPairsAreMeasured() {
    List<Features> triangle =
        List.of(
            Features.dense(0, 0),
            Features.dense(3, 0),
            Features.sparse(new int[] {1}, new double[] {4}));
    PairwiseDistances distances = PairwiseDistances.of(triangle);
    assertThat(distances.mean()).isCloseTo(4, within(1e-12));
    assertThat(distances.deviation()).isCloseTo(Math.sqrt(2.0 / 3), within(1e-12));
  }

  @Test
  void diametersLieAroundTwiceTheMean() {
    PairwiseDistances distances = new PairwiseDistances(4, 0.5);
    assertThat(distances.diameters(5)).containsExactly(7, 7.5, 8, 8.5, 9);
    assertThat(distances.diameters(1)).containsExactly(8);
    assertThat(new PairwiseDistances(1, 3).least()).isPositive();
  }

  @Test
  void oneInstanceHasNoPairs() {
    assertThatThrownBy(() -> PairwiseDistances.of(List.of(Features.dense(1))))
        .hasMessage("a sample must have at least 2 instances: 1.0");
  }
}
