package org.avm4j.io;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.avm4j.data.BadDataException;

/** Common formats that are not supported, found by their first bytes, with advice to the user. */
enum ForeignFormat {
  EXCEL(
      "an Excel workbook in the old format, or with a password",
      "save the sheet as .xlsx without a password, or as CSV",
      0xd0,
      0xcf,
      0x11,
      0xe0),
  PARQUET(
      "a Parquet file",
      "convert it to CSV, for instance with pandas or DuckDB",
      'P',
      'A',
      'R',
      '1'),
  ARROW(
      "a Feather file",
      "convert it to CSV, for instance with pandas",
      'A',
      'R',
      'R',
      'O',
      'W',
      '1'),
  ORC("an ORC file", "convert it to CSV, for instance with Spark", 'O', 'R', 'C'),
  AVRO("an Avro file", "convert it to JSON, one object per line", 'O', 'b', 'j', 1),
  HDF5("an HDF5 file", "export its table as CSV, for instance with pandas", 0x89, 'H', 'D', 'F'),
  SQLITE("an SQLite database", "export its table as CSV", 'S', 'Q', 'L', 'i', 't', 'e'),
  SEVEN_ZIP("a 7-Zip archive", "unpack it first", '7', 'z', 0xbc, 0xaf),
  RAR("a RAR archive", "unpack it first", 'R', 'a', 'r', '!', 0x1a),
  PDF("a PDF document", "expected a table as CSV", '%', 'P', 'D', 'F', '-'),
  PNG("a PNG picture, not a table", "expected a table as CSV", 0x89, 'P', 'N', 'G'),
  JPEG("a JPEG picture, not a table", "expected a table as CSV", 0xff, 0xd8, 0xff),
  R_DATA("R data, not a table", "save it in R by write.csv", 'R', 'D', 'X'),
  R_OBJECT("R data, not a table", "save it in R by write.csv", 'X', '\n', 0, 0, 0),
  PICKLE_4("a Python pickle, not a table", "save it by to_csv of pandas", 0x80, 4),
  PICKLE_5("a Python pickle, not a table", "save it by to_csv of pandas", 0x80, 5),
  NUMPY("a NumPy array, not a table", "save it by numpy.savetxt", 0x93, 'N', 'U', 'M', 'P', 'Y'),
  STATA("a Stata file", "save it as CSV, by export delimited", '<', 's', 't', 'a', 't', 'a'),
  SPSS("an SPSS file", "save it as CSV", '$', 'F', 'L', '2', '@', '('),
  EMPTY_ZIP("a ZIP archive without a file", "expected a table", 'P', 'K', 5, 6),
  MODEL("an avm model", "expected data; use -m for a model", 'A', 'V', 'M', '4', 'J');

  /**
   * Number of bytes to look at: the length of the longest signature. To wait for more bytes could
   * block on a pipe.
   */
  private static final int HEAD = 6;

  /** Number of bytes to look at if they are there. */
  private static final int MOST = 512;

  /** Where an archive of tar has its signature. */
  private static final int TAR = 257;

  /** What follows twelve zero bytes in a data set of SAS. */
  private static final String SAS = "\u00c2\u00ea\u0081\u0060";

  private static final int SAS_AT = 12;
  private static final String SAS_TRANSPORT = "HEADER RECORD*******";

  private static final Pattern HTML = Pattern.compile("(?is)\\W*<(!doctype html|html)\\b.*");

  private final String what;
  private final String advice;
  private final byte[] magic;

  ForeignFormat(String what, String advice, int... magic) {
    this.what = what;
    this.advice = advice;
    this.magic = new byte[magic.length];
    for (int i = 0; i < magic.length; i++) {
      this.magic[i] = (byte) magic[i];
    }
  }

  /**
   * Throws an exception if a stream starts with one of these signatures. It must support mark; its
   * position does not change.
   */
  static void check(String name, InputStream in) throws IOException {
    in.mark(MOST);
    byte[] first = in.readNBytes(HEAD);
    byte[] head = Arrays.copyOf(first, MOST);
    int more = first.length < HEAD ? 0 : Math.min(in.available(), MOST - HEAD);
    int length = first.length + in.readNBytes(head, first.length, more);
    in.reset();
    check(name, Arrays.copyOf(head, length));
  }

  private static void check(String name, byte[] head) throws BadDataException {
    String text = new String(head, StandardCharsets.ISO_8859_1);
    if (HTML.matcher(text).matches()) {
      throw new BadDataException(name, "is an HTML page, not a table: save the data itself");
    }
    if (text.startsWith("ustar", TAR)) {
      throw new BadDataException(name, "is a tar archive: unpack it first");
    }
    if (text.startsWith(SAS, SAS_AT) || text.startsWith(SAS_TRANSPORT)) {
      throw new BadDataException(name, "is a SAS file: save it as CSV, by proc export");
    }
    for (ForeignFormat format : values()) {
      int common = Arrays.mismatch(head, format.magic);
      if (common < 0 || common == format.magic.length) {
        throw new BadDataException(name, "is " + format.what + ": " + format.advice);
      }
    }
  }
}
