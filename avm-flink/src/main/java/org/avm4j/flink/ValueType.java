package org.avm4j.flink;

import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** Flink's type information for the values of this package. */
final class ValueType<T> extends TypeInformation<T> {
  private static final long serialVersionUID = 1L;

  private final Class<T> type;

  ValueType(Class<T> type) {
    this.type = type;
  }

  @Override
  public boolean isBasicType() {
    return false;
  }

  @Override
  public boolean isTupleType() {
    return false;
  }

  @Override
  public int getArity() {
    return 1;
  }

  @Override
  public int getTotalFields() {
    return 1;
  }

  @Override
  public Class<T> getTypeClass() {
    return type;
  }

  @Override
  public boolean isKeyType() {
    return false;
  }

  @Override
  public TypeSerializer<T> createSerializer(SerializerConfig config) {
    return new ValueSerializer<>(ValueFormat.of(type));
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof ValueType;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ValueType<?> that && type == that.type;
  }

  @Override
  public int hashCode() {
    return type.hashCode();
  }

  @Override
  public String toString() {
    return type.getSimpleName();
  }
}
