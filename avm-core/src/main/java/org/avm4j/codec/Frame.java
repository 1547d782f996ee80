package org.avm4j.codec;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The frame drawn in {@link ModelFile}: the version and the payload that were found between a valid
 * header and a valid checksum. The payload is held in chunks.
 */
record Frame(int version, List<ByteBuffer> payload) {
  /** The number of bytes of a stream whose end is not known. */
  static final long UNKNOWN = -1;

  static final int LARGEST_CHUNK = 1 << 20;

  private static final int FIRST_CHUNK = 1 << 16;
  private static final byte[] MAGIC = {'A', 'V', 'M', '4', 'J', '\r', '\n', 0};
  private static final int HEADER = 20;
  private static final int CHECKSUM = 4;

  /** The payload with the header before it and the checksum after it; nothing is copied. */
  static Encoder around(Encoder payload) {
    ByteBuffer header = ByteBuffer.allocate(HEADER);
    header.put(MAGIC).putInt(ModelFile.VERSION).putLong(payload.length()).flip();
    CRC32C crc = startChecksum(header.array());
    Encoder framed = new Encoder();
    framed.append(header);
    for (ByteBuffer chunk : payload.chunks()) {
      crc.update(chunk.duplicate());
      framed.append(chunk);
    }
    framed.append(ByteBuffer.allocate(CHECKSUM).putInt(0, (int) crc.getValue()));
    return framed;
  }

  /**
   * Reads one frame and not a byte more.
   *
   * @param total how many bytes there are, none of which may follow the frame, or {@link #UNKNOWN}
   * @param largestChunk memory is taken in chunks of at most this many bytes, and only as fast as
   *     bytes arrive, so that a forged length costs nothing
   */
  static Frame read(InputStream in, long total, int largestChunk) throws IOException {
    byte[] header = in.readNBytes(HEADER);
    checkHeader(header);
    int version = ByteBuffer.wrap(header).getInt(MAGIC.length);
    if (version < ModelFile.OLDEST || version > ModelFile.VERSION) {
      boolean isLater = version > ModelFile.VERSION && isIntact(in, header, total, largestChunk);
      throw new ModelFileException(unknown(version), null, isLater);
    }
    return new Frame(version, readChecked(in, header, total, largestChunk));
  }

  /** Reads the payload and the checksum after a header. */
  private static List<ByteBuffer> readChecked(
      InputStream in, byte[] header, long total, int largestChunk) throws IOException {
    long length = ByteBuffer.wrap(header).getLong(MAGIC.length + 4);
    checkLength(length, total);
    CRC32C crc = startChecksum(header);
    List<ByteBuffer> payload = readPayload(in, length, largestChunk, crc);
    byte[] checksum = in.readNBytes(CHECKSUM);
    if (checksum.length < CHECKSUM) {
      throw truncated(HEADER + length + checksum.length, length);
    }
    if (ByteBuffer.wrap(checksum).getInt() != (int) crc.getValue()) {
      throw new ModelFileException("the checksum does not match: the file was altered");
    }
    return payload;
  }

  /** Whether what follows a header is whole, so that its version is not damage. */
  private static boolean isIntact(InputStream in, byte[] header, long total, int largestChunk)
      throws IOException {
    try {
      readChecked(in, header, total, largestChunk);
      return true;
    } catch (ModelFileException damage) {
      return false;
    }
  }

  /** Throws an exception if anything follows the frame in a stream. */
  void checkEnd(InputStream in) throws IOException {
    if (in.read() >= 0) {
      long length = new ChunkReader(payload).length();
      throw goesOn("more than " + framed(length), length);
    }
  }

  private static CRC32C startChecksum(byte[] header) {
    CRC32C crc = new CRC32C();
    crc.update(header, MAGIC.length, HEADER - MAGIC.length);
    return crc;
  }

  private static List<ByteBuffer> readPayload(
      InputStream in, long length, int largestChunk, CRC32C crc) throws IOException {
    List<ByteBuffer> payload = new ArrayList<>();
    int size = Math.min(FIRST_CHUNK, largestChunk);
    for (long done = 0; done < length; ) {
      byte[] chunk = new byte[(int) Math.min(length - done, size)];
      int found = in.readNBytes(chunk, 0, chunk.length);
      done += found;
      if (found < chunk.length) {
        throw truncated(HEADER + done, length);
      }
      crc.update(chunk);
      payload.add(ByteBuffer.wrap(chunk));
      size = Math.min(2 * size, largestChunk);
    }
    return payload;
  }

  private static void checkHeader(byte[] header) throws ModelFileException {
    int start = Math.min(header.length, MAGIC.length);
    if (!Arrays.equals(header, 0, start, MAGIC, 0, start)) {
      throw new ModelFileException("not an AVM model file");
    }
    if (header.length < HEADER) {
      throw new ModelFileException("the file is truncated: " + header.length + " bytes are left");
    }
  }

  private static String unknown(int version) {
    return "format version "
        + version
        + " is unknown, this library reads versions "
        + ModelFile.OLDEST
        + " to "
        + ModelFile.VERSION;
  }

  private static void checkLength(long length, long total) throws ModelFileException {
    if (length < 0 || length > Long.MAX_VALUE - HEADER - CHECKSUM) {
      throw new ModelFileException("damaged header: no payload has this length: " + length);
    }
    if (total != UNKNOWN && framed(length) > total) {
      throw truncated(total, length);
    }
    if (total != UNKNOWN && framed(length) < total) {
      throw goesOn(Long.toString(total), length);
    }
  }

  private static ModelFileException truncated(long found, long length) {
    return new ModelFileException(
        "the file is truncated: " + found + " bytes of " + framed(length));
  }

  private static ModelFileException goesOn(String found, long length) {
    return new ModelFileException(
        "the file goes on after its end: " + found + " bytes instead of " + framed(length));
  }

  static long framed(long length) {
    return HEADER + length + CHECKSUM;
  }
}
