package org.avm4j.flink.job;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.avm4j.flink.AvmStreams;
import org.avm4j.flink.DeadLetter;

/**
 * Turns each line that is too large for Kafka into a dead letter; otherwise the job would fail
 * after every restart.
 */
final class SizeLimit extends ProcessFunction<Line, Line> {
  private static final long serialVersionUID = 1L;

  /** Maximum number of bytes that Kafka adds to the key and the text of a message. */
  private static final int OVERHEAD = 100;

  private final String what;
  private final int limit;
  private transient Counter tooLarge;

  /**
   * Lets lines pass up to a limit.
   *
   * @param what the content of the lines, for messages
   * @param limit the largest message in bytes
   */
  SizeLimit(String what, int limit) {
    this.what = what;
    this.limit = limit;
  }

  @Override
  public void open(OpenContext context) {
    tooLarge = getRuntimeContext().getMetricGroup().addGroup("avm").counter("tooLarge");
  }

  @Override
  public void processElement(Line line, Context context, Collector<Line> out) {
    long size = OVERHEAD + bytes(line.key()) + bytes(line.text());
    if (size <= limit) {
      out.collect(line);
      return;
    }
    tooLarge.inc();
    String reason =
        String.format(
            Locale.ROOT,
            "a message of %s has at most %,d bytes (--kafka-limit), found %,d",
            what,
            limit,
            size);
    context.output(AvmStreams.DEAD_LETTERS, new DeadLetter(line.text(), DeadLetter.SIZE, reason));
  }

  private static long bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
