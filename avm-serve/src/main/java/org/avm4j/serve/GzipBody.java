package org.avm4j.serve;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** Decompresses bodies by their {@code Content-Encoding}. */
final class GzipBody {
  private static final int BUFFER = 1 << 16;

  private GzipBody() {}

  /** One or several gzip members; the JDK's stream silently leaves out bytes that are no member. */
  private static final class Members extends GZIPInputStream {
    /** The length of the checksum and the size, which end a member. */
    private static final int TRAILER = 8;

    /** The most empty members in a row: the JDK's stream calls itself for each. */
    private static final int MAX_EMPTY = 100;

    private int empty;

    /** A buffer as large as the body: all that the last member leaves over stays in it. */
    Members(byte[] packed) throws IOException {
      super(new ByteArrayInputStream(packed), Math.max(1, packed.length));
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
      if (empty == MAX_EMPTY) {
        throw new ZipException("too many empty members");
      }
      empty++;
      try {
        return super.read(into, from, length);
      } finally {
        empty--;
      }
    }

    /** Whether bytes follow the last member, once its end was reached. */
    boolean hasMore() {
      return inf.getRemaining() > TRAILER;
    }
  }

  /** Whether a body is compressed by gzip; any other encoding is refused. */
  static boolean isPacked(String encoding) {
    String word = encoding == null ? "identity" : encoding.strip().toLowerCase(Locale.ROOT);
    if (!word.equals("identity") && !word.equals("gzip") && !word.equals("x-gzip")) {
      throw new Problem(415, "the content encoding must be gzip or identity");
    }
    return !word.equals("identity");
  }

  /** The decompressed bytes, which have the same size limit as an uncompressed body. */
  static byte[] unpack(byte[] packed, int most) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(Math.min(most, 4 * packed.length));
    byte[] buffer = new byte[BUFFER];
    try (Members in = new Members(packed)) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        if (out.size() + n > most) {
          throw new Problem(413, "a body must have at most " + most + " bytes after decompression");
        }
        out.write(buffer, 0, n);
      }
      if (in.hasMore()) {
        throw Problem.malformed("the body goes on after the end of its gzip");
      }
    } catch (IOException malformed) {
      throw Problem.malformed("the body is not complete, valid gzip data");
    }
    return out.toByteArray();
  }
}
