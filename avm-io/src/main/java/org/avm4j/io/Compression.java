package org.avm4j.io;

import io.airlift.compress.zstd.ZstdInputStream;
import io.airlift.compress.zstd.ZstdOutputStream;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.avm4j.data.BadDataException;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZInputStream;
import org.tukaani.xz.XZOutputStream;

/**
 * The compression of a stream. Compressed input is recognised by its first bytes, whatever its
 * name; the compression of output follows from the file extension.
 */
public enum Compression {
  /** No compression. */
  NONE(""),
  /** gzip (RFC 1952), one or several members. */
  GZIP(".gz", 0x1f, 0x8b),
  /** bzip2, one or several streams. */
  BZIP2(".bz2", 'B', 'Z', 'h'),
  /** Zstandard with a window of at most 8 MiB. */
  ZSTD(".zst", 0x28, 0xb5, 0x2f, 0xfd),
  /** xz, one or several streams. */
  XZ(".xz", 0xfd, '7', 'z', 'X', 'Z', 0),
  /** A ZIP archive of one file, or an Excel workbook, whose first sheet becomes CSV. */
  ZIP(".zip", 'P', 'K', 3, 4);

  private static final int BUFFER = 1 << 16;

  /** The length of the longest of these signatures. */
  private static final int LONGEST = 6;

  private static final int MAX_XZ_KIB = 1 << 18;

  private final String ending;
  private final byte[] magic;

  Compression(String ending, int... magic) {
    this.ending = ending;
    this.magic = new byte[magic.length];
    for (int i = 0; i < magic.length; i++) {
      this.magic[i] = (byte) magic[i];
    }
  }

  /** The compression by the extension of a file name; {@link #NONE} for any other. */
  public static Compression ofName(String fileName) {
    String name = fileName.toLowerCase(Locale.ROOT);
    return Arrays.stream(values())
        .filter(packing -> packing != NONE && name.endsWith(packing.ending))
        .findFirst()
        .orElse(NONE);
  }

  /**
   * The decompressed content of a stream, compressed or not. It supports mark, and reports damage
   * by a {@link DamagedDataException}. On a machine with several cores, another thread decompresses
   * ahead.
   */
  public static InputStream unpack(String name, InputStream in) throws IOException {
    return unpack(name, in, null);
  }

  /**
   * The same; of a workbook, a given sheet.
   *
   * @param sheet the name of the sheet; null for the first visible one
   */
  static InputStream unpack(String name, InputStream in, String sheet) throws IOException {
    InputStream packed = new BufferedInputStream(in, BUFFER);
    Compression compression = ofContent(name, packed);
    try {
      InputStream unpacked =
          new Guard(name, compression, compression.unpacked(name, packed, sheet));
      boolean isAhead = compression != NONE && Runtime.getRuntime().availableProcessors() > 1;
      InputStream text =
          new BufferedInputStream(isAhead ? new UnpackAhead(unpacked) : unpacked, BUFFER);
      return compression == NONE ? text : checked(name, text);
    } catch (IOException | RuntimeException e) {
      throw compression.damage(name, e);
    }
  }

  private static InputStream checked(String name, InputStream unpacked) throws IOException {
    try {
      ForeignFormat.check(name, unpacked);
      return unpacked;
    } catch (IOException | RuntimeException e) {
      unpacked.close();
      throw e;
    }
  }

  /** A stream that compresses into another. */
  public OutputStream pack(OutputStream out) throws IOException {
    return switch (this) {
      case NONE -> out;
      case GZIP -> new GZIPOutputStream(out, BUFFER);
      case BZIP2 -> new BZip2CompressorOutputStream(out);
      case ZSTD -> new ZstdOutputStream(out);
      case XZ -> new XZOutputStream(out, new LZMA2Options());
      case ZIP -> zip(out);
    };
  }

  private static OutputStream zip(OutputStream out) throws IOException {
    ZipOutputStream zip = new ZipOutputStream(out);
    zip.putNextEntry(new ZipEntry("data"));
    return zip;
  }

  private static Compression ofContent(String name, InputStream in) throws IOException {
    ForeignFormat.check(name, in);
    in.mark(LONGEST);
    byte[] head = in.readNBytes(LONGEST);
    in.reset();
    return Arrays.stream(values())
        .filter(packing -> packing != NONE && packing.begins(head))
        .findFirst()
        .orElse(NONE);
  }

  private boolean begins(byte[] head) {
    int common = Arrays.mismatch(head, magic);
    return common < 0 || common == magic.length;
  }

  private InputStream unpacked(String name, InputStream in, String sheet) throws IOException {
    boolean isWorkbook = this == ZIP && WorkbookText.isWorkbook(in);
    if (sheet != null && !isWorkbook) {
      throw new BadDataException(name, "is not a workbook, so it has no sheet '" + sheet + "'");
    }
    return switch (this) {
      case NONE -> in;
      case GZIP -> new StrictGzip(in, BUFFER);
      case BZIP2 -> new BZip2CompressorInputStream(in, true);
      case ZSTD -> new ZstdInputStream(in);
      case XZ -> new XZInputStream(in, MAX_XZ_KIB);
      case ZIP -> isWorkbook ? new WorkbookText(name, in, sheet) : new SingleEntry(name, in);
    };
  }

  private IOException damage(String name, Exception cause) {
    if (cause instanceof BadDataException || cause instanceof DamagedDataException) {
      return (IOException) cause;
    }
    if (this == NONE) {
      return new IOException(name + ": cannot be read: " + reason(cause), cause);
    }
    return new DamagedDataException(
        name + ": damaged or truncated " + name() + " data: " + reason(cause), cause);
  }

  private static String reason(Exception cause) {
    if (cause instanceof EOFException) {
      return "unexpected end";
    }
    return cause.getMessage() == null ? "not allowed by the format" : cause.getMessage();
  }

  /** Turns all exceptions of a decompressor into an {@link IOException} that names the file. */
  private static final class Guard extends BlockInputStream {
    private final String name;
    private final Compression compression;
    private final InputStream in;

    Guard(String name, Compression compression, InputStream in) {
      this.name = name;
      this.compression = compression;
      this.in = in;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      try {
        return in.read(bytes, from, length);
      } catch (IOException | RuntimeException e) {
        throw compression.damage(name, e);
      }
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
