package org.avm4j.flink;

import java.lang.reflect.Type;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInfoFactory;
import org.apache.flink.api.common.typeinfo.TypeInformation;

/** Makes Flink serialize the values of this package by {@link ValueSerializer}. */
public final class ValueTypeFactory<T> extends TypeInfoFactory<T> {
  /** Used by Flink, which creates one for each type. */
  public ValueTypeFactory() {}

  @Override
  @SuppressWarnings("unchecked")
  public TypeInformation<T> createTypeInfo(
      Type type, Map<String, TypeInformation<?>> genericParameters) {
    return new ValueType<>((Class<T>) type);
  }
}
