package org.avm4j.io;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.avm4j.data.BadDataException;

/** Reads the only file of a ZIP archive; throws an exception if there are several. */
final class SingleEntry extends BlockInputStream {
  /** Number of bytes in the header of an entry before its name. */
  private static final int HEADER = 30;

  private static final int MAX_NAME = 256;

  private final String name;
  private final ZipInputStream zip;
  private final String first;

  SingleEntry(String name, InputStream in) throws IOException {
    this.name = name;
    zip = new ZipInputStream(in);
    first = nextFile();
    if (first == null) {
      throw new EOFException("it contains no file");
    }
    if (first.equals("mimetype")) {
      throw new BadDataException(name, "is an OpenDocument file: save the sheet as .xlsx or CSV");
    }
  }

  /**
   * The name of the first entry of an archive; empty if there is none. The stream must support
   * mark; its position does not change.
   */
  static String firstName(InputStream in) throws IOException {
    in.mark(HEADER + MAX_NAME);
    byte[] header = in.readNBytes(HEADER);
    boolean isEntry = header.length == HEADER && header[0] == 'P' && header[1] == 'K';
    int length = !isEntry ? 0 : unsigned(header[26]) + (unsigned(header[27]) << 8);
    byte[] name = in.readNBytes(Math.min(length, MAX_NAME));
    in.reset();
    return new String(name, StandardCharsets.UTF_8);
  }

  private static int unsigned(byte value) {
    return value & 0xff;
  }

  /** The name of the next file that is not metadata of the archiver; null at the end. */
  private String nextFile() throws IOException {
    ZipEntry entry = zip.getNextEntry();
    while (entry != null && isNoise(entry)) {
      entry = zip.getNextEntry();
    }
    return entry == null ? null : entry.getName();
  }

  /** Whether an entry is a folder, or metadata that macOS adds. */
  private static boolean isNoise(ZipEntry entry) {
    return entry.isDirectory()
        || entry.getName().startsWith("__MACOSX/")
        || entry.getName().endsWith(".DS_Store");
  }

  @Override
  public int read(byte[] bytes, int from, int length) throws IOException {
    int count = zip.read(bytes, from, length);
    if (count < 0) {
      checkAlone();
    }
    return count;
  }

  private void checkAlone() throws IOException {
    String other = nextFile();
    if (other != null && WorkbookText.isPart(other)) {
      throw new BadDataException(
          name, "is an Excel workbook whose parts are in an unusual order: save the sheet as CSV");
    }
    if (other != null) {
      throw new DamagedDataException(
          name
              + ": is a ZIP archive of several files, such as '"
              + first
              + "' and '"
              + other
              + "': unpack it and give one of them",
          null);
    }
  }

  @Override
  public void close() throws IOException {
    zip.close();
  }
}
