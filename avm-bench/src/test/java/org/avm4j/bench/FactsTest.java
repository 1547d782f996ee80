package org.avm4j.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Long runs, growth and the roofline: what is measured is what the tables say. */
class FactsTest {
  @Test
  void aLongRunLearnsEveryInstance() {
    PeerTable table = LongRun.measure("covtype-like", "sgd", 40_000);
    assertThat(table.column("instances")).hasSize(10).last().isEqualTo(40_000L);
    assertThat(table.column("nanos")).allSatisfy(n -> assertThat((Double) n).isPositive());
    assertThat((Integer) table.column("size").get(9)).isBetween(30, 90);
  }

  @Test
  void allPiecesAreMeasured() {
    PeerTable table = Pieces.measure(List.of("covtype-like"), 1000);
    assertThat(table.column("piece"))
        .containsExactly("exp of 500", "Math.exp of 500", "score", "learn sgd", "learn newton");
    assertThat(table.column("nanos")).allSatisfy(n -> assertThat((Double) n).isPositive());
  }

  @Test
  void theTenthAfterSaturationIsTheOneAfterTheLastGrowth() {
    PeerTable table = new PeerTable("size, nanos");
    int[] sizes = {50, 90, 96, 97, 98, 99, 100, 100, 100, 100};
    double[] nanos = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    for (int i = 0; i < 10; i++) {
      table.add(sizes[i], nanos[i]);
    }
    assertThat(LongRun.lastOverSaturated(table)).isEqualTo(10.0 / 4);
  }

  @Test
  void growthHasTheSizeItSpeaksOf() {
    PeerTable table = Growth.measure("size", new Growth.Point(40, 7, 3), 50);
    assertThat(table.column("size")).containsExactly(40, 40);
    assertThat(table.column("update")).containsExactly("sgd", "newton");
  }

  @Test
  void sixteenFusedOperationsAreDone() {
    float[] x = new float[1024];
    float[] y = new float[1024];
    float[] q = new float[1024];
    x[5] = 0.5f;
    y[5] = 0.25f;
    float[] p = Roofline.sixteen(x, y, new float[1024], q);
    assertThat(p[5]).isEqualTo(0.5f + 8 * 0.125f);
    assertThat(q[5]).isEqualTo(0.25f + 8 * 0.0625f);
  }
}
