package org.avm4j.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.avm4j.Task;
import org.junit.jupiter.api.Test;

/** What is promised, and how sure it is. */
class EstimateTest {
  private static final Task NUMBERS = Task.regression();

  private static double[] losses(int rows, double level, long seed) {
    Random random = new Random(seed);
    return random.doubles(rows, 0, 2 * level).toArray();
  }

  @Test
  void partsThatAgreeTellWhatAllRowsTell() {
    List<double[]> parts = List.of(losses(100, 1, 1), losses(100, 1, 2), losses(100, 1, 3));
    double[] all = parts.stream().flatMapToDouble(Arrays::stream).toArray();
    Estimate together = Estimate.of(NUMBERS, all);
    assertThat(Estimate.ofParts(NUMBERS, parts).value()).isEqualTo(together.value());
    assertThat(Estimate.ofParts(NUMBERS, parts).margin())
        .isCloseTo(together.margin(), within(0.3 * together.margin()));
  }

  @Test
  void partsThatDifferMakeAPromiseLessSure() {
    List<double[]> parts = List.of(losses(100, 0.5, 1), losses(100, 1, 2), losses(100, 1.5, 3));
    double[] all = parts.stream().flatMapToDouble(Arrays::stream).toArray();
    assertThat(Estimate.ofParts(NUMBERS, parts).margin())
        .isGreaterThan(2 * Estimate.of(NUMBERS, all).margin());
  }

  /** The same losses, once in any order and once the small ones first. */
  @Test
  void neighboursThatAreWrongTogetherCountAsOneStretch() {
    double[] mixed = losses(500, 1, 1);
    double[] sorted = mixed.clone();
    Arrays.sort(sorted);
    assertThat(Estimate.ofTime(NUMBERS, sorted).value())
        .isCloseTo(Estimate.ofTime(NUMBERS, mixed).value(), within(1e-12));
    assertThat(Estimate.ofTime(NUMBERS, sorted).margin())
        .isGreaterThan(5 * Estimate.ofTime(NUMBERS, mixed).margin());
  }

  @Test
  void periodsOnlyWidenAMargin() {
    Estimate plain = new Estimate("rmse", 10, 2, 100);
    assertThat(plain.overPeriods(0.01)).isEqualTo(plain);
    assertThat(plain.overPeriods(0.5).margin()).isCloseTo(16.6, within(0.1));
  }

  @Test
  void aThresholdMakesAPromiseNoSurer() {
    Estimate plain = new Estimate("mistakeRate", 10, 6, 100);
    assertThat(new Estimate("mistakeRate", 8, 2, 100).noSurerThan(plain))
        .isEqualTo(new Estimate("mistakeRate", 8, 6, 100));
    assertThat(new Estimate("mistakeRate", 8, 7, 100).noSurerThan(plain).margin()).isEqualTo(7);
  }
}
