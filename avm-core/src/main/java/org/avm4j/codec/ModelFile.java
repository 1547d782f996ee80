package org.avm4j.codec;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * The frame around everything that is saved. All numbers are big-endian.
 *
 * <pre>
 * offset  bytes  content
 *      0      8  magic: "AVM4J" 0D 0A 00
 *      8      4  version of the format, 1
 *     12      8  n, the length of the payload
 *     20      n  payload: kind (text), version of the library that wrote it (text), content
 * 20 + n      4  CRC-32C of bytes 8 to 20 + n
 * </pre>
 *
 * <p>The magic holds a line end and a zero byte so that a transfer as text is noticed. Each kind
 * draws its own content; a text is its length in four bytes and its UTF-8 bytes.
 */
public final class ModelFile {
  /** The version of the format that this library writes, and the newest that it reads. */
  public static final int VERSION = 1;

  private static final byte[] MAGIC = {'A', 'V', 'M', '4', 'J', '\r', '\n', 0};
  private static final int HEADER = 20;
  private static final int CHECKSUM = 4;

  /** Reads the content of one kind of file. */
  public interface Content<T> {
    /** Reads it from its start. */
    T read(Decoder in) throws ModelFileException;
  }

  private final String kind;
  private final String libraryVersion;
  private final Decoder content;

  private ModelFile(Decoder payload) throws ModelFileException {
    kind = payload.text();
    libraryVersion = payload.text();
    content = payload;
  }

  /** What the file holds, such as {@code learner} or {@code model}. */
  public String kind() {
    return kind;
  }

  /** The version of the library that wrote the file. */
  public String libraryVersion() {
    return libraryVersion;
  }

  /** The content, to be read from its start. */
  public Decoder content() {
    return content;
  }

  /** Writes a file of the given kind, atomically. */
  public static void write(Path file, String kind, byte[] content) throws IOException {
    AtomicFile.write(file, frame(kind, content));
  }

  /** The bytes of a file of the given kind. */
  public static byte[] frame(String kind, byte[] content) {
    Encoder header = new Encoder();
    header.text(kind);
    header.text(libraryVersionOfThis());
    byte[] names = header.toBytes();
    int length = names.length + content.length;
    ByteBuffer out = ByteBuffer.allocate(HEADER + length + CHECKSUM);
    out.put(MAGIC).putInt(VERSION).putLong(length).put(names).put(content);
    return out.putInt(checksum(out.array(), HEADER + length)).array();
  }

  /**
   * Reads a file of one of the given kinds. Each way in which it can be unusable gives a sentence
   * of its own, with the name of the file.
   */
  public static <T> T load(Path file, Map<String, Content<? extends T>> readers)
      throws IOException {
    if (Files.size(file) > Integer.MAX_VALUE - 8) {
      throw new ModelFileException(file + ": not an AVM model file, it is too large");
    }
    byte[] bytes = Files.readAllBytes(file);
    try {
      return parse(bytes).read(readers);
    } catch (ModelFileException why) {
      throw new ModelFileException(file + ": " + why.getMessage());
    }
  }

  /** Reads the whole content by the reader of its kind. */
  public <T> T read(Map<String, Content<? extends T>> readers) throws ModelFileException {
    Content<? extends T> reader = readers.get(kind);
    if (reader == null) {
      throw new ModelFileException(
          "the file holds '" + kind + "', expected " + String.join(" or ", readers.keySet()));
    }
    T result = reader.read(content);
    content.end();
    return result;
  }

  /** Reads the bytes of a file. */
  public static ModelFile parse(byte[] bytes) throws ModelFileException {
    int start = Math.min(bytes.length, MAGIC.length);
    if (!Arrays.equals(bytes, 0, start, MAGIC, 0, start)) {
      throw new ModelFileException("not an AVM model file");
    }
    if (bytes.length < HEADER + CHECKSUM) {
      throw new ModelFileException("the file is truncated: " + bytes.length + " bytes are left");
    }
    ByteBuffer in = ByteBuffer.wrap(bytes).position(MAGIC.length);
    int version = in.getInt();
    if (version != VERSION) {
      throw new ModelFileException(
          "format version " + version + " is unknown, this library reads version " + VERSION);
    }
    checkLength(in.getLong(), bytes.length);
    if (in.getInt(bytes.length - CHECKSUM) != checksum(bytes, bytes.length - CHECKSUM)) {
      throw new ModelFileException("the checksum does not match: the file was altered");
    }
    return new ModelFile(new Decoder(Arrays.copyOfRange(bytes, HEADER, bytes.length - CHECKSUM)));
  }

  /** The version of this library, from its manifest. */
  public static String libraryVersionOfThis() {
    String version = ModelFile.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  private static void checkLength(long payload, int fileLength) throws ModelFileException {
    long expected = payload + HEADER + CHECKSUM;
    if (payload < 0 || expected > fileLength) {
      throw new ModelFileException(
          "the file is truncated: " + fileLength + " bytes of " + Math.max(expected, 0));
    }
    if (expected < fileLength) {
      throw new ModelFileException(
          "the file goes on after its end: " + fileLength + " bytes instead of " + expected);
    }
  }

  private static int checksum(byte[] bytes, int end) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, MAGIC.length, end - MAGIC.length);
    return (int) crc.getValue();
  }
}
