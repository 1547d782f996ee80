package org.avm4j.flink;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/** What arrived at the end of a stream in this process. */
final class Collected<T> extends RichMapFunction<T, T> {
  private static final long serialVersionUID = 1L;
  private static final Map<String, Collection<Object>> ALL = new ConcurrentHashMap<>();

  private final String name;

  private Collected(String name) {
    this.name = name;
  }

  /** Remembers all that comes, under a name. */
  @SuppressWarnings("unchecked")
  static <T> Collection<T> of(DataStream<T> stream, String name) {
    Collection<Object> all = new ConcurrentLinkedQueue<>();
    ALL.put(name, all);
    stream
        .map(new Collected<T>(name))
        .returns(stream.getType())
        .sinkTo(new DiscardingSink<>())
        .uid("collect-" + name);
    return (Collection<T>) all;
  }

  @Override
  public T map(T value) {
    ALL.get(name).add(value);
    return value;
  }
}
