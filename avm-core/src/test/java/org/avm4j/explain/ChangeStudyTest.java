package org.avm4j.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.avm4j.Features;
import org.avm4j.data.Schema;
import org.junit.jupiter.api.Test;

class ChangeStudyTest {
  private static final int ROWS = 1000;
  private static final int COLUMNS = 8;

  /** Two samples of rows, and what the labels of their rows are. */
  private static final class Samples {
    private final List<Features> before = new ArrayList<>();
    private final List<Features> after = new ArrayList<>();
    private final double[][] residuals = new double[2 * ROWS][];
    private final Set<String> changed = new TreeSet<>();

    /** One to three columns change: their values, or what the residuals depend on. */
    Samples(long seed, boolean moves, boolean changesEffects) {
      Random random = new Random(seed);
      double[] shifts = new double[COLUMNS];
      double[] effects = new double[COLUMNS];
      for (int k = random.nextInt(3); k >= 0 && (moves || changesEffects); k--) {
        int column = random.nextInt(COLUMNS);
        double size = (random.nextBoolean() ? 1 : -1) * (0.4 + random.nextDouble());
        (moves ? shifts : effects)[column] = size;
        changed.add("x" + (column + 1));
      }
      for (int i = 0; i < 2 * ROWS; i++) {
        double common = random.nextGaussian();
        double[] x = new double[COLUMNS];
        double residual = random.nextGaussian();
        for (int j = 0; j < COLUMNS; j++) {
          double own = random.nextGaussian();
          x[j] = (j < 2 ? 0.7 * (common + own) : own) + (i < ROWS ? 0 : shifts[j]);
          residual += i < ROWS ? 0 : effects[j] * x[j];
        }
        residuals[i] = new double[] {residual};
        (i < ROWS ? before : after).add(Features.dense(x));
      }
    }

    ChangeStudy study() {
      return new ChangeStudy(before, after, new Schema());
    }
  }

  private static Set<String> names(List<ChangeStudy.Changed> found) {
    Set<String> names = new TreeSet<>();
    found.forEach(change -> names.add(change.column()));
    return names;
  }

  @Test
  void columnsThatMovedAreNamedAndNoOthers() {
    for (long seed = 0; seed < 30; seed++) {
      Samples samples = new Samples(seed, true, false);
      ChangeStudy study = samples.study();
      assertThat(names(study.moved())).as("seed " + seed).isEqualTo(samples.changed);
      assertThat(study.effects(samples.residuals)).isEmpty();
    }
  }

  @Test
  void columnsWhoseEffectChangedAreNamedAndHardlyOthers() {
    int right = 0;
    int wrong = 0;
    int all = 0;
    for (long seed = 0; seed < 30; seed++) {
      Samples samples = new Samples(seed, false, true);
      Set<String> found = names(samples.study().effects(samples.residuals));
      all += samples.changed.size();
      right += (int) found.stream().filter(samples.changed::contains).count();
      wrong += (int) found.stream().filter(name -> !samples.changed.contains(name)).count();
      assertThat(samples.study().moved()).isEmpty();
    }
    assertThat(right).isGreaterThan((int) (0.9 * all));
    assertThat(wrong).isLessThan((int) (0.1 * all));
  }

  @Test
  void rowsOfTheSameKindRaiseNoAlarm() {
    for (long seed = 0; seed < 30; seed++) {
      Samples samples = new Samples(seed, false, false);
      assertThat(samples.study().moved()).isEmpty();
      assertThat(samples.study().effects(samples.residuals)).isEmpty();
    }
  }

  @Test
  void aMoveIsToldInTheWordsOfTheData() {
    Schema schema = new Schema();
    schema.column("age", true);
    List<Features> young = new ArrayList<>();
    List<Features> old = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      young.add(Features.dense(20 + i % 11));
      old.add(Features.dense(40 + i % 11));
    }
    ChangeStudy.Changed age = new ChangeStudy(young, old, schema).moved().get(0);
    assertThat(age.column()).isEqualTo("age");
    assertThat(age.size()).isCloseTo(1, within(1e-9));
    assertThat(age.before()).isEqualTo("median 25");
    assertThat(age.after()).isEqualTo("median 45");
  }

  @Test
  void aSampleMustHaveRows() {
    assertThatThrownBy(() -> new ChangeStudy(List.of(), List.of(), new Schema()))
        .hasMessage("both samples must have rows: 0, 0");
  }
}
