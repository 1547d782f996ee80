package org.avm4j.flink;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * The description of values in a savepoint: the name and the version of their format. Flink creates
 * it by reflection when a savepoint is opened.
 */
public final class ValueSerializerSnapshot<T> implements TypeSerializerSnapshot<T> {
  private static final int VERSION = 1;

  private String name;
  private int formatVersion;

  /** Used by Flink, which then calls {@link #readSnapshot}. */
  public ValueSerializerSnapshot() {}

  ValueSerializerSnapshot(String name, int formatVersion) {
    this.name = name;
    this.formatVersion = formatVersion;
  }

  @Override
  public int getCurrentVersion() {
    return VERSION;
  }

  @Override
  public void writeSnapshot(DataOutputView out) throws IOException {
    out.writeUTF(name);
    out.writeInt(formatVersion);
  }

  @Override
  public void readSnapshot(int version, DataInputView in, ClassLoader loader) throws IOException {
    if (version != VERSION) {
      throw new IOException("this library reads state of version " + VERSION + ": " + version);
    }
    name = in.readUTF();
    formatVersion = in.readInt();
  }

  @Override
  public TypeSerializer<T> restoreSerializer() {
    return new ValueSerializer<>(name, formatVersion);
  }

  /** Older versions are migrated; newer ones are rejected. */
  @Override
  public TypeSerializerSchemaCompatibility<T> resolveSchemaCompatibility(
      TypeSerializerSnapshot<T> old) {
    if (!(old instanceof ValueSerializerSnapshot<T> that)
        || !that.name.equals(name)
        || that.formatVersion > formatVersion) {
      return TypeSerializerSchemaCompatibility.incompatible();
    }
    return that.formatVersion == formatVersion
        ? TypeSerializerSchemaCompatibility.compatibleAsIs()
        : TypeSerializerSchemaCompatibility.compatibleAfterMigration();
  }
}
