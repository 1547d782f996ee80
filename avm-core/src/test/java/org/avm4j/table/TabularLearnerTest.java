package org.avm4j.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Features;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TabularLearnerTest {
  private static final int ROWS = 200;

  @TempDir Path folder;

  private static Map<String, Object> row(int t) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("age", t % 50);
    row.put("city", t % 2 == 0 ? "Oslo" : "Bergen");
    return row;
  }

  private static TabularLearner cities() {
    TabularLearner learner = TabularLearner.of(Map.of("task", "binary", "seed", 3));
    for (int t = 0; t < ROWS; t++) {
      learner.learn(row(t), t % 2 == 0 ? "north" : "west");
    }
    return learner;
  }

  @Test
  void labelsComeBackAsTheyStandInTheData() {
    TabularModel model = cities().snapshot();
    assertThat(model.labelText(model.answer(Map.of("city", "Oslo")))).isEqualTo("north");
    assertThat(model.labelText(model.answer(Map.of("city", "Bergen")))).isEqualTo("west");
  }

  @Test
  void anExplanationNamesColumns() {
    Explanation why = cities().snapshot().explain(row(0), 5, 3);
    assertThat(why.effects()).extracting(Explanation.Effect::column).contains("city");
    assertThat(why.points()).hasSizeBetween(1, 3);
  }

  @Test
  void aLoadedLearnerGoesOnBitForBit() throws IOException {
    TabularLearner learner = cities();
    Path file = folder.resolve("cities.avm");
    learner.save(file);
    TabularLearner loaded = TabularLearner.load(file);
    learner.learn(row(7), "west");
    loaded.learn(row(7), "west");
    assertThat(loaded.toBytes()).isEqualTo(learner.toBytes());
    assertThat(TabularModel.load(file).answer(row(1)))
        .isEqualTo(cities().snapshot().answer(row(1)));
  }

  @Test
  void aLearnerWithoutColumnsIsLoadedAsOneOfAnEmptyTable() throws IOException {
    Avm avm = new Avm(AvmOptions.regression().build());
    avm.learn(Features.dense(1, 2), 3);
    Path file = folder.resolve("machine.avm");
    avm.save(file);
    Features x = Features.dense(1, 2);
    assertThat(TabularLearner.load(file).predict(x)).isEqualTo(avm.predict(x));
    assertThat(TabularModel.load(file).predict(x)).isEqualTo(avm.predict(x));
  }

  @Test
  void aRefusedRowChangesNothing() {
    TabularLearner learner = cities();
    byte[] before = learner.toBytes();
    assertThatThrownBy(() -> learner.learn(row(1), null))
        .isInstanceOfSatisfying(
            RefusedRowException.class,
            refused -> assertThat(refused.reason()).isEqualTo(RefusedRowException.Reason.LABEL));
    assertThat(learner.toBytes()).isEqualTo(before);
  }

  @Test
  void anUnknownOptionIsRefused() {
    assertThatThrownBy(() -> TabularLearner.of(Map.of("colour", "red")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("colour");
  }
}
