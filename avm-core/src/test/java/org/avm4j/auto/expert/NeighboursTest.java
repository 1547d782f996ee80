package org.avm4j.auto.expert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.avm4j.Features;
import org.avm4j.Task;
import org.avm4j.data.Instance;
import org.avm4j.data.Scaler;
import org.avm4j.math.SplitMix;
import org.junit.jupiter.api.Test;

class NeighboursTest {
  private final SplitMix random = new SplitMix(11);
  private final List<Instance> rows = new ArrayList<>();
  private final Inputs inputs = Inputs.of(Scaler.none());
  private final Neighbours classes = new Neighbours(Task.Kind.MULTICLASS, inputs, 3);
  private final Neighbours numbers = new Neighbours(Task.Kind.REGRESSION, inputs, 3);

  private static Moment now(Features x) {
    return new Moment().of(x, new PastLabels());
  }

  private Features row() {
    return Features.dense(random.getAsDouble(), random.getAsDouble(), random.getAsDouble());
  }

  private void learn(int n) {
    for (int t = 0; t < n; t++) {
      Instance row = new Instance(row(), random.nextInt(3));
      rows.add(row);
      classes.learn(now(row.features()), row.label(), 1);
      numbers.learn(now(row.features()), row.label(), 1);
    }
  }

  private static double distance(Features a, Features b) {
    double sum = 0;
    for (int i = 0; i < 3; i++) {
      sum += Math.pow((float) a.get(i) - (float) b.get(i), 2);
    }
    return Math.sqrt(sum);
  }

  /** All rows sorted by distance, the five nearest of the last 2,000 counted one by one. */
  @Test
  void theFiveNearestOfTheLatestCount() {
    for (int n : new int[] {1, 3, 7, 1996, 1200}) {
      learn(n);
      List<Instance> last = rows.subList(Math.max(0, rows.size() - 2000), rows.size());
      Features x = row();
      double[] parts = new double[3];
      double total = 0;
      double mean = 0;
      for (Instance near :
          last.stream()
              .sorted(Comparator.comparingDouble(row -> distance(x, row.features())))
              .limit(5)
              .toList()) {
        double weight = 1 / (distance(x, near.features()) + 1e-6);
        parts[(int) near.label()] += weight;
        mean += weight * near.label();
        total += weight;
      }
      double[] found = new double[3];
      classes.score(now(x), new double[] {0, 1, 2}, found);
      for (int c = 0; c < 3; c++) {
        assertThat(found[c]).isCloseTo(2 * parts[c] / total - 1, within(1e-4));
      }
      double[] number = new double[1];
      numbers.score(now(x), new double[0], number);
      assertThat(number[0]).isCloseTo(mean / total, within(1e-4));
    }
  }

  @Test
  void withoutRowsOrFeaturesNothingIsSaid() {
    double[] found = {5};
    numbers.score(now(row()), new double[0], found);
    assertThat(found).containsExactly(0);
    Neighbours none = new Neighbours(Task.Kind.BINARY, inputs, 0);
    none.learn(now(row()), 1, 1);
    assertThat(none.size()).isZero();
    none.score(now(row()), new double[0], found);
    assertThat(found).containsExactly(0);
  }

  @Test
  void aSnapshotStandsStill() {
    learn(100);
    Features x = row();
    double[] before = new double[1];
    Neighbours snapshot = numbers.freeze();
    snapshot.score(now(x), new double[0], before);
    for (int t = 0; t < 10; t++) {
      numbers.learn(now(x), 9, 1);
    }
    double[] then = new double[1];
    snapshot.score(now(x), new double[0], then);
    assertThat(then).isEqualTo(before);
    numbers.score(now(x), new double[0], then);
    assertThat(then[0]).isCloseTo(9, within(1e-3));
  }
}
