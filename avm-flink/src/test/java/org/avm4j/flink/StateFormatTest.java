package org.avm4j.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputViewStreamWrapper;
import org.apache.flink.core.memory.DataOutputViewStreamWrapper;
import org.avm4j.Certainty.Interval;
import org.avm4j.Features;
import org.avm4j.data.Row;
import org.avm4j.pipeline.Pipeline;
import org.junit.jupiter.api.Test;

/**
 * State that was written once is read for ever: {@code formats-v1.bin} and {@code formats-v2.bin}
 * hold a value of every format as these versions wrote it, {@code answers-v3.bin} answers that say
 * how sure they are, {@code answers-v4.bin} answers to far rows. They are never written anew.
 */
class StateFormatTest {
  private static final Path FROZEN = Path.of("src/test/resources");

  /** The values; the first version had no kind of a dead letter. */
  private static List<Object> values(String kind) {
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
        new AvmRow("k", null, new Row.Texts(texts), null, 0.5),
        label,
        new AvmAnswer(
            "k", "7", 1.0, new double[] {0.1, -3}, new double[] {0.25, 0.75}, "ham", "12"),
        new DeadLetter("{", kind, "expected JSON"),
        new ModelUpdate("k", "3", new byte[] {1, 2, 3}),
        new WaitingRow(indexed, 123456789L, -1.0),
        new WaitingLabel(label, 42));
  }

  private static Pipeline learner() {
    Pipeline pipeline = LearnerRecipe.of(TestStream.SMALL).create();
    for (AvmRow row : TestStream.list(1, 40)) {
      pipeline.learn(TestStream.features(row), (Double) row.label(), 1);
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

  private static void writeValues(DataOutputViewStreamWrapper out) throws IOException {
    for (Object value : values(DeadLetter.MALFORMED)) {
      write(value, out);
    }
  }

  private static void assertValues(DataInputViewStreamWrapper in, String kind) throws IOException {
    for (Object expected : values(kind)) {
      assertThat(read(in)).isEqualTo(expected);
    }
  }

  private static void assertLearner(DataInputViewStreamWrapper in) throws IOException {
    LearnerState state = (LearnerState) read(in);
    assertThat(state.isDecoded()).isFalse();
    assertThat(state.instances()).isEqualTo(40);
    Pipeline alone = learner();
    Features x = Features.dense(0.1, -0.2, 0.3);
    assertThat(state.pipeline().score(x)).isEqualTo(alone.score(x));
    state.pipeline().learn(x, 1, 1);
    alone.learn(x, 1, 1);
    assertThat(state.pipeline().score(x)).isEqualTo(alone.score(x));
  }

  @Test
  void everyValueComesBack() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputViewStreamWrapper out = new DataOutputViewStreamWrapper(bytes);
    writeValues(out);
    write(LearnerState.of(learner()), out);
    DataInputViewStreamWrapper in = input(bytes.toByteArray());
    assertValues(in, DeadLetter.MALFORMED);
    assertLearner(in);
    assertThat(in.read()).isEqualTo(-1);
  }

  @Test
  void whatTheFirstVersionWroteIsRead() throws IOException {
    DataInputViewStreamWrapper in = input(Files.readAllBytes(FROZEN.resolve("formats-v1.bin")));
    assertValues(in, DeadLetter.UNKNOWN);
    assertLearner(in);
    assertThat(in.read()).isEqualTo(-1);
  }

  /** Answers whose interval is infinite to one side, and whose set is empty. */
  private static List<AvmAnswer> sureAnswers() {
    AvmAnswer plain = (AvmAnswer) values(DeadLetter.MALFORMED).get(4);
    return List.of(
        plain.with(new Interval(-2.5, Double.POSITIVE_INFINITY), null, false),
        plain.with(null, List.of("spam", 3.5), false),
        plain.with(null, List.of(), false));
  }

  @Test
  void answersThatSayHowSureTheyAreAreRead() throws IOException {
    assertRead("answers-v3.bin", sureAnswers());
  }

  @Test
  void answersToFarRowsAreRead() throws IOException {
    List<AvmAnswer> answers = new ArrayList<>(sureAnswers());
    sureAnswers().forEach(a -> answers.add(a.with(a.interval(), a.labels(), true)));
    assertRead("answers-v4.bin", answers);
  }

  /** Reads answers that are written now, and those of a frozen file. */
  private static void assertRead(String frozen, List<AvmAnswer> answers) throws IOException {
    Path file = FROZEN.resolve(frozen);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (AvmAnswer answer : answers) {
      write(answer, new DataOutputViewStreamWrapper(bytes));
    }
    if (System.getProperty("fixture.write") != null && Files.notExists(file)) {
      Files.write(file, bytes.toByteArray());
    }
    for (byte[] found : List.of(bytes.toByteArray(), Files.readAllBytes(file))) {
      DataInputViewStreamWrapper in = input(found);
      for (AvmAnswer expected : answers) {
        assertThat(read(in)).isEqualTo(expected);
      }
      assertThat(in.read()).isEqualTo(-1);
    }
  }

  @Test
  void whatTheSecondVersionWroteIsRead() throws IOException {
    Path file = FROZEN.resolve("formats-v2.bin");
    DataInputViewStreamWrapper in = input(Files.readAllBytes(file));
    assertValues(in, DeadLetter.MALFORMED);
    assertThat(in.read()).isEqualTo(-1);
  }

  private static DataInputViewStreamWrapper input(byte[] bytes) {
    return new DataInputViewStreamWrapper(new ByteArrayInputStream(bytes));
  }

  /** In the first version a value of an unknown kind was read as a text. */
  @Test
  void unknownTagsAndVersionsAreRefused() throws IOException {
    byte[] label = bytes(new LateLabel("k", "7", 1.0, 2));
    assertThat(label[6]).as("the tag of a number").isEqualTo((byte) 2);
    label[6] = 77;
    assertRefused("late-label", 2, label, "the unknown kind 77");
    byte[] first = {0, 0, 0, 1, 'k', -1, -1, -1, -1, 66};
    assertRefused("late-label", 1, first, "the unknown kind 66");
    assertRefused("row", 1, first, "the unknown form 66");
    byte[] row = bytes(AvmRow.of("k", Features.dense(1), 1));
    assertThat(row[4]).as("the form by index").isZero();
    row[4] = 9;
    assertRefused("row", 2, row, "the unknown form 9");
    byte[] waiting = bytes(new WaitingRow(AvmRow.of("k", Features.dense(1), 1), 3, null));
    assertThat(waiting[0]).as("the version of the row").isEqualTo((byte) 2);
    waiting[0] = 3;
    assertRefused("waiting-row", 2, waiting, "no version 3 of the format row");
  }

  private static void assertRefused(String format, int version, byte[] bytes, String why) {
    assertThatThrownBy(() -> new ValueSerializer<>(format, version).deserialize(input(bytes)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(why);
  }

  @SuppressWarnings("unchecked")
  private static byte[] bytes(Object value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new ValueSerializer<>(ValueFormat.of((Class<Object>) value.getClass()))
        .serialize(value, new DataOutputViewStreamWrapper(bytes));
    return bytes.toByteArray();
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
