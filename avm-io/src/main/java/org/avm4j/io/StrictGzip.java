package org.avm4j.io;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * Decompresses gzip to its last byte. {@link GZIPInputStream} ignores anything after the last
 * member; here it is an error, because it may be the rest of a damaged file.
 */
final class StrictGzip extends GZIPInputStream {
  private static final int TRAILER = 8;

  private long readAtFill;

  StrictGzip(InputStream in, int buffer) throws IOException {
    super(new Counted(in), buffer);
  }

  @Override
  protected void fill() throws IOException {
    super.fill();
    readAtFill = counted().bytes;
  }

  @Override
  public int read(byte[] bytes, int from, int length) throws IOException {
    int count = super.read(bytes, from, length);
    if (count < 0 && bytesAfterData() > TRAILER) {
      throw new ZipException("there is extra data after the compressed data");
    }
    return count;
  }

  /** The number of bytes after the compressed data: in the buffer, and read since it was filled. */
  private long bytesAfterData() {
    return inf.getRemaining() + counted().bytes - readAtFill;
  }

  private Counted counted() {
    return (Counted) in;
  }

  /** Counts bytes. Hides that a pipe has none available, which would be taken for the end. */
  private static final class Counted extends FilterInputStream {
    private long bytes;

    Counted(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int value = super.read();
      bytes += value < 0 ? 0 : 1;
      return value;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
      int count = super.read(into, from, length);
      bytes += Math.max(0, count);
      return count;
    }

    @Override
    public int available() {
      return 1;
    }
  }
}
