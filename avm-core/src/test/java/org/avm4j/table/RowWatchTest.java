package org.avm4j.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a learner of rows by name does beside learning: observing, asking for labels, drift. */
class RowWatchTest {
  private static final int CHANGE = 2000;

  @TempDir Path folder;

  private static Map<String, Object> row(Random random) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("age", random.nextDouble());
    row.put("size", random.nextDouble());
    row.put("city", random.nextBoolean() ? "Oslo" : "Rome");
    return row;
  }

  private static boolean isOld(Map<String, Object> row) {
    return (double) row.get("age") > 0.5;
  }

  private static String label(Map<String, Object> row) {
    return isOld(row) ? "old" : "young";
  }

  @Test
  void rowsWithoutALabelAreObservedByName() throws IOException {
    Random random = new Random(1);
    TabularLearner automatic = TabularLearner.automatic();
    TabularLearner fixed =
        TabularLearner.of(
            Map.of(
                "gamma", 1, "task", "multiclass", "max-size", 20, "delta", 0.1, "scale", "none"));
    for (int i = 0; i < 300; i++) {
      Map<String, Object> row = row(random);
      automatic.learn(row, label(row));
      fixed.learn(row, label(row));
    }
    byte[] before = automatic.toBytes();
    assertThat(automatic.observe(row(random))).isTrue();
    assertThat(automatic.toBytes()).isNotEqualTo(before);
    byte[] as = fixed.toBytes();
    assertThat(fixed.observe(Map.of("age", 0.5, "new", 3))).isFalse();
    assertThat(fixed.toBytes()).isEqualTo(as);
    assertThatThrownBy(() -> fixed.observe(Map.of("age", Double.NaN)))
        .isInstanceOf(RefusedRowException.class);
  }

  /** Whose labels were asked for, where only these are learned. */
  private static List<Boolean> asked(TabularLearner learner, Random random, int rows) {
    List<Boolean> asked = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      Map<String, Object> row = row(random);
      boolean isAsked = learner.answer(row).isWorthAsking();
      if (isAsked) {
        learner.learn(row, label(row));
      } else {
        learner.observe(row);
      }
      asked.add(isAsked);
    }
    return asked;
  }

  @Test
  void labelsAreAskedForWithinTheBudgetAlsoWhenLoaded() throws IOException {
    TabularLearner learner = TabularLearner.of(Map.of("ask", 5));
    Random random = new Random(1);
    List<Boolean> asked = asked(learner, random, 1000);
    assertThat(asked.stream().filter(each -> each).count()).isBetween(42L, 58L);
    assertThat(asked.get(0)).as("nothing is known before the first row").isTrue();
    learner.save(folder.resolve("learner.avm"));
    TabularLearner loaded = TabularLearner.load(folder.resolve("learner.avm"));
    assertThat(asked(loaded, new Random(2), 300)).isEqualTo(asked(learner, new Random(2), 300));
    assertThat(loaded.toBytes()).isEqualTo(learner.toBytes());
    assertThat(learner.snapshot().answer(row(random)).isWorthAsking()).isFalse();
  }

  @Test
  void theShareIsGivenAsOnTheCommandLine() {
    List<Boolean> number = asked(TabularLearner.of(Map.of("ask", 10)), new Random(1), 200);
    List<Boolean> text = asked(TabularLearner.of(Map.of("ask", "10%")), new Random(1), 200);
    assertThat(text).isEqualTo(number);
    for (Object wrong : new Object[] {0, 101, "much", -5}) {
      assertThatThrownBy(() -> TabularLearner.of(Map.of("ask", wrong)))
          .hasMessage("ask must be a percentage above 0 and at most 100: '" + wrong + "'");
    }
    assertThatThrownBy(() -> TabularLearner.of(Map.of("ask", 5, "task", "anomaly")))
        .hasMessage("ask needs labels, which this task does not learn");
    assertThatThrownBy(() -> TabularLearner.of(Map.of("drift", "perhaps")))
        .hasMessageContaining("drift must be one of true, false");
  }

  /** Old and young change places in the middle. */
  private static void learn(TabularLearner learner, int from, int to) {
    for (int i = from; i < to; i++) {
      Map<String, Object> row = row(new Random(i * 0x9E3779B97F4A7C15L));
      learner.learn(row, i < CHANGE == isOld(row) ? "old" : "young");
    }
  }

  private static TabularLearner watching() {
    return TabularLearner.of(
        Map.of(
            "task",
            "multiclass",
            "gamma",
            5,
            "delta",
            0.1,
            "max-size",
            30,
            "lambda",
            1e-4,
            "drift",
            true));
  }

  @Test
  void aListenerHearsSinceWhenAndWhatChanged() throws IOException {
    TabularLearner learner = watching();
    List<DriftNotice> heard = new ArrayList<>();
    learner.onDrift(heard::add);
    learn(learner, 0, CHANGE + 500);
    assertThat(heard).isEmpty();
    TabularLearner copy = learner.copy();
    learn(learner, CHANGE + 500, CHANGE + 1500);
    assertThat(heard).hasSize(1);
    DriftNotice notice = heard.get(0);
    assertThat(notice.since()).isBetween(CHANGE - 20L, CHANGE + 20L);
    assertThat(notice.noticed()).isGreaterThan(notice.since());
    assertThat(notice.errorAfter()).isGreaterThan(2 * notice.errorBefore());
    assertThat(notice.effects()).containsOnlyKeys("age");
    assertThat(notice.effects().get("age"))
        .matches(
            "class (old|young) .* in its lower half and .* in its upper half, then .* upper half");
    assertThat(notice.moved()).isEmpty();
    List<DriftNotice> again = new ArrayList<>();
    copy.onDrift(again::add);
    learn(copy, CHANGE + 500, CHANGE + 1500);
    assertThat(again).isEqualTo(heard);
    assertThat(copy.toBytes()).isEqualTo(learner.toBytes());
  }

  @Test
  void aListenerThatFailsDoesNotUndoTheRow() throws IOException {
    TabularLearner learner = watching();
    TabularLearner silent = watching();
    learner.onDrift(
        notice -> {
          throw new IllegalArgumentException("the listener's own fault");
        });
    learn(silent, 0, CHANGE + 1500);
    int failures = 0;
    for (int i = 0; i < CHANGE + 1500; i++) {
      try {
        learn(learner, i, i + 1);
      } catch (IllegalArgumentException ofListener) {
        assertThat(ofListener).hasMessage("the listener's own fault");
        failures++;
      }
    }
    assertThat(failures).isEqualTo(1);
    assertThat(learner.toBytes()).isEqualTo(silent.toBytes());
  }

  @Test
  void driftIsWatchedOnlyWhereItWasAskedFor() {
    assertThatThrownBy(() -> TabularLearner.automatic().onDrift(notice -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("give the option drift");
  }
}
