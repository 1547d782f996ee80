package org.avm4j.codec;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;

/**
 * Something that can be saved to a file, a stream or an array, always as the same bytes.
 *
 * <p>An implementation names its kind and appends its content; {@link ModelFile} adds the frame
 * with the version and the checksum, and finds the reader of the kind when the bytes come back.
 */
public interface Savable {
  /** Returns the name by which a reader of these bytes is found, such as {@code avm-model}. */
  String kind();

  /** Appends the content, without the frame; the state of this object does not change. */
  void encode(Encoder out);

  /**
   * Returns the bytes that {@link #save} would put into a file.
   *
   * @throws IllegalStateException if they exceed the 2 GB that fit into an array
   */
  default byte[] toBytes() {
    return ModelFile.toBytes(this);
  }

  /**
   * Saves to a file, replacing what it held.
   *
   * <p>The bytes are written beside the file, synced to the disk, and renamed over it, so that a
   * crash or a full disk at any moment leaves the old file or the new one, never a mixture. When
   * the method returns, the new content survives a power failure.
   */
  default void save(Path file) throws IOException {
    ModelFile.write(file, this);
  }

  /**
   * Writes the bytes that {@link #save} would put into a file.
   *
   * <p>The stream is neither flushed nor closed. Several objects can be written one after the
   * other, and read back by {@link ModelFile#read(java.io.InputStream)} in the same order.
   */
  default void write(OutputStream out) throws IOException {
    ModelFile.write(out, this);
  }
}
