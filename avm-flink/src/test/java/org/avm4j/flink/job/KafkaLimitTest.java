package org.avm4j.flink.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.apache.flink.streaming.api.operators.ProcessOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.record.AbstractRecords;
import org.apache.kafka.common.record.CompressionType;
import org.apache.kafka.common.record.RecordBatch;
import org.avm4j.flink.AvmStreams;
import org.avm4j.flink.DeadLetter;
import org.junit.jupiter.api.Test;

/** No message to or from Kafka fails the job. */
@SuppressWarnings("try")
class KafkaLimitTest {
  private static final int LIMIT = 100_000;

  @Test
  void aMessageThatIsTooLargeIsADeadLetterAndTheNextOneIsWritten() throws Exception {
    try (var harness =
        new OneInputStreamOperatorTestHarness<>(
            new ProcessOperator<>(new SizeLimit("answers", LIMIT)))) {
      harness.open();
      Line large = new Line("k", "x".repeat(LIMIT));
      Line fits = new Line("key", "ä".repeat((LIMIT - 103) / 2));
      harness.processElement(new StreamRecord<>(large));
      harness.processElement(new StreamRecord<>(fits));
      assertThat(harness.extractOutputValues()).extracting(Line::text).containsExactly(fits.text());
      assertThat(kafkaSize(fits)).isBetween(LIMIT - 30, LIMIT);
      DeadLetter letter = harness.getSideOutput(AvmStreams.DEAD_LETTERS).peek().getValue();
      assertThat(letter.kind()).isEqualTo("size");
      assertThat(letter.row()).hasSizeLessThan(10_100);
      assertThat(letter.reason())
          .isEqualTo(
              "a message of answers has at most 100,000 bytes (--kafka-limit), found 100,101");
    }
  }

  /** By this figure Kafka's producer decides. */
  private static int kafkaSize(Line line) {
    return AbstractRecords.estimateSizeInBytesUpperBound(
        RecordBatch.CURRENT_MAGIC_VALUE,
        CompressionType.NONE,
        line.key().getBytes(StandardCharsets.UTF_8),
        line.text().getBytes(StandardCharsets.UTF_8),
        new Header[0]);
  }

  @Test
  void everyDeadLetterFits() {
    String worst = "\u0001".repeat(LIMIT);
    String json = JsonLines.of(new DeadLetter(worst, DeadLetter.SIZE, worst));
    assertThat(kafkaSize(new Line("", json))).isLessThan(LIMIT);
    assertThatThrownBy(() -> new Connectors("broker:9092", "avm", LIMIT - 1, null))
        .hasMessageContaining("--kafka-limit must be at least 100000 bytes");
  }

  @Test
  void aMessageWithoutAValueIsAnEmptyLine() {
    Connectors.LineSchema lines = new Connectors.LineSchema();
    assertThat(lines.deserialize(null)).isEmpty();
    assertThat(lines.deserialize(new byte[] {'a'})).isEqualTo("a");
  }
}
