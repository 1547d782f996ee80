package org.avm4j.codec;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Reads what {@link Encoder} wrote, in the order in which it was written.
 *
 * <p>Hostile bytes are harmless: every length is checked against the bytes that are left before
 * anything is allocated, sections are nested at most 64 deep, and whatever does not fit is refused
 * with a {@link ModelFileException} that says why. A decoder is used by one thread at a time.
 */
public final class Decoder {
  static final int MAX_DEPTH = 64;

  private static final int SECTIONS_SINCE = 2;
  private static final int SKIPPED_AT_ONCE = 1 << 13;
  private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;

  private final ChunkReader input;
  private final long end;
  private final int version;
  private final int depth;
  private final List<Object> shared;

  /** Creates a decoder of these bytes, taken to be of the current {@link ModelFile#VERSION}. */
  public Decoder(byte[] bytes) {
    this(List.of(ByteBuffer.wrap(bytes)), ModelFile.VERSION);
  }

  Decoder(List<ByteBuffer> chunks, int version) {
    this(chunks, version, null);
  }

  /** A decoder of what an encoder wrote that shares objects. */
  Decoder(List<ByteBuffer> chunks, int version, List<Object> shared) {
    this.shared = shared;
    input = new ChunkReader(chunks);
    end = input.length();
    this.version = version;
    depth = 0;
  }

  /** A decoder of the next bytes of another one; both move the same position. */
  private Decoder(Decoder outer, long end) throws ModelFileException {
    input = outer.input;
    this.end = end;
    version = outer.version;
    shared = outer.shared;
    depth = outer.depth + 1;
    check(
        depth <= MAX_DEPTH, "sections must not be nested more than " + MAX_DEPTH + " deep", depth);
  }

  /** Returns the version of the format in which the bytes were written. */
  public int version() {
    return version;
  }

  /** Reads one byte that must be 0 or 1. */
  public boolean bool() throws ModelFileException {
    byte value = need(1).int8();
    check(value == 0 || value == 1, "a flag must be 0 or 1", value);
    return value == 1;
  }

  /** Reads four bytes. */
  public int int32() throws ModelFileException {
    return need(4).int32();
  }

  /** Reads a number from 0 to {@code max}. */
  public int int32(String what, int max) throws ModelFileException {
    int value = int32();
    if (value < 0 || value > max) {
      throw refusal(what + " must be from 0 to " + max, value);
    }
    return value;
  }

  /** Reads eight bytes. */
  public long int64() throws ModelFileException {
    return need(8).int64();
  }

  /** Reads a count: eight bytes, not negative. */
  public long count(String what) throws ModelFileException {
    long value = int64();
    if (value < 0) {
      throw refusal(what + " must not be negative", value);
    }
    return value;
  }

  /** Reads the eight bytes of a double. */
  public double float64() throws ModelFileException {
    return Double.longBitsToDouble(int64());
  }

  /** Reads a double that must be a finite number. */
  public double finite(String what) throws ModelFileException {
    double value = float64();
    if (!Double.isFinite(value)) {
      throw refusal(what + " must be a finite number", value);
    }
    return value;
  }

  /** Reads a text, which must be well-formed UTF-8. */
  public String text() throws ModelFileException {
    byte[] utf8 = bytes();
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
    } catch (CharacterCodingException malformed) {
      throw new ModelFileException("damaged content: a text must be well-formed UTF-8");
    }
  }

  /** Reads the name of a kind or a version, which messages quote: short, no control characters. */
  String name() throws ModelFileException {
    String name = text();
    check(name.equals(printable(name)), "a name must be short and printable", name);
    return name;
  }

  /** Reads bytes that are preceded by their length. */
  public byte[] bytes() throws ModelFileException {
    return input.bytes(length(1));
  }

  /** Reads exactly n finite values into an array of at least that capacity. */
  public float[] floats(int n, int capacity) throws ModelFileException {
    int few = startArray(n, 4);
    float[] values = new float[Math.max(n, capacity)];
    if (few < 0) {
      input.floats(values, n);
    }
    int i = -1;
    for (int k = few; k > 0; k--) {
      i = after(i, n);
      values[i] = Float.intBitsToFloat(int32());
    }
    for (int j = 0; j < n; j++) {
      if (!Float.isFinite(values[j])) {
        throw refusal("a feature must be a finite number", values[j]);
      }
    }
    return values;
  }

  /** Reads exactly n finite values into an array of at least that capacity. */
  public double[] doubles(int n, int capacity) throws ModelFileException {
    int few = startArray(n, 8);
    double[] values = new double[Math.max(n, capacity)];
    if (few < 0) {
      input.doubles(values, n);
    }
    int i = -1;
    for (int k = few; k > 0; k--) {
      i = after(i, n);
      values[i] = float64();
    }
    for (int j = 0; j < n; j++) {
      if (!Double.isFinite(values[j])) {
        throw refusal("a coefficient must be a finite number", values[j]);
      }
    }
    return values;
  }

  /** Reads what {@link Encoder#counted} wrote: an array of at most {@code max} values. */
  public double[] counted(String what, int max) throws ModelFileException {
    return doubles(int32(what, max), 0);
  }

  /** Reads rows of n finite values each. */
  public double[][] rows(int rows, int n) throws ModelFileException {
    double[][] values = new double[rows][];
    for (int i = 0; i < rows; i++) {
      values[i] = doubles(n, 0);
    }
    return values;
  }

  /** Reads the lower triangle of a matrix, whose row i has i + 1 values. */
  public double[][] triangle(int n) throws ModelFileException {
    double[][] values = new double[n][];
    for (int i = 0; i < n; i++) {
      values[i] = doubles(i + 1, 0);
    }
    return values;
  }

  /** Reads n numbers from 0 to {@code max}. */
  public int[] ints(String what, int n, int max) throws ModelFileException {
    checkFits(n, 4);
    int[] values = new int[n];
    for (int i = 0; i < n; i++) {
      values[i] = int32(what, max);
    }
    return values;
  }

  /** Reads n counts. */
  public long[] counts(String what, int n) throws ModelFileException {
    checkFits(n, 8);
    long[] values = new long[n];
    for (int i = 0; i < n; i++) {
      values[i] = count(what);
    }
    return values;
  }

  /** Reads what {@link Encoder#list} wrote: at most {@code max} elements. */
  public <T> List<T> list(String what, int max, ModelFile.Content<? extends T> element)
      throws ModelFileException {
    int count = int32(what, max);
    List<T> elements = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      elements.add(element.read(this));
    }
    return elements;
  }

  /** Reads something whose constructor may reject it with an exception, and reports its rule. */
  public <T> T valid(ModelFile.Content<T> reader) throws ModelFileException {
    try {
      return reader.read(this);
    } catch (IllegalArgumentException | IndexOutOfBoundsException refused) {
      throw new ModelFileException("damaged content: " + refused.getMessage());
    }
  }

  /** Reads the next section if it has this name; else reads nothing. */
  public <T> Optional<T> optional(String name, ModelFile.Content<T> reader)
      throws ModelFileException {
    return hasSection(name) ? Optional.of(section(name, reader)) : Optional.empty();
  }

  /**
   * Reads the next section, which must have this name, to its last byte.
   *
   * <p>The reader is given a decoder that is limited to the content of the section; bytes that it
   * leaves unread are refused. Content of version 1 has no sections: there the reader simply reads
   * on, so that one piece of code decodes both versions.
   */
  public <T> T section(String name, ModelFile.Content<T> reader) throws ModelFileException {
    if (version < SECTIONS_SINCE) {
      return reader.read(new Decoder(this, end));
    }
    String found = text();
    if (!found.equals(name)) {
      throw new ModelFileException(
          "damaged content: expected section '" + name + "', found '" + printable(found) + "'");
    }
    long length = int64();
    checkFits(length, 1);
    return restricted(length, reader);
  }

  /** Skips the next section, which must have this name; there are none in version 1. */
  public void skip(String name) throws ModelFileException {
    section(name, Decoder::skipAll);
  }

  /** Skips the next section if it has this name; returns whether it has. */
  public boolean skipIfPresent(String name) throws ModelFileException {
    boolean isPresent = hasSection(name);
    if (isPresent) {
      skip(name);
    }
    return isPresent;
  }

  private static Void skipAll(Decoder in) {
    while (in.left() > 0) {
      in.input.bytes((int) Math.min(in.left(), SKIPPED_AT_ONCE));
    }
    return null;
  }

  /**
   * Tells whether the next thing to be read is a section of this name; nothing is consumed.
   *
   * <p>This is how a later version adds an optional section. Always false in version 1.
   */
  public boolean hasSection(String name) {
    byte[] expected = name.getBytes(StandardCharsets.UTF_8);
    if (version < SECTIONS_SINCE || left() < 4L + expected.length + 8) {
      return false;
    }
    ChunkReader ahead = input.copy();
    return ahead.int32() == expected.length
        && Arrays.equals(ahead.bytes(expected.length), expected);
  }

  /**
   * Reads what {@link Encoder#nested} appended: the kind, then the content by the reader of that
   * kind, to its last byte. In version 1 the length of the content had four bytes.
   */
  public <T> T nested(ModelFile.Readers<T> readers) throws ModelFileException {
    ModelFile.Content<? extends T> reader = readers.of(name());
    return version < SECTIONS_SINCE
        ? restricted(length(1), reader)
        : section(Encoder.NESTED, reader);
  }

  /** Reads what {@link Encoder#unchanging} appended. */
  @SuppressWarnings("unchecked")
  public <T> T unchanging(ModelFile.Content<T> reader) throws ModelFileException {
    return shared == null ? reader.read(this) : (T) shared.get(int32());
  }

  /** Throws an exception if bytes are left unread. */
  public void end() throws ModelFileException {
    check(left() == 0, "bytes after the end", left());
  }

  /** Throws an exception with a rule and a value unless the rule holds. */
  public static void check(boolean holds, String rule, Object value) throws ModelFileException {
    if (!holds) {
      throw refusal(rule, value);
    }
  }

  private static ModelFileException refusal(String rule, Object value) {
    return new ModelFileException(
        "damaged content: " + rule + ": " + printable(String.valueOf(value)));
  }

  /** Throws an exception unless each value is larger than the one before. */
  public static void checkAscending(String what, double[] values) throws ModelFileException {
    for (int i = 1; i < values.length; i++) {
      check(values[i - 1] < values[i], what + " must ascend", values[i]);
    }
  }

  /** A text from a file, short and without control characters, to be quoted in a message. */
  static String printable(String text) {
    String start = text.length() <= 40 ? text : text.substring(0, 40) + "…";
    return start.replaceAll("\\p{Cntrl}", "?");
  }

  private <T> T restricted(long length, ModelFile.Content<T> reader) throws ModelFileException {
    Decoder inside = new Decoder(this, input.position() + length);
    T result = reader.read(inside);
    inside.end();
    return result;
  }

  private int length(int elementBytes) throws ModelFileException {
    int length = int32();
    checkFits(length, elementBytes);
    check(length <= LARGEST_ARRAY, "an array has at most " + LARGEST_ARRAY + " values", length);
    return length;
  }

  private void checkFits(long length, int elementBytes) throws ModelFileException {
    if (length < 0 || length > left() / elementBytes) {
      throw refusal("a length must fit the " + left() + " bytes that are left", length);
    }
  }

  /**
   * Reads the start of an array of n values. Returns how many of them follow with their index, or
   * -1 if all follow in order.
   */
  private int startArray(int n, int elementBytes) throws ModelFileException {
    int mark = int32();
    if (mark >= 0) {
      checkFits(mark, elementBytes);
      expect(n, mark);
      return -1;
    }
    expect(n, -1 - mark);
    int few = int32("the number of values", n);
    checkFits(few, 4 + elementBytes);
    return few;
  }

  /** Reads the index of a value of an array of n, which must be larger than the one before. */
  private int after(int before, int n) throws ModelFileException {
    int i = int32("an index", n - 1);
    check(i > before, "indices must ascend", i);
    return i;
  }

  private static void expect(int expected, int found) throws ModelFileException {
    if (expected != found) {
      throw refusal("expected " + expected + " values", found);
    }
  }

  private ChunkReader need(int bytes) throws ModelFileException {
    if (left() < bytes) {
      throw refusal("more bytes expected", left());
    }
    return input;
  }

  private long left() {
    return end - input.position();
  }
}
