package org.avm4j.serve;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Locale;
import java.util.zip.GZIPInputStream;

/** Decompresses bodies by their {@code Content-Encoding}. */
final class GzipBody {
  private static final int BUFFER = 1 << 16;

  private GzipBody() {}

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
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        if (out.size() + n > most) {
          throw new Problem(413, "a body must have at most " + most + " bytes after decompression");
        }
        out.write(buffer, 0, n);
      }
    } catch (IOException malformed) {
      throw Problem.malformed("the body is not complete, valid gzip data");
    }
    return out.toByteArray();
  }
}
