package org.avm4j.flink.job;

import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.avm4j.flink.AvmStreams;
import org.avm4j.flink.DeadLetter;

/** Parses lines; malformed ones become dead letters. */
final class RowParsing<T> extends ProcessFunction<String, T> {
  private static final long serialVersionUID = 1L;

  private final LineParser<T> parser;
  private transient Counter malformed;

  RowParsing(LineParser<T> parser) {
    this.parser = parser;
  }

  @Override
  public void open(org.apache.flink.api.common.functions.OpenContext context) {
    malformed = getRuntimeContext().getMetricGroup().addGroup("avm").counter("malformed");
  }

  @Override
  public void processElement(String line, Context context, Collector<T> out) {
    if (line.isBlank()) {
      return;
    }
    T value;
    try {
      value = parser.parse(line);
    } catch (IllegalArgumentException refused) {
      malformed.inc();
      context.output(
          AvmStreams.DEAD_LETTERS,
          new DeadLetter(line, DeadLetter.MALFORMED, refused.getMessage()));
      return;
    }
    if (value != null) {
      out.collect(value);
    }
  }

  /** Parses a line into a value, or null for a header; throws an exception if it is malformed. */
  interface LineParser<T> extends java.io.Serializable {
    T parse(String line);
  }
}
