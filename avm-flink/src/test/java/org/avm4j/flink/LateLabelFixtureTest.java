package org.avm4j.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.co.KeyedCoProcessOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.OperatorSnapshotUtil;
import org.avm4j.Features;
import org.avm4j.data.Row;
import org.junit.jupiter.api.Test;

/**
 * State with rows and labels that wait, written before rows had the format of the core: {@code
 * late-labels-v1.state} goes on as if the job had never stopped. It is never written anew.
 */
@SuppressWarnings("try")
class LateLabelFixtureTest {
  private static final Path FROZEN = Path.of("src/test/resources/late-labels-v1.state");
  private static final LearnOptions OPTIONS = LearnOptions.of(LearnerRecipe.of(TestStream.SMALL));
  private static final String[] KEYS = {"named", "texts", "indexed"};

  @Test
  void rowsAndLabelsThatWaitedInTheFirstVersionMeet() throws Exception {
    if (System.getProperty("fixture.write") != null) {
      write();
    }
    List<AvmAnswer> expected;
    try (var whole = harness()) {
      whole.open();
      before(whole);
      int first = whole.extractOutputValues().size();
      expected = after(whole, first);
    }
    try (var restored = harness()) {
      restored.initializeState(OperatorSnapshotUtil.readStateHandle(FROZEN.toString()));
      restored.open();
      assertThat(after(restored, 0)).isEqualTo(expected);
      assertThat(restored.getSideOutput(AvmStreams.DEAD_LETTERS)).isNull();
    }
  }

  private static KeyedTwoInputStreamOperatorTestHarness<String, AvmRow, LateLabel, AvmAnswer>
      harness() throws Exception {
    return new KeyedTwoInputStreamOperatorTestHarness<>(
        new KeyedCoProcessOperator<>(new LateLabelFunction(OPTIONS)),
        AvmRow::key,
        LateLabel::key,
        Types.STRING);
  }

  private static void write() throws Exception {
    assertThat(FROZEN).as("a frozen state is never written anew").doesNotExist();
    try (var harness = harness()) {
      harness.open();
      before(harness);
      OperatorSubtaskState state = harness.snapshot(1, 1);
      OperatorSnapshotUtil.writeStateHandle(state, FROZEN.toString());
    }
    assertThat(Files.size(FROZEN)).isLessThan(100_000);
  }

  /** Every key learns 40 rows; then two rows and two labels of it wait. */
  private static void before(
      KeyedTwoInputStreamOperatorTestHarness<String, AvmRow, LateLabel, AvmAnswer> harness)
      throws Exception {
    for (String key : KEYS) {
      for (int i = 0; i < 40; i++) {
        harness.processElement1(new StreamRecord<>(row(key, i)));
      }
      for (int i = 40; i < 42; i++) {
        harness.processElement1(new StreamRecord<>(row(key, i).withLabel(null, 1)));
      }
      for (int i = 42; i < 44; i++) {
        harness.processElement2(new StreamRecord<>(label(row(key, i))));
      }
    }
  }

  /** What waits meets its other half; 20 rows more show what was learned of it. */
  private static List<AvmAnswer> after(
      KeyedTwoInputStreamOperatorTestHarness<String, AvmRow, LateLabel, AvmAnswer> harness,
      int skipped)
      throws Exception {
    for (String key : KEYS) {
      for (int i = 40; i < 42; i++) {
        harness.processElement2(new StreamRecord<>(label(row(key, i))));
      }
      for (int i = 42; i < 44; i++) {
        harness.processElement1(new StreamRecord<>(row(key, i).withLabel(null, 1)));
      }
      for (int i = 44; i < 64; i++) {
        harness.processElement1(new StreamRecord<>(row(key, i)));
      }
    }
    List<AvmAnswer> all = harness.extractOutputValues();
    return new ArrayList<>(all.subList(skipped, all.size()));
  }

  private static LateLabel label(AvmRow row) {
    return new LateLabel(row.key(), row.id(), row.label(), 2);
  }

  private static AvmRow row(String key, int i) {
    AvmRow indexed = TestStream.row(i, 1);
    Features x = TestStream.features(indexed);
    String id = Integer.toString(i);
    return switch (key) {
      case "named" -> AvmRow.of(key, named(x), indexed.label()).withId(id);
      case "texts" -> new AvmRow(key, id, texts(x), indexed.label(), 1);
      default -> indexed.withKey(key);
    };
  }

  private static Map<String, Object> named(Features x) {
    Map<String, Object> columns = new LinkedHashMap<>();
    columns.put("a", x.get(0));
    columns.put("größe", x.get(1) > 0 ? "groß" : "klein");
    columns.put("none", null);
    columns.put("bit", x.get(2) > 0);
    columns.put("whole", Math.round(10 * x.get(1)));
    return columns;
  }

  private static Row.Texts texts(Features x) {
    Map<String, String> columns = new LinkedHashMap<>();
    columns.put("a", Double.toString(x.get(0)));
    columns.put("b", x.get(1) > 0 ? "yes" : "no");
    columns.put("c", "");
    return new Row.Texts(columns);
  }
}
