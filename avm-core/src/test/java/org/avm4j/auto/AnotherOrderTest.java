package org.avm4j.auto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.Task;
import org.avm4j.data.Instance;
import org.avm4j.tree.AvmTree;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A learner for the same rows in another order, which searches once. */
class AnotherOrderTest {
  private static final int ROWS = 2600;

  private static final List<Instance> DATA = rows();
  private static final AutoAvm FIRST = learned(new AutoAvm(AutoOptions.of(Task.binary())), DATA);

  /** Two of five features tell the class. */
  private static List<Instance> rows() {
    Random random = new Random(1);
    List<Instance> rows = new ArrayList<>();
    for (int i = 0; i < ROWS + 2000; i++) {
      double[] x = random.doubles(5, -1, 1).toArray();
      rows.add(new Instance(Features.dense(x), x[0] * x[1] > 0 ? 1 : -1, 1));
    }
    return rows;
  }

  private static AutoAvm learned(AutoAvm learner, List<Instance> rows) {
    rows.subList(0, ROWS).forEach(row -> learner.learn(row.features(), row.label(), row.weight()));
    return learner;
  }

  private static List<Instance> shuffled() {
    List<Instance> other = new ArrayList<>(DATA.subList(0, ROWS));
    Collections.shuffle(other, new Random(2));
    return other;
  }

  private static double mistakes(Model model) {
    List<Instance> asked = DATA.subList(ROWS, DATA.size());
    long wrong = asked.stream().filter(r -> model.predict(r.features()) != r.label()).count();
    return 100.0 * wrong / asked.size();
  }

  @Test
  @Tag("slow")
  void itLearnsWhatOneThatTriesAllSettingsLearns() {
    AutoAvm another = learned(FIRST.another(), shuffled());
    AutoAvm alone = learned(new AutoAvm(FIRST.options()), shuffled());
    assertThat(another.instances()).isEqualTo(ROWS);
    assertThat(another.best().inspect(AvmTree.class)).isPresent();
    assertThat(mistakes(another.settled())).isLessThan(mistakes(alone.settled()) + 1);
  }

  @Test
  void itSearchesOnceAndTriesFewerSettings() {
    AutoAvm another = learned(FIRST.another(), shuffled());
    assertThat(another.standings()).allMatch(standing -> standing.instances() == 2048);
    long ofFirst = FIRST.standings().stream().filter(s -> s.instances() == 2048).count();
    assertThat((long) another.standings().size()).isBetween(1L, ofFirst - 6);
  }

  @Test
  void savedBeforeItSearchesItGoesOnBitForBit() {
    AutoAvm another = FIRST.another();
    List<Instance> other = shuffled();
    other.subList(0, 1000).forEach(row -> another.learn(row.features(), row.label(), 1));
    AutoAvm resumed = another.copy();
    for (Instance row : other.subList(1000, 2500)) {
      another.learn(row.features(), row.label(), 1);
      resumed.learn(row.features(), row.label(), 1);
    }
    Features asked = DATA.get(ROWS).features();
    assertThat(resumed.score(asked)).containsExactly(another.score(asked));
    assertThat(resumed.standings()).isEqualTo(another.standings());
  }

  @Test
  void aClassThatTheFirst2048RowsDoNotHaveIsLearned() {
    AutoAvm zeroOrOne = new AutoAvm(AutoOptions.of(Task.binary()));
    DATA.subList(0, 300).forEach(r -> zeroOrOne.learn(r.features(), r.label() > 0 ? 1 : 0, 1));
    AutoAvm another = zeroOrOne.another();
    DATA.stream()
        .filter(row -> row.label() > 0)
        .limit(2048)
        .forEach(row -> another.learn(row.features(), 1, 1));
    DATA.stream()
        .filter(row -> row.label() < 0)
        .limit(300)
        .forEach(row -> another.learn(row.features(), 0, 1));
    assertThat(another.classes()).containsExactly(0, 1);
    assertThat(another.instances()).isEqualTo(2348);
  }

  @Test
  void aLabelThatTheFirstRefusesIsRefused() {
    AutoAvm another = FIRST.another();
    assertThatThrownBy(() -> another.learn(DATA.get(0).features(), 3, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(another.instances()).isZero();
  }
}
