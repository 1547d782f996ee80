package org.avm4j.codec;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Appends values to a growing array of bytes, big-endian; {@link Decoder} reads them back. */
public final class Encoder {
  private ByteBuffer buffer = ByteBuffer.allocate(1 << 12);

  /** An encoder that holds nothing yet. */
  public Encoder() {}

  /** Appends one byte: 1 or 0. */
  public void bool(boolean value) {
    room(1).put((byte) (value ? 1 : 0));
  }

  /** Appends four bytes. */
  public void int32(int value) {
    room(4).putInt(value);
  }

  /** Appends eight bytes. */
  public void int64(long value) {
    room(8).putLong(value);
  }

  /** Appends the eight bytes of a double, every bit of it. */
  public void float64(double value) {
    room(8).putLong(Double.doubleToRawLongBits(value));
  }

  /** Appends the length in UTF-8 bytes, then the bytes. */
  public void text(String value) {
    bytes(value.getBytes(StandardCharsets.UTF_8));
  }

  /** Appends the length, then the bytes. */
  public void bytes(byte[] value) {
    int32(value.length);
    room(value.length).put(value);
  }

  /** Appends n, then the first n values. */
  public void floats(float[] values, int n) {
    int32(n);
    ByteBuffer out = room(4 * n);
    for (int i = 0; i < n; i++) {
      out.putInt(Float.floatToRawIntBits(values[i]));
    }
  }

  /** Appends n, then the first n values. */
  public void doubles(double[] values, int n) {
    int32(n);
    ByteBuffer out = room(8 * n);
    for (int i = 0; i < n; i++) {
      out.putLong(Double.doubleToRawLongBits(values[i]));
    }
  }

  /** What has been appended so far. */
  public byte[] toBytes() {
    return Arrays.copyOf(buffer.array(), buffer.position());
  }

  private ByteBuffer room(int bytes) {
    if (buffer.remaining() < bytes) {
      long wanted = Math.max((long) buffer.position() + bytes, 2L * buffer.capacity());
      int capacity = (int) Math.min(wanted, Integer.MAX_VALUE - 8);
      buffer = ByteBuffer.allocate(capacity).put(buffer.flip());
    }
    return buffer;
  }
}
