package org.avm4j.io;

import java.io.IOException;
import java.io.InputStream;

/** A stream whose bytes are read in blocks; a single byte is a block of one. */
abstract class BlockInputStream extends InputStream {
  @Override
  public final int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public abstract int read(byte[] target, int from, int length) throws IOException;
}
