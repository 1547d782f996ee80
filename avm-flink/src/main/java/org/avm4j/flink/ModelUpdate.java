package org.avm4j.flink;

import java.io.IOException;
import java.util.Arrays;
import org.apache.flink.api.common.typeinfo.TypeInfo;
import org.avm4j.Model;

/**
 * A model on its way: a learner as it was at some row, or a frozen model to score with.
 *
 * @param key the key that it learned, or the name of the model
 * @param version which one it is
 * @param bytes a model file
 */
@TypeInfo(ValueTypeFactory.class)
public record ModelUpdate(String key, String version, byte[] bytes) {
  /** The model, frozen. */
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
