package org.avm4j.codec;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Appends values, big-endian, to content of any size; {@link Decoder} reads them back.
 *
 * <p>The content is held in chunks, so it may exceed the 2 GB that fit into one array, and growing
 * it copies nothing. An encoder is used by one thread at a time.
 */
public final class Encoder {
  /** The name of the section that holds the content of something nested. */
  static final String NESTED = "content";

  private static final int FIRST_CHUNK = 1 << 10;
  private static final int LARGEST_CHUNK = 1 << 20;
  private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final List<ByteBuffer> sealed = new ArrayList<>();
  private final int largestChunk;
  private final List<Object> shared;
  private ByteBuffer chunk = NOTHING;
  private int nextChunk;
  private long sealedLength;
  private int depth;

  /** Creates an encoder that holds nothing yet. */
  public Encoder() {
    this(LARGEST_CHUNK);
  }

  Encoder(int largestChunk) {
    this(largestChunk, null);
  }

  /** An encoder for a copy in memory, to which objects that never change are not written. */
  Encoder(List<Object> shared) {
    this(LARGEST_CHUNK, shared);
  }

  private Encoder(int largestChunk, List<Object> shared) {
    this.largestChunk = largestChunk;
    this.shared = shared;
    nextChunk = Math.min(FIRST_CHUNK, largestChunk);
  }

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

  /** Appends the length in UTF-8 bytes (4 bytes), then the UTF-8 bytes. */
  public void text(String value) {
    bytes(value.getBytes(StandardCharsets.UTF_8));
  }

  /** Appends the length (4 bytes), then the bytes. */
  public void bytes(byte[] value) {
    int32(value.length);
    for (int from = 0; from < value.length; ) {
      ByteBuffer out = room(1);
      int n = Math.min(out.remaining(), value.length - from);
      out.put(value, from, n);
      from += n;
    }
  }

  /**
   * Appends the first n values: n (4 bytes), then each value.
   *
   * <p>If fewer than half of the values have other bits than 0, only those are appended: -1 - n (4
   * bytes), their number (4 bytes), and each as its index (4 bytes) and value.
   */
  public void floats(float[] values, int n) {
    Objects.checkFromIndexSize(0, n, values.length);
    int count = 0;
    for (int i = 0; i < n; i++) {
      count += Float.floatToRawIntBits(values[i]) == 0 ? 0 : 1;
    }
    if (startArray(n, count)) {
      for (int i = 0; i < n; i++) {
        int bits = Float.floatToRawIntBits(values[i]);
        if (bits != 0) {
          int32(i);
          int32(bits);
        }
      }
      return;
    }
    for (int from = 0; from < n; ) {
      ByteBuffer out = room(4);
      int some = Math.min(out.remaining() / 4, n - from);
      out.asFloatBuffer().put(values, from, some);
      out.position(out.position() + 4 * some);
      from += some;
    }
  }

  /** Appends the first n values, as {@link #floats} does. */
  public void doubles(double[] values, int n) {
    Objects.checkFromIndexSize(0, n, values.length);
    int count = 0;
    for (int i = 0; i < n; i++) {
      count += Double.doubleToRawLongBits(values[i]) == 0 ? 0 : 1;
    }
    if (startArray(n, count)) {
      for (int i = 0; i < n; i++) {
        long bits = Double.doubleToRawLongBits(values[i]);
        if (bits != 0) {
          int32(i);
          int64(bits);
        }
      }
      return;
    }
    for (int from = 0; from < n; ) {
      ByteBuffer out = room(8);
      int some = Math.min(out.remaining() / 8, n - from);
      out.asDoubleBuffer().put(values, from, some);
      out.position(out.position() + 8 * some);
      from += some;
    }
  }

  /** Appends the start of an array; returns whether only the values that are not 0 follow. */
  private boolean startArray(int n, int count) {
    boolean areFew = count < n - count;
    int32(areFew ? -1 - n : n);
    if (areFew) {
      int32(count);
    }
    return areFew;
  }

  /** Appends the length (4 bytes), then the array as {@link #doubles} does. */
  public void counted(double[] values) {
    int32(values.length);
    doubles(values, values.length);
  }

  /** Appends each row as {@link #doubles} does. */
  public void rows(double[][] rows) {
    for (double[] row : rows) {
      doubles(row, row.length);
    }
  }

  /** Appends each number (4 bytes each), without their count. */
  public void ints(int... values) {
    for (int value : values) {
      int32(value);
    }
  }

  /** Appends each number (8 bytes each), without their count. */
  public void longs(long... values) {
    for (long value : values) {
      int64(value);
    }
  }

  /** Appends the number of elements (4 bytes), then each of them. */
  public <T> void list(Collection<T> elements, BiConsumer<? super T, Encoder> element) {
    int32(elements.size());
    elements.forEach(each -> element.accept(each, this));
  }

  /** Appends the number of labels (4 bytes), then each label (8 bytes) and its value. */
  public <V> void byLabel(Map<Double, V> values, BiConsumer<? super V, Encoder> value) {
    int32(values.size());
    values.forEach(
        (label, each) -> {
          float64(label);
          value.accept(each, this);
        });
  }

  /** Appends the kind of something that can be saved, then its content in a section. */
  public void nested(Savable inside) {
    text(inside.kind());
    section(NESTED, inside::encode);
  }

  /**
   * Appends a section: its name (text), the length of its content (8 bytes), and the content.
   *
   * <p>The length lets a reader check that the content was read to its last byte, and lets other
   * tools skip a section that they do not know. Sections may be nested, up to 64 deep.
   *
   * @param content appends the content to the encoder that it is given, which is this one
   * @throws IllegalStateException if sections are nested too deep
   */
  public void section(String name, Consumer<Encoder> content) {
    if (depth == Decoder.MAX_DEPTH) {
      throw new IllegalStateException(
          "sections must not be nested more than " + Decoder.MAX_DEPTH + " deep: " + name);
    }
    text(name);
    ByteBuffer lengthChunk = room(8);
    int lengthAt = lengthChunk.position();
    lengthChunk.putLong(0);
    long start = length();
    depth++;
    content.accept(this);
    depth--;
    lengthChunk.putLong(lengthAt, length() - start);
  }

  /** Appends a section with an object, unless it is null. */
  public <T> void optional(String name, T object, BiConsumer<? super T, Encoder> content) {
    if (object != null) {
      section(name, out -> content.accept(object, out));
    }
  }

  /**
   * Appends an object that never changes. A copy in memory shares it with the original instead.
   *
   * @param content appends the object
   */
  public <T> void unchanging(T object, BiConsumer<? super T, Encoder> content) {
    if (shared == null) {
      content.accept(object, this);
    } else {
      int32(shared.size());
      shared.add(object);
    }
  }

  /** Returns the number of bytes appended so far. */
  public long length() {
    return sealedLength + chunk.position();
  }

  /**
   * Returns everything appended so far, in an array of its own.
   *
   * @throws IllegalStateException if it exceeds the 2 GB that fit into an array
   */
  public byte[] toBytes() {
    if (length() > LARGEST_ARRAY) {
      throw new IllegalStateException(
          "the content must fit into an array of "
              + LARGEST_ARRAY
              + " bytes, save it to a file or a stream instead: "
              + length());
    }
    ByteBuffer all = ByteBuffer.allocate((int) length());
    chunks().forEach(all::put);
    return all.array();
  }

  /** Writes everything appended so far; the stream is neither flushed nor closed. */
  void writeTo(OutputStream out) throws IOException {
    for (ByteBuffer part : chunks()) {
      out.write(part.array(), part.arrayOffset() + part.position(), part.remaining());
    }
  }

  /** The chunks appended so far, each ready to be read; later appends do not change them. */
  List<ByteBuffer> chunks() {
    List<ByteBuffer> chunks = new ArrayList<>(sealed.size() + 1);
    sealed.forEach(part -> chunks.add(part.duplicate()));
    if (chunk.position() > 0) {
      chunks.add(chunk.duplicate().flip());
    }
    return chunks;
  }

  /** Appends the remaining bytes of a buffer as they are, without a length and without copying. */
  void append(ByteBuffer part) {
    seal();
    sealed.add(part);
    sealedLength += part.remaining();
  }

  private ByteBuffer room(int bytes) {
    if (chunk.remaining() < bytes) {
      seal();
      chunk = ByteBuffer.allocate(Math.max(bytes, nextChunk));
      nextChunk = Math.min(2 * nextChunk, largestChunk);
    }
    return chunk;
  }

  private void seal() {
    if (chunk.position() > 0) {
      sealedLength += chunk.position();
      sealed.add(chunk.flip());
    }
    chunk = NOTHING;
  }
}
