package org.avm4j.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputViewStreamWrapper;
import org.apache.flink.core.memory.DataOutputViewStreamWrapper;
import org.avm4j.Features;
import org.avm4j.pipeline.Pipeline;
import org.junit.jupiter.api.Test;

/**
 * State that was written once is read for ever: {@code formats-v1.bin} holds a value of every
 * format as version 1 wrote it, and is never written anew.
 */
class StateFormatTest {
  private static final String FROZEN = "/formats-v1.bin";

  private static List<Object> values() {
    Map<String, Object> columns = new LinkedHashMap<>();
    columns.put("a", 1.5);
    columns.put("b", "red");
    columns.put("c", null);
    columns.put("d", true);
    columns.put("e", 7L);
    Map<String, String> texts = new LinkedHashMap<>();
    texts.put("a", "1.5");
    texts.put("b", "größer");
    AvmRow indexed = AvmRow.of("k", Features.dense(1, 0, -2.5, 0), 1).withId("7");
    LateLabel label = new LateLabel("k", "7", "spam", 2);
    return List.of(
        indexed,
        AvmRow.of("k", columns, "spam"),
        new AvmRow("k", null, new RowValues.Texts(texts), null, 0.5),
        label,
        new AvmAnswer(
            "k", "7", 1.0, new double[] {0.1, -3}, new double[] {0.25, 0.75}, "ham", "12"),
        new DeadLetter("{", "expected JSON"),
        new ModelUpdate("k", "3", new byte[] {1, 2, 3}),
        new WaitingRow(indexed, 123456789L, -1.0),
        new WaitingLabel(label, 42));
  }

  private static Pipeline learner() {
    Pipeline pipeline = LearnerRecipe.of(TestStream.SMALL).create();
    for (AvmRow row : TestStream.list(1, 40)) {
      pipeline.learn(((RowValues.Indexed) row.values()).features(), (Double) row.label(), 1);
    }
    return pipeline;
  }

  @SuppressWarnings("unchecked")
  private static void write(Object value, DataOutputViewStreamWrapper out) throws IOException {
    ValueSerializer<Object> serializer =
        new ValueSerializer<>(ValueFormat.of((Class<Object>) value.getClass()));
    TypeSerializerSnapshot.writeVersionedSnapshot(out, serializer.snapshotConfiguration());
    serializer.serialize(value, out);
  }

  private static Object read(DataInputViewStreamWrapper in) throws IOException {
    TypeSerializerSnapshot<Object> snapshot =
        TypeSerializerSnapshot.readVersionedSnapshot(in, StateFormatTest.class.getClassLoader());
    return snapshot.restoreSerializer().deserialize(in);
  }

  private static byte[] all() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputViewStreamWrapper out = new DataOutputViewStreamWrapper(bytes);
    for (Object value : values()) {
      write(value, out);
    }
    write(LearnerState.of(learner()), out);
    return bytes.toByteArray();
  }

  private static void assertAll(byte[] bytes) throws IOException {
    DataInputViewStreamWrapper in = new DataInputViewStreamWrapper(new ByteArrayInputStream(bytes));
    for (Object expected : values()) {
      assertThat(read(in)).isEqualTo(expected);
    }
    LearnerState state = (LearnerState) read(in);
    assertThat(state.isDecoded()).isFalse();
    assertThat(state.instances()).isEqualTo(40);
    Pipeline alone = learner();
    Features x = Features.dense(0.1, -0.2, 0.3);
    assertThat(state.pipeline().score(x)).isEqualTo(alone.score(x));
    state.pipeline().learn(x, 1, 1);
    alone.learn(x, 1, 1);
    assertThat(Arrays.equals(state.toBytes(), alone.toBytes())).isTrue();
    assertThat(in.read()).isEqualTo(-1);
  }

  @Test
  void everyValueComesBack() throws IOException {
    assertAll(all());
  }

  @Test
  void whatTheFirstVersionWroteIsRead() throws IOException {
    if (System.getProperty("fixture.write") != null) {
      Path file = Path.of("src/test/resources" + FROZEN);
      assertThat(file).as("a frozen file is never written anew").doesNotExist();
      Files.write(file, all());
    }
    try (InputStream in = StateFormatTest.class.getResourceAsStream(FROZEN)) {
      assertAll(in.readAllBytes());
    }
  }

  @Test
  void olderStateIsMigratedAndNewerOrForeignStateIsRefused() {
    List<Boolean> found = new ArrayList<>();
    var now = new ValueSerializerSnapshot<AvmRow>("row", 3);
    found.add(now.resolveSchemaCompatibility(snapshot("row", 3)).isCompatibleAsIs());
    found.add(now.resolveSchemaCompatibility(snapshot("row", 1)).isCompatibleAfterMigration());
    found.add(now.resolveSchemaCompatibility(snapshot("row", 4)).isIncompatible());
    found.add(now.resolveSchemaCompatibility(snapshot("model", 3)).isIncompatible());
    assertThat(found).containsOnly(true);
  }

  private static ValueSerializerSnapshot<AvmRow> snapshot(String name, int version) {
    return new ValueSerializerSnapshot<>(name, version);
  }
}
