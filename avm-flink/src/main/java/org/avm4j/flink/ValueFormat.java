package org.avm4j.flink;

import java.io.IOException;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * The binary format of a type. Names and versions are written into savepoints: a name is never
 * reused, and every released version stays readable.
 *
 * @param version the version that is written
 * @param copier copies a value; null if values are immutable
 */
record ValueFormat<T>(
    String name,
    int version,
    Class<T> type,
    Writer<T> writer,
    Reader<T> reader,
    UnaryOperator<T> copier) {

  /** Writes a value in the current version. */
  interface Writer<T> {
    void write(T value, DataOutputView out) throws IOException;
  }

  /** Reads a value that was written in the current version or an older one. */
  interface Reader<T> {
    T read(DataInputView in, int writtenVersion) throws IOException;
  }

  /** The format of immutable values. */
  ValueFormat(String name, int version, Class<T> type, Writer<T> writer, Reader<T> reader) {
    this(name, version, type, writer, reader, null);
  }

  static <T> ValueFormat<T> of(Class<T> type) {
    return find(format -> format.type == type, type.getName());
  }

  static <T> ValueFormat<T> named(String name) {
    return find(format -> format.name.equals(name), name);
  }

  @SuppressWarnings("unchecked")
  private static <T> ValueFormat<T> find(Predicate<ValueFormat<?>> which, String what) {
    return (ValueFormat<T>)
        Formats.ALL.stream()
            .filter(which)
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("there is no format for " + what));
  }
}
