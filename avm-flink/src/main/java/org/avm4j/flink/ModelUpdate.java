package org.avm4j.flink;

import java.io.IOException;
import java.io.Serializable;
import java.util.Arrays;
import org.apache.flink.api.common.typeinfo.TypeInfo;
import org.avm4j.Model;

/**
 * A model as a stream element: a copy of a learner, or a frozen model to score with.
 *
 * @param key the key of the learner, or the name of the model
 * @param version the version of the model; for a learner, the number of learned rows
 * @param bytes the bytes of a model file
 */
@TypeInfo(ValueTypeFactory.class)
public record ModelUpdate(String key, String version, byte[] bytes) implements Serializable {
  /** Decodes the model as a frozen one. */
  public Model model() throws IOException {
    return Model.fromBytes(bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ModelUpdate that
        && key.equals(that.key)
        && version.equals(that.version)
        && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return 31 * key.hashCode() + version.hashCode();
  }
}
