package org.avm4j.flink;

import java.lang.reflect.Type;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInfoFactory;
import org.apache.flink.api.common.typeinfo.TypeInformation;

/** Tells Flink how the values of this package become bytes, wherever they appear in a job. */
public final class ValueTypeFactory<T> extends TypeInfoFactory<T> {
  /** Flink makes one for each type. */
  public ValueTypeFactory() {}

  @Override
  @SuppressWarnings("unchecked")
  public TypeInformation<T> createTypeInfo(
      Type type, Map<String, TypeInformation<?>> genericParameters) {
    return new ValueType<>((Class<T>) type);
  }
}
