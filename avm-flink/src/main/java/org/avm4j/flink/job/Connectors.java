package org.avm4j.flink.job;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.SimpleStringEncoder;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.file.sink.FileSink;
import org.apache.flink.connector.file.src.FileSource;
import org.apache.flink.connector.file.src.reader.TextLineInputFormat;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.filesystem.rollingpolicies.OnCheckpointRollingPolicy;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.avm4j.flink.AvmStreams;
import org.avm4j.flink.DeadLetter;

/**
 * Sources and sinks of lines: {@code kafka:TOPIC}, a file, or a folder of files.
 *
 * @param servers the brokers as host:port; null without Kafka
 * @param group the consumer group, and the prefix of transactional ids; a job that restarts from a
 *     checkpoint must use the same, and every other job another one
 * @param limit the largest message that Kafka accepts, in bytes
 * @param lateness how far messages may be out of order by their timestamps; null without event time
 */
record Connectors(String servers, String group, int limit, Duration lateness) {
  private static final String KAFKA = "kafka:";
  private static final String PACKED = ".gz";

  /**
   * Transaction timeout, longer than any outage that a job survives; the broker's default limit is
   * 15 minutes.
   */
  private static final String TRANSACTION_MILLIS = "600000";

  /** The time without messages after which a partition counts as idle. */
  private static final Duration IDLE = Duration.ofMinutes(1);

  /** Lower bound of the limit, so that every dead letter fits. */
  private static final int SMALLEST_LIMIT = 100_000;

  Connectors {
    if (limit < SMALLEST_LIMIT) {
      throw new IllegalArgumentException(
          "--kafka-limit must be at least " + SMALLEST_LIMIT + " bytes: " + limit);
    }
  }

  static boolean isKafka(String place) {
    return place.startsWith(KAFKA);
  }

  /** Reads lines in order: with one reader for files, or one for each partition of a topic. */
  SingleOutputStreamOperator<String> read(
      StreamExecutionEnvironment env, String place, String name) {
    if (isKafka(place)) {
      return env.fromSource(topic(place), watermarks(), name).uid(name);
    }
    FileSource<String> files =
        FileSource.forRecordStreamFormat(new TextLineInputFormat(), path(place)).build();
    return env.fromSource(files, WatermarkStrategy.noWatermarks(), name)
        .setParallelism(1)
        .uid(name);
  }

  /** Watermarks by the timestamps of messages; idle partitions do not hold up the others. */
  private WatermarkStrategy<String> watermarks() {
    return lateness == null
        ? WatermarkStrategy.noWatermarks()
        : WatermarkStrategy.<String>forBoundedOutOfOrderness(lateness).withIdleness(IDLE);
  }

  private KafkaSource<String> topic(String place) {
    return KafkaSource.<String>builder()
        .setBootstrapServers(brokers(place))
        .setTopics(place.substring(KAFKA.length()))
        .setGroupId(group)
        .setStartingOffsets(OffsetsInitializer.earliest())
        .setProperty("isolation.level", "read_committed")
        .setValueOnlyDeserializer(new LineSchema())
        .build();
  }

  /**
   * Writes lines exactly once: in Kafka transactions, or in files that become visible at
   * checkpoints.
   *
   * @return dead letters for lines that are too large for Kafka
   */
  List<DataStream<DeadLetter>> write(DataStream<Line> lines, String place, String name) {
    if (!isKafka(place)) {
      lines.map(Line::text).returns(String.class).sinkTo(files(place)).uid(name).name(name);
      return List.of();
    }
    SingleOutputStreamOperator<Line> fitting =
        lines.process(new SizeLimit(name, limit)).name("limit " + name);
    fitting.sinkTo(transactions(place, name)).uid(name).name(name);
    return List.of(fitting.getSideOutput(AvmStreams.DEAD_LETTERS));
  }

  private KafkaSink<Line> transactions(String place, String name) {
    Properties settings = new Properties();
    settings.setProperty("transaction.timeout.ms", TRANSACTION_MILLIS);
    settings.setProperty("max.request.size", Integer.toString(limit));
    settings.setProperty("linger.ms", "5");
    return KafkaSink.<Line>builder()
        .setBootstrapServers(brokers(place))
        .setKafkaProducerConfig(settings)
        .setDeliveryGuarantee(DeliveryGuarantee.EXACTLY_ONCE)
        .setTransactionalIdPrefix(group + "-" + name)
        .setRecordSerializer(new LineRecords(place.substring(KAFKA.length())))
        .build();
  }

  private FileSink<String> files(String place) {
    return FileSink.forRowFormat(path(place), new SimpleStringEncoder<String>("UTF-8"))
        .withRollingPolicy(OnCheckpointRollingPolicy.build())
        .build();
  }

  private static org.apache.flink.core.fs.Path path(String place) {
    boolean isLocal = !place.contains("://");
    return new org.apache.flink.core.fs.Path(
        isLocal ? Path.of(place).toAbsolutePath().toUri().toString() : place);
  }

  private String brokers(String place) {
    if (servers == null) {
      throw new IllegalArgumentException("--kafka HOST:PORT is required for " + place);
    }
    return servers;
  }

  /**
   * Throws an exception, before the job starts, if a local input does not exist or has the name of
   * a packed file but not its first bytes.
   */
  static void checkInput(String place) {
    if (isKafka(place) || place.contains("://")) {
      return;
    }
    Path file = Path.of(place);
    if (!Files.exists(file)) {
      throw new JobFailure(JobFailure.NO_INPUT, place + ": no such file");
    }
    if (Files.isRegularFile(file) && place.endsWith(PACKED)) {
      checkPacked(file);
    }
  }

  private static void checkPacked(Path file) {
    try (InputStream packed = Files.newInputStream(file);
        InputStream header = new GZIPInputStream(packed)) {
      header.available();
    } catch (ZipException | EOFException damage) {
      String reason = damage.getMessage() == null ? "unexpected end" : damage.getMessage();
      throw new JobFailure(
          JobFailure.BAD_DATA, file + ": damaged or truncated GZIP data: " + reason);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** Converts messages into lines; a message without a value is an empty line. */
  static final class LineSchema extends SimpleStringSchema {
    private static final long serialVersionUID = 1L;

    @Override
    public String deserialize(byte[] message) {
      return message == null ? "" : super.deserialize(message);
    }
  }

  /** Converts lines into records; the lines of a key go to the same partition. */
  private record LineRecords(String topic) implements KafkaRecordSerializationSchema<Line> {
    @Override
    public ProducerRecord<byte[], byte[]> serialize(
        Line line, KafkaSinkContext context, Long timestamp) {
      return new ProducerRecord<>(topic, utf8(line.key()), utf8(line.text()));
    }

    private static byte[] utf8(String text) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
  }
}
