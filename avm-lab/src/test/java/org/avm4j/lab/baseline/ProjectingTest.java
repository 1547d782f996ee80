package org.avm4j.lab.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.Streams;
import org.avm4j.data.Instance;
import org.junit.jupiter.api.Test;

/** Projections onto the span of the vectors. */
class ProjectingTest {
  private static final Kernel KERNEL = Kernel.gaussian(1);

  private static LabelStep labelStep(double step) {
    return new LabelStep(0, -1, Math.signum(step), 0, Math.abs(step));
  }

  @Test
  void aProjectionIsExactAtTheVectorsItIsMadeOf() {
    Expansion f = new Expansion(KERNEL, 1);
    Budget budget = new Projecting(8, 0, new Projecting.Nothing());
    List<Instance> stream = Streams.binary(9, 3, 5);
    for (Instance instance : stream.subList(0, 8)) {
      f.measure(instance.features());
      budget.admit(f, labelStep(instance.label()));
    }
    double[] before = new double[8];
    Arrays.setAll(before, j -> f.valueAt(0, j));
    f.measure(stream.get(8).features());
    double[] k = Arrays.copyOf(f.kernels(), 8);
    budget.admit(f, labelStep(-1));
    assertThat(f.size()).isEqualTo(8);
    for (int j = 0; j < 8; j++) {
      assertThat(f.valueAt(0, j)).isCloseTo(before[j] - k[j], within(1e-6));
    }
  }

  @Test
  void aPointInTheSpanIsProjectedOntoItself() {
    Expansion f = new Expansion(KERNEL, 1);
    Budget budget = new Projecting(100, 0.1, new Projecting.Nothing());
    for (Instance instance : Streams.binary(5, 3, 5)) {
      f.measure(instance.features());
      budget.admit(f, labelStep(1));
    }
    int size = f.size();
    f.measure(f.vector(2));
    budget.admit(f, labelStep(1));
    assertThat(f.size()).isEqualTo(size);
    assertThat(f.coefficient(0, 2)).isCloseTo(2, within(1e-6));
    assertThat(f.coefficient(0, 1)).isCloseTo(1, within(1e-6));
  }

  @Test
  void aWiderThresholdKeepsFewerVectors() {
    assertThat(sizeWithThreshold(0.5)).isLessThan(sizeWithThreshold(0.1));
    assertThat(sizeWithThreshold(0.1)).isLessThan(sizeWithThreshold(0.01));
  }

  private static int sizeWithThreshold(double threshold) {
    Expansion f = new Expansion(KERNEL, 1);
    Budget budget = new Projecting(1000, threshold, new Projecting.Nothing());
    for (Instance instance : Streams.binary(300, 3, 5)) {
      f.measure(instance.features());
      budget.admit(f, labelStep(1));
    }
    return f.size();
  }

  @Test
  void marginStepsAreThoseOfTheFormulas() {
    Projecting.Margin paper = new Projecting.Sure(0.5);
    assertThat(paper.part(0.8, 0.04, 0.96)).isCloseTo(0.8 / 0.96, within(1e-15));
    assertThat(paper.part(0.5, 0.04, 0.96)).isCloseTo(2 * 0.1 / 0.96, within(1e-15));
    assertThat(paper.part(0.4, 0.04, 0.96)).isZero();
    assertThat(paper.part(0.9, 0.0, 0.5)).isEqualTo(1);
    Projecting.Bounded toolbox = Projecting.Bounded.forBudget(300);
    assertThat(toolbox.u()).isCloseTo(Math.sqrt(301 / Math.log(301)) / 4, within(1e-15));
    assertThat(new Projecting.Bounded(2).part(0.5, 0.01, 0.99))
        .isCloseTo(0.5 / 0.99, within(1e-15));
    assertThat(new Projecting.Bounded(2).part(0.3, 0.01, 0.99)).isZero();
  }

  @Test
  void projectronPlusPlusTakesAPartOfTheProjectionAtAMarginError() {
    Expansion f = new Expansion(KERNEL, 1);
    Budget budget = new Projecting(10, 0.1, new Projecting.Sure(0.1));
    f.measure(Features.dense(1, 1));
    budget.admit(f, labelStep(0.5));
    f.measure(Features.dense(1, 1));
    budget.pass(f, new LabelStep(0, -1, 1, 0.5, 0));
    assertThat(f.coefficient(0, 0)).isCloseTo(1, within(1e-12));
  }
}
