package org.avm4j.flink.job;

/** A line of output. Public fields and an empty constructor make it a POJO for Flink. */
public final class Line {
  /** The key of the line; Kafka keeps the lines of a key in order. */
  public String key;

  /** The line. */
  public String text;

  /** An empty line. */
  public Line() {}

  Line(String key, String text) {
    this.key = key;
    this.text = text;
  }

  String key() {
    return key;
  }

  String text() {
    return text;
  }
}
