package org.avm4j.flink;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Writes values in the current version of their {@link ValueFormat}, and reads them in the version
 * in which they were written.
 */
final class ValueSerializer<T> extends TypeSerializer<T> {
  private static final long serialVersionUID = 1L;

  private final String name;
  private final int version;
  private transient ValueFormat<T> format;

  ValueSerializer(ValueFormat<T> format) {
    this(format.name(), format.version());
  }

  /** A serializer that reads values of a given version. */
  ValueSerializer(String name, int version) {
    this.name = name;
    this.version = version;
  }

  private ValueFormat<T> format() {
    if (format == null) {
      format = ValueFormat.named(name);
    }
    return format;
  }

  @Override
  public boolean isImmutableType() {
    return format().copier() == null;
  }

  @Override
  public TypeSerializer<T> duplicate() {
    return this;
  }

  @Override
  public T createInstance() {
    return null;
  }

  @Override
  public T copy(T from) {
    return isImmutableType() ? from : format().copier().apply(from);
  }

  @Override
  public T copy(T from, T reuse) {
    return copy(from);
  }

  @Override
  public int getLength() {
    return -1;
  }

  @Override
  public void serialize(T value, DataOutputView out) throws IOException {
    format().writer().write(value, out);
  }

  @Override
  public T deserialize(DataInputView in) throws IOException {
    return format().reader().read(in, version);
  }

  @Override
  public T deserialize(T reuse, DataInputView in) throws IOException {
    return deserialize(in);
  }

  @Override
  public void copy(DataInputView from, DataOutputView to) throws IOException {
    serialize(deserialize(from), to);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ValueSerializer<?> that
        && name.equals(that.name)
        && version == that.version;
  }

  @Override
  public int hashCode() {
    return 31 * name.hashCode() + version;
  }

  @Override
  public TypeSerializerSnapshot<T> snapshotConfiguration() {
    return new ValueSerializerSnapshot<>(name, format().version());
  }
}
