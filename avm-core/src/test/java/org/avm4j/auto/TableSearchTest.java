package org.avm4j.auto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.Status.Standing;
import org.avm4j.Task;
import org.avm4j.auto.AutoOptions.Choice;
import org.avm4j.data.Instance;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A table is searched for settings less often than a stream, and ends with the same ones. */
class TableSearchTest {
  private static final List<Instance> ROWS = rows();

  private static List<Instance> rows() {
    Random random = new Random(3);
    List<Instance> rows = new ArrayList<>();
    for (int i = 0; i < 8193; i++) {
      double[] x = random.doubles(4, -1, 1).toArray();
      rows.add(new Instance(Features.dense(x), x[0] * x[1] > 0.1 * x[2] ? 1 : -1, 1));
    }
    return rows;
  }

  private static AutoOptions stream() {
    AutoOptions all = AutoOptions.of(Task.binary());
    EnumSet<Choice> free = EnumSet.copyOf(all.free());
    free.remove(Choice.CHANGE);
    return new AutoOptions(all.base(), all.scaling(), free);
  }

  private static AutoAvm learned(AutoOptions options, int rows) {
    AutoAvm learner = new AutoAvm(options);
    ROWS.subList(0, rows).forEach(row -> learner.learn(row.features(), row.label(), 1));
    return learner;
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 700, 2500})
  void itEndsWithTheModelOfAStream(int rows) {
    AutoAvm table = learned(stream().forTable(rows), rows);
    Model ofTable = table.settled();
    Model ofStream = learned(stream(), rows).settled();
    for (Instance row : ROWS.subList(3000, 3100)) {
      assertThat(ofTable.score(row.features())).isEqualTo(ofStream.score(row.features()));
    }
    assertThat(table.standings().stream().map(Standing::instances))
        .isNotEmpty()
        .allMatch(t -> t <= 128 || t == 2048);
  }

  @Tag("slow")
  @ParameterizedTest
  @ValueSource(ints = {0, 8193, 16_383, 16_384})
  void aShortTableIsNotSearchedAgain(int tableRows) {
    byte[] bytes = learned(stream().forTable(tableRows), 8193).toBytes();
    boolean searches = new String(bytes, StandardCharsets.ISO_8859_1).contains("settings-search");
    assertThat(searches).isEqualTo(tableRows == 0 || tableRows == 16_384);
  }

  @Test
  void itsRowsAreSaved() {
    AutoAvm table = learned(stream().forTable(700), 200);
    assertThat(table.copy().options().tableRows()).isEqualTo(700);
    assertThatThrownBy(() -> stream().forTable(-1)).isInstanceOf(IllegalArgumentException.class);
  }
}
