package org.avm4j.codec;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * A position in bytes that lie in chunks, where a value may straddle two of them. The caller never
 * reads beyond {@link #length}.
 */
final class ChunkReader {
  private final List<ByteBuffer> chunks;
  private final long length;
  private int next;
  private long start;
  private ByteBuffer chunk = ByteBuffer.allocate(0);

  ChunkReader(List<ByteBuffer> chunks) {
    this.chunks = chunks;
    long sum = 0;
    for (ByteBuffer part : chunks) {
      sum += part.remaining();
    }
    length = sum;
  }

  private ChunkReader(ChunkReader other) {
    chunks = other.chunks;
    length = other.length;
    next = other.next;
    start = other.start;
    chunk = other.chunk.duplicate();
  }

  /** A reader at the same position that moves on its own. */
  ChunkReader copy() {
    return new ChunkReader(this);
  }

  long length() {
    return length;
  }

  /** The number of bytes read so far. */
  long position() {
    return start + chunk.position();
  }

  byte int8() {
    while (!chunk.hasRemaining()) {
      advance();
    }
    return chunk.get();
  }

  int int32() {
    return chunk.remaining() >= 4 ? chunk.getInt() : (int) straddling(4);
  }

  long int64() {
    return chunk.remaining() >= 8 ? chunk.getLong() : straddling(8);
  }

  /** Reads the first n values of an array. */
  void floats(float[] values, int n) {
    for (int from = 0; from < n; ) {
      int some = Math.min(chunk.remaining() / 4, n - from);
      chunk.asFloatBuffer().get(values, from, some);
      chunk.position(chunk.position() + 4 * some);
      from += some;
      if (from < n) {
        values[from++] = Float.intBitsToFloat(int32());
      }
    }
  }

  /** Reads the first n values of an array. */
  void doubles(double[] values, int n) {
    for (int from = 0; from < n; ) {
      int some = Math.min(chunk.remaining() / 8, n - from);
      chunk.asDoubleBuffer().get(values, from, some);
      chunk.position(chunk.position() + 8 * some);
      from += some;
      if (from < n) {
        values[from++] = Double.longBitsToDouble(int64());
      }
    }
  }

  byte[] bytes(int n) {
    byte[] value = new byte[n];
    for (int from = 0; from < n; ) {
      int part = Math.min(chunk.remaining(), n - from);
      chunk.get(value, from, part);
      from += part;
      if (from < n) {
        advance();
      }
    }
    return value;
  }

  private long straddling(int bytes) {
    long value = 0;
    for (int i = 0; i < bytes; i++) {
      value = value << 8 | int8() & 0xFF;
    }
    return value;
  }

  private void advance() {
    start += chunk.limit();
    chunk = chunks.get(next++).slice();
  }
}
