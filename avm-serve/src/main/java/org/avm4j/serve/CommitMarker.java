package org.avm4j.serve;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * Keeps the number of acknowledged transactions in a small file beside the store. It is written
 * after each commit and not synced: it may lag behind the store, but never runs ahead of it. A
 * store with fewer commits than its marker has lost some, for instance because its write-ahead log
 * was truncated. The database itself cannot tell such a log from one that ended there.
 */
final class CommitMarker implements Closeable {
  private final FileChannel channel;
  private final ByteBuffer buffer = ByteBuffer.allocate(16);

  CommitMarker(Path file) throws IOException {
    channel =
        FileChannel.open(
            StoreFolder.restrictToOwner(file), StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  /** The number written last; 0 if the file is too short or its checksum is wrong. */
  long read() throws IOException {
    buffer.clear();
    if (channel.read(buffer, 0) < 16) {
      return 0;
    }
    long commits = buffer.getLong(0);
    return buffer.getLong(8) == checksum(commits) ? commits : 0;
  }

  void write(long commits) throws IOException {
    buffer.clear();
    buffer.putLong(0, commits).putLong(8, checksum(commits));
    channel.write(buffer, 0);
  }

  private static long checksum(long commits) {
    CRC32C sum = new CRC32C();
    sum.update(ByteBuffer.allocate(8).putLong(0, commits));
    return sum.getValue();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
