package org.avm4j.codec;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Reads what {@link Encoder} wrote. Hostile bytes are harmless: every length is held against the
 * bytes that are left before anything is allocated, and what does not fit is refused in a sentence.
 */
public final class Decoder {
  private final ByteBuffer buffer;

  /** A decoder of these bytes. */
  public Decoder(byte[] bytes) {
    buffer = ByteBuffer.wrap(bytes);
  }

  /** Reads one byte that must be 0 or 1. */
  public boolean bool() throws ModelFileException {
    byte value = need(1).get();
    check(value == 0 || value == 1, "a flag must be 0 or 1", value);
    return value == 1;
  }

  /** Reads four bytes. */
  public int int32() throws ModelFileException {
    return need(4).getInt();
  }

  /** Reads a number from 0 to {@code max}. */
  public int int32(String what, int max) throws ModelFileException {
    int value = int32();
    check(value >= 0 && value <= max, what + " must be from 0 to " + max, value);
    return value;
  }

  /** Reads eight bytes. */
  public long int64() throws ModelFileException {
    return need(8).getLong();
  }

  /** Reads a count: eight bytes, not negative. */
  public long count(String what) throws ModelFileException {
    long value = int64();
    check(value >= 0, what + " must not be negative", value);
    return value;
  }

  /** Reads the eight bytes of a double. */
  public double float64() throws ModelFileException {
    return Double.longBitsToDouble(int64());
  }

  /** Reads a double that must be a finite number. */
  public double finite(String what) throws ModelFileException {
    double value = float64();
    check(Double.isFinite(value), what + " must be a finite number", value);
    return value;
  }

  /** Reads a text. */
  public String text() throws ModelFileException {
    return new String(bytes(), StandardCharsets.UTF_8);
  }

  /** Reads bytes with their length before them. */
  public byte[] bytes() throws ModelFileException {
    byte[] value = new byte[length(1)];
    buffer.get(value);
    return value;
  }

  /** Reads exactly n finite values into an array of at least that capacity. */
  public float[] floats(int n, int capacity) throws ModelFileException {
    expect(n, length(4));
    float[] values = new float[Math.max(n, capacity)];
    for (int i = 0; i < n; i++) {
      values[i] = Float.intBitsToFloat(buffer.getInt());
      check(Float.isFinite(values[i]), "a feature must be a finite number", values[i]);
    }
    return values;
  }

  /** Reads exactly n finite values into an array of at least that capacity. */
  public double[] doubles(int n, int capacity) throws ModelFileException {
    expect(n, length(8));
    double[] values = new double[Math.max(n, capacity)];
    for (int i = 0; i < n; i++) {
      values[i] = Double.longBitsToDouble(buffer.getLong());
      check(Double.isFinite(values[i]), "a coefficient must be a finite number", values[i]);
    }
    return values;
  }

  /** Refuses bytes that nothing read. */
  public void end() throws ModelFileException {
    check(!buffer.hasRemaining(), "bytes after the end", buffer.remaining());
  }

  /** Refuses with a rule and a value unless the rule holds. */
  public static void check(boolean holds, String rule, Object value) throws ModelFileException {
    if (!holds) {
      throw new ModelFileException("damaged content: " + rule + ": " + value);
    }
  }

  private int length(int elementBytes) throws ModelFileException {
    int length = int32();
    check(
        length >= 0 && (long) length * elementBytes <= buffer.remaining(),
        "a length must fit the " + buffer.remaining() + " bytes that are left",
        length);
    return length;
  }

  private static void expect(int expected, int found) throws ModelFileException {
    check(expected == found, "expected " + expected + " values", found);
  }

  private ByteBuffer need(int bytes) throws ModelFileException {
    check(buffer.remaining() >= bytes, "more bytes expected", buffer.remaining());
    return buffer;
  }
}
