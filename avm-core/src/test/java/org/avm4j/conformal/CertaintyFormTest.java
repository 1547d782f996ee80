package org.avm4j.conformal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import org.avm4j.Certainty.Interval;
import org.avm4j.Prediction;
import org.avm4j.form.CertaintyForm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is laid open gives the same intervals and sets as the model itself. */
class CertaintyFormTest {
  private static final double[] NONE = {};

  private static Prediction number(double answer) {
    return new Prediction(answer, NONE, new double[] {answer});
  }

  /** Learns errors around answers from -5 to 5 whose logarithm rises by the steepness. */
  private static ConformalModel learned(double steepness, int n) {
    Conformal certainty = new Conformal(0.85);
    Random random = new Random(3);
    for (int t = 0; t < n; t++) {
      double answer = 10 * random.nextDouble() - 5;
      double size = StrictMath.exp(steepness * answer);
      certainty.learn(certainty.of(number(answer)), answer + size * random.nextGaussian());
    }
    return certainty.snapshot();
  }

  private static CertaintyForm form(ConformalModel model) {
    return model.inspect(CertaintyForm.class).orElseThrow();
  }

  /** The half width by the rule that {@link CertaintyForm.Intervals} states. */
  static double halfWidth(CertaintyForm.Intervals form, double answer) {
    List<Double> at = form.answers();
    List<Double> widths = form.halfWidths();
    int last = at.size() - 1;
    if (answer <= at.get(0)) {
      return widths.get(0);
    }
    if (answer >= at.get(last)) {
      return widths.get(last);
    }
    int i = 0;
    while (at.get(i + 1) < answer) {
      i++;
    }
    double part = (answer - at.get(i)) / (at.get(i + 1) - at.get(i));
    return Math.exp(
        Math.log(widths.get(i)) + part * (Math.log(widths.get(i + 1)) - Math.log(widths.get(i))));
  }

  private static void assertSame(ConformalModel model) {
    CertaintyForm.Intervals form = (CertaintyForm.Intervals) form(model);
    assertThat(form.level()).isEqualTo(0.85);
    assertThat(form.answers()).isSorted().doesNotHaveDuplicates();
    for (double answer = -20; answer <= 20; answer += 0.0625) {
      Interval interval = model.of(number(answer)).interval(0.85);
      double half = halfWidth(form, answer);
      assertThat(interval.high()).isCloseTo(answer + half, within(1e-9 * (1 + half)));
      assertThat(interval.low()).isCloseTo(answer - half, within(1e-9 * (1 + half)));
    }
  }

  /** With a steepness of 3 the scale comes to its bounds, which makes further bends. */
  @ParameterizedTest
  @CsvSource({"0, 3000", "0.3, 3000", "3, 20000", "0.3, 10", "0.3, 1"})
  void intervalsAreThoseOfTheModel(double steepness, int n) {
    ConformalModel model = learned(steepness, n);
    assertSame(model);
    assertSame(model.detached());
    if (n > 1000) {
      assertThat(form(model)).isNotEqualTo(form(model.detached()));
    }
  }

  @Test
  void theBoundsOfTheScaleAreBends() {
    CertaintyForm.Intervals steep = (CertaintyForm.Intervals) form(learned(3, 20_000));
    CertaintyForm.Intervals flat = (CertaintyForm.Intervals) form(learned(0.3, 3000));
    assertThat(flat.answers()).hasSize(9);
    assertThat(steep.answers()).hasSizeGreaterThan(9);
  }

  @Test
  void beforeTheFirstRowIntervalsAreInfinite() {
    CertaintyForm.Intervals form = (CertaintyForm.Intervals) form(new Conformal(0.9).snapshot());
    assertThat(form.halfWidths()).containsExactly(Double.POSITIVE_INFINITY);
  }

  @Test
  void answersThatAreAlways0HaveOneWidth() {
    Conformal certainty = new Conformal(0.9);
    Random random = new Random(1);
    for (int t = 0; t < 500; t++) {
      certainty.learn(certainty.of(number(0)), random.nextGaussian());
    }
    CertaintyForm.Intervals form = (CertaintyForm.Intervals) form(certainty.snapshot());
    Interval interval = certainty.of(number(0)).interval(0.9);
    assertThat(form.halfWidths()).hasSize(1);
    assertThat(form.halfWidths().get(0)).isCloseTo(interval.width() / 2, within(1e-12));
  }

  @Test
  void setsHoldWhatIsNotTooStrange() {
    Conformal certainty = new Conformal(0.9);
    Random random = new Random(2);
    double[] classes = {-1, 1};
    for (int t = 0; t < 2000; t++) {
      double p = random.nextDouble();
      double[] both = {1 - p, p};
      Prediction answer = new Prediction(p < 0.5 ? -1 : 1, classes, new double[] {p}, both);
      certainty.learn(certainty.of(answer), random.nextDouble() < p ? 1 : -1);
    }
    ConformalModel model = certainty.snapshot();
    CertaintyForm.LabelSets form = (CertaintyForm.LabelSets) form(model);
    for (double p = 0; p <= 1; p += 1.0 / 512) {
      Prediction answer = new Prediction(1, classes, new double[] {p}, new double[] {1 - p, p});
      double[] set = model.of(answer).labels(0.9);
      assertThat(set.length > 0 && set[set.length - 1] == 1).isEqualTo(1 - p <= form.threshold());
    }
  }

  @Test
  void nothingElseIsFound() {
    assertThat(learned(0, 100).inspect(String.class)).isEmpty();
  }
}
