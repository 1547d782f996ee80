package org.avm4j.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.avm4j.Features;
import org.avm4j.data.ColumnKind;
import org.avm4j.data.Missing;
import org.avm4j.data.RowEncoder;
import org.avm4j.data.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChangeStudyTest {
  private static final int ROWS = 1000;
  private static final int COLUMNS = 8;

  /** What changes between two samples. */
  private enum Change {
    NOTHING,
    VALUES,
    EFFECTS
  }

  /** Two samples of rows with their labels: numbers, or the classes 0 and 1. */
  private static final class Samples {
    private final List<Features> before = new ArrayList<>();
    private final List<Features> after = new ArrayList<>();
    private final double[] labels = new double[2 * ROWS];
    private final boolean areClasses;
    private final Set<String> changed = new TreeSet<>();

    /** One to three columns change: their values, or what the labels depend on. */
    Samples(long seed, Change change, boolean areClasses) {
      this.areClasses = areClasses;
      Random random = new Random(seed);
      double[] rule = random.doubles(COLUMNS, -1, 1).toArray();
      double[] shifts = new double[COLUMNS];
      double[] effects = new double[COLUMNS];
      for (int k = random.nextInt(3); k >= 0 && change != Change.NOTHING; k--) {
        int column = random.nextInt(COLUMNS);
        double size = (random.nextBoolean() ? 1 : -1) * (0.4 + random.nextDouble());
        (change == Change.VALUES ? shifts : effects)[column] = size;
        changed.add("x" + (column + 1));
      }
      for (int i = 0; i < 2 * ROWS; i++) {
        double common = random.nextGaussian();
        double[] x = new double[COLUMNS];
        for (int j = 0; j < COLUMNS; j++) {
          double own = random.nextGaussian();
          x[j] = (j < 2 ? 0.7 * (common + own) : own) + (i < ROWS ? 0 : shifts[j]);
        }
        double score = x[2] * x[3];
        for (int j = 0; j < COLUMNS; j++) {
          score += (rule[j] + (i < ROWS ? 0 : effects[j])) * x[j];
        }
        double chance = random.nextDouble();
        labels[i] =
            areClasses
                ? (chance < 1 / (1 + Math.exp(-score)) ? 1 : 0)
                : score + random.nextGaussian();
        (i < ROWS ? before : after).add(Features.dense(x));
      }
    }

    ChangeStudy study() {
      return new ChangeStudy(before, after, new Schema());
    }

    Set<String> effects() {
      return names(study().effects(labels, areClasses, String::valueOf));
    }
  }

  private static Set<String> names(List<ChangeStudy.Changed> found) {
    Set<String> names = new TreeSet<>();
    found.forEach(change -> names.add(change.column()));
    return names;
  }

  @Test
  void columnsThatMovedAreNamedAndNoOthers() {
    for (long seed = 0; seed < 16; seed++) {
      Samples samples = new Samples(seed, Change.VALUES, seed % 2 == 0);
      assertThat(names(samples.study().moved())).as("seed " + seed).isEqualTo(samples.changed);
      assertThat(samples.effects()).as("seed " + seed).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void columnsWhoseEffectChangedAreNamedAndHardlyOthers(boolean areClasses) {
    int right = 0;
    int wrong = 0;
    int all = 0;
    for (long seed = 0; seed < 24; seed++) {
      Samples samples = new Samples(seed, Change.EFFECTS, areClasses);
      Set<String> found = samples.effects();
      all += samples.changed.size();
      right += (int) found.stream().filter(samples.changed::contains).count();
      wrong += (int) found.stream().filter(name -> !samples.changed.contains(name)).count();
    }
    assertThat(right).isGreaterThan((int) ((areClasses ? 0.85 : 0.95) * all));
    assertThat(wrong).isLessThan((int) (0.05 * all));
  }

  /** The effect of one column becomes strong, so that the others hardly matter for most rows. */
  @Test
  void columnsWhoseEffectIsOnlyHiddenByAnotherAreNotNamed() {
    Random random = new Random(1);
    List<List<Features>> sides = List.of(new ArrayList<>(), new ArrayList<>());
    double[] labels = new double[2 * ROWS];
    for (int i = 0; i < 2 * ROWS; i++) {
      double[] x = random.doubles(3, -1, 1).toArray();
      double score = 4 * x[0] + 3 * x[1] + (i < ROWS ? 0 : 12) * x[2];
      labels[i] = random.nextDouble() < 1 / (1 + Math.exp(-score)) ? 1 : 0;
      sides.get(i / ROWS).add(Features.dense(x));
    }
    ChangeStudy study = new ChangeStudy(sides.get(0), sides.get(1), new Schema());
    List<ChangeStudy.Changed> found = study.effects(labels, true, label -> "c" + (int) label);
    assertThat(names(found)).containsExactly("x3");
    assertThat(found.get(0).before()).contains("class c", " in its lower half and ");
    assertThat(found.get(0).size()).isBetween(0.1, 1.0);
  }

  /** Each study has a false alarm of either kind in one of a hundred cases. */
  @Test
  void rowsOfTheSameKindRaiseHardlyAnAlarm() {
    int alarms = 0;
    for (long seed = 0; seed < 30; seed++) {
      Samples samples = new Samples(seed, Change.NOTHING, seed % 2 == 0);
      alarms += samples.study().moved().size() + samples.effects().size();
    }
    assertThat(alarms).isLessThanOrEqualTo(2);
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
  void datesThatMovedAreToldOnce() {
    Schema schema = new Schema();
    schema.declare("when", ColumnKind.DATE, List.of());
    RowEncoder encoder = new RowEncoder(schema, Missing.MEAN);
    List<Features> winter = new ArrayList<>();
    List<Features> summer = new ArrayList<>();
    List<Features> morning = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      String time = String.format(Locale.ROOT, " %02d:%02d", i % 24, i % 60);
      winter.add(encoder.encodeText(Map.of("when", "2020-01-" + (10 + i % 20) + time)));
      summer.add(encoder.encodeText(Map.of("when", "2020-07-" + (10 + i % 20) + time)));
      morning.add(encoder.encodeText(Map.of("when", "2020-01-" + (10 + i % 20) + " 06:00")));
    }
    List<ChangeStudy.Changed> moved = new ChangeStudy(winter, summer, schema).moved();
    assertThat(names(moved)).containsExactly("when");
    assertThat(moved.get(0).before()).isEqualTo("median 2020-01-20");
    assertThat(moved.get(0).after()).isEqualTo("median 2020-07-20");
    assertThat(names(new ChangeStudy(winter, morning, schema).moved()))
        .contains("when hour sin")
        .doesNotContain("when");
  }

  @Test
  void aSampleMustHaveRows() {
    assertThatThrownBy(() -> new ChangeStudy(List.of(), List.of(), new Schema()))
        .hasMessage("both samples must have rows: 0, 0");
  }
}
