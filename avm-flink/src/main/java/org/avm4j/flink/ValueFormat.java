package org.avm4j.flink;

import java.io.IOException;
import java.util.List;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * The binary format of a type. Names and versions are written into savepoints: a name is never
 * reused, and every released version stays readable.
 */
abstract class ValueFormat<T> {
  private final String name;
  private final int version;
  private final Class<T> type;

  ValueFormat(String name, int version, Class<T> type) {
    this.name = name;
    this.version = version;
    this.type = type;
  }

  final String name() {
    return name;
  }

  /** The version that is written. */
  final int version() {
    return version;
  }

  abstract void write(T value, DataOutputView out) throws IOException;

  /** Reads a value that was written in this version or an older one. */
  abstract T read(DataInputView in, int writtenVersion) throws IOException;

  boolean isImmutable() {
    return true;
  }

  T copy(T from) {
    return from;
  }

  private static List<ValueFormat<?>> all() {
    return Formats.ALL;
  }

  @SuppressWarnings("unchecked")
  static <T> ValueFormat<T> of(Class<T> type) {
    return (ValueFormat<T>)
        all().stream()
            .filter(format -> format.type == type)
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("no format for " + type));
  }

  @SuppressWarnings("unchecked")
  static <T> ValueFormat<T> named(String name) {
    return (ValueFormat<T>)
        all().stream()
            .filter(format -> format.name.equals(name))
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("no format is called " + name));
  }
}
