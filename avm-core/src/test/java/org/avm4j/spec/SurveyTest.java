package org.avm4j.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.Task;
import org.avm4j.math.SplitMix;
import org.avm4j.pipeline.Labels;
import org.avm4j.table.Scaling;
import org.junit.jupiter.api.Test;

class SurveyTest {
  private static Survey of(double... labels) {
    Survey survey = new Survey(Scaling.NONE);
    for (double label : labels) {
      survey.add(Features.dense(label, 1), label);
    }
    return survey;
  }

  @Test
  void theTaskFollowsFromTheLabels() {
    assertThat(of(-1, 1, 1).task(false)).extracting(Task::kind).isEqualTo(Task.Kind.BINARY);
    assertThat(of(3, 8).task(false)).extracting(Task::kind).isEqualTo(Task.Kind.BINARY);
    assertThat(of(0, 1, 2).task(false)).extracting(Task::kind).isEqualTo(Task.Kind.MULTICLASS);
    assertThat(of(1, 2, 7, 9).task(false)).extracting(Task::kind).isEqualTo(Task.Kind.MULTICLASS);
    assertThat(of(1998, 2001, 2004).task(false))
        .extracting(Task::kind)
        .isEqualTo(Task.Kind.REGRESSION);
    assertThat(of(0.5, 1, 2).task(false)).extracting(Task::kind).isEqualTo(Task.Kind.REGRESSION);
    assertThat(of(0, 1, 2, 5000).task(false))
        .extracting(Task::kind)
        .isEqualTo(Task.Kind.REGRESSION);
    assertThat(of(0, 5000, 7000).task(true)).extracting(Task::kind).isEqualTo(Task.Kind.MULTICLASS);
  }

  @Test
  void twoLabelsAreAPair() {
    assertThat(of(8, 3, 8).pair()).isEqualTo(new Labels.Pair(3, 8));
    assertThat(of(1, -1).pair()).isEqualTo(Labels.Pair.SIGNS);
    assertThat(of(1).pair()).isEqualTo(Labels.Pair.SIGNS);
    assertThatThrownBy(() -> of(1, 2, 3).pair()).hasMessageContaining("must have two labels");
  }

  @Test
  void numbersAreBroughtToMeanZeroAndDeviationOne() {
    assertThat(of(1998, 2002).standardLabels()).isEqualTo(new Labels.Standard(2000, 2));
    assertThat(of(5, 5).standardLabels()).isEqualTo(new Labels.Standard(5, 1));
  }

  @Test
  void theWidthOfTheKernelFollowsFromTheDistances() {
    Survey survey = of(0, 2);
    assertThat(survey.gamma(Kernel.gaussian(1))).isCloseTo(0.25, within(1e-12));
    assertThat(survey.gamma(Kernel.laplacian(1))).isCloseTo(0.5, within(1e-12));
    assertThat(survey.diameter()).isCloseTo(4, within(1e-12));
  }

  @Test
  void aSampleStandsForManyRows() {
    Survey survey = new Survey(Scaling.STANDARD);
    SplitMix random = new SplitMix(3);
    for (int i = 0; i < 20_000; i++) {
      Features x = Features.dense(random.getAsDouble(), random.getAsDouble(), i % 2);
      survey.add(x, i);
    }
    assertThat(survey.rows()).isEqualTo(20_000);
    assertThat(survey.distances().mean()).isCloseTo(2.3, within(0.1));
  }
}
