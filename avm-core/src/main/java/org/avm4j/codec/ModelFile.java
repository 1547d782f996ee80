package org.avm4j.codec;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The frame around everything that is saved, in a file, a stream or an array. All numbers are
 * big-endian.
 *
 * <pre>
 * offset  bytes  content
 *      0      8  magic: "AVM4J" 0D 0A 00
 *      8      4  version of the format, 1 or 2
 *     12      8  n, the length of the payload, which may exceed 2 GB
 *     20      n  payload: kind (text), version of the library that wrote it (text), content
 * 20 + n      4  CRC-32C of bytes 8 to 20 + n
 * </pre>
 *
 * <p>The magic holds a line end and a zero byte so that a transfer as text is noticed. A text is
 * its length in four bytes and its UTF-8 bytes. Each kind draws its own content. In version 2 it is
 * made of sections, which version 1 did not have:
 *
 * <pre>
 * offset  bytes  content
 *      0      4  m, the length of the name
 *      4      m  name, UTF-8
 *  4 + m      8  n, the length of the content
 * 12 + m      n  content of the section, which may hold sections in turn
 * </pre>
 */
public final class ModelFile {
  /** The version of the format that this library writes, and the newest that it reads. */
  public static final int VERSION = 2;

  static final int OLDEST = 1;

  /** Reads the content of one kind of file, or of one section. */
  public interface Content<T> {
    /** Reads it from its start. */
    T read(Decoder in) throws ModelFileException;
  }

  /** Chooses the reader for a kind of file. */
  public interface Readers<T> {
    /** Returns the reader, or refuses the kind. */
    Content<? extends T> of(String kind) throws ModelFileException;
  }

  private final Path file;
  private final Frame frame;
  private final String kind;
  private final String libraryVersion;

  private ModelFile(Path file, Frame frame) throws ModelFileException {
    this.file = file;
    this.frame = frame;
    Decoder payload = payload();
    kind = payload.name();
    libraryVersion = payload.name();
  }

  /** Returns what the file holds, such as {@code avm-learner} or {@code avm-model}. */
  public String kind() {
    return kind;
  }

  /** Returns the version of the library that wrote the file. */
  public String libraryVersion() {
    return libraryVersion;
  }

  /** Returns the version of the format in which the file was written. */
  public int version() {
    return frame.version();
  }

  /**
   * Reads a file, whose bytes are checked before any of them is interpreted.
   *
   * @throws ModelFileException with a sentence of its own for each way in which the file can be
   *     unusable, beginning with the name of the file
   */
  public static ModelFile open(Path file) throws IOException {
    long total = Files.isRegularFile(file) ? Files.size(file) : Frame.UNKNOWN;
    try (InputStream in = Files.newInputStream(file)) {
      Frame frame = Frame.read(in, total, Frame.LARGEST_CHUNK);
      frame.checkEnd(in);
      return new ModelFile(file, frame);
    } catch (ModelFileException why) {
      throw why.in(file);
    }
  }

  /**
   * Reads one frame from a stream and not a byte more, so that others, or other data, may follow.
   *
   * <p>An empty stream is refused as truncated, so the caller must know how many frames to expect.
   */
  public static ModelFile read(InputStream in) throws IOException {
    return new ModelFile(null, Frame.read(in, Frame.UNKNOWN, Frame.LARGEST_CHUNK));
  }

  /** Reads the bytes of a whole file; later changes to the array do no harm. */
  public static ModelFile parse(byte[] bytes) throws ModelFileException {
    try {
      InputStream in = new ByteArrayInputStream(bytes);
      return new ModelFile(null, Frame.read(in, bytes.length, Frame.LARGEST_CHUNK));
    } catch (ModelFileException refused) {
      throw refused;
    } catch (IOException impossible) {
      throw new IllegalStateException("an array cannot fail to be read", impossible);
    }
  }

  /** Reads the whole content by the reader of its kind, one of those given. */
  public <T> T read(Map<String, Content<? extends T>> readers) throws ModelFileException {
    return read(name -> reader(name, readers));
  }

  /**
   * Reads the whole content by the reader of its kind. Each call reads anew.
   *
   * @throws ModelFileException if the kind has no reader, or the reader refuses the content with
   *     this exception or an {@link IllegalArgumentException}, or leaves bytes unread
   */
  public <T> T read(Readers<T> readers) throws ModelFileException {
    try {
      return content(readers.of(kind));
    } catch (ModelFileException why) {
      throw file == null ? why : why.in(file);
    }
  }

  /** Saves to a file, atomically; {@link Savable#save} says what that promises. */
  static void write(Path file, Savable saved) throws IOException {
    Encoder framed = framed(saved);
    AtomicFile.write(file, framed::writeTo);
  }

  /** Writes the same bytes to a stream, which is neither flushed nor closed. */
  static void write(OutputStream out, Savable saved) throws IOException {
    framed(saved).writeTo(out);
  }

  /**
   * Returns the same bytes in an array.
   *
   * @throws IllegalStateException if they exceed the 2 GB that fit into an array
   */
  public static byte[] toBytes(Savable saved) {
    return framed(saved).toBytes();
  }

  /** Returns the number of these bytes, which may exceed 2 GB. */
  public static long length(Savable saved) {
    Encoder payload = startPayload(saved.kind());
    saved.encode(payload);
    return Frame.framed(payload.length());
  }

  /** Returns the bytes of a file of the given kind. */
  public static byte[] frame(String kind, byte[] content) {
    Encoder payload = startPayload(kind);
    payload.append(ByteBuffer.wrap(content));
    return Frame.around(payload).toBytes();
  }

  /**
   * Returns a deep copy, made by encoding the original and decoding the result. Objects that never
   * change are shared.
   *
   * @throws IllegalStateException if the reader refuses what the original encoded
   */
  public static <T> T copy(Savable original, Content<T> reader) {
    return copy(original.kind(), original::encode, reader);
  }

  /** Returns a deep copy of something that is not a file of its own, in the same way. */
  public static <T> T copy(String kind, Consumer<Encoder> original, Content<T> reader) {
    List<Object> shared = new ArrayList<>();
    Encoder out = new Encoder(shared);
    original.accept(out);
    try {
      Decoder in = new Decoder(out.chunks(), VERSION, shared);
      T copy = reader.read(in);
      in.end();
      return copy;
    } catch (ModelFileException disagreement) {
      throw new IllegalStateException(
          "'" + kind + "' cannot be read back: " + disagreement.getMessage(), disagreement);
    }
  }

  /** Returns the version of this library, from its manifest. */
  public static String libraryVersionOfThis() {
    String version = ModelFile.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  private static <T> Content<? extends T> reader(
      String kind, Map<String, Content<? extends T>> readers) throws ModelFileException {
    Content<? extends T> reader = readers.get(kind);
    if (reader == null) {
      throw new ModelFileException(
          "the file holds '" + kind + "', expected " + String.join(" or ", readers.keySet()));
    }
    return reader;
  }

  private <T> T content(Content<? extends T> reader) throws ModelFileException {
    Decoder in = payload();
    in.text();
    in.text();
    try {
      T result = reader.read(in);
      in.end();
      return result;
    } catch (IllegalArgumentException refused) {
      throw new ModelFileException("damaged content: " + refused.getMessage(), refused);
    }
  }

  private Decoder payload() {
    return new Decoder(frame.payload(), frame.version());
  }

  private static Encoder framed(Savable saved) {
    Encoder payload = startPayload(saved.kind());
    saved.encode(payload);
    return Frame.around(payload);
  }

  private static Encoder startPayload(String kind) {
    Encoder payload = new Encoder();
    payload.text(kind);
    payload.text(libraryVersionOfThis());
    return payload;
  }
}
