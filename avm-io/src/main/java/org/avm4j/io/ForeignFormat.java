package org.avm4j.io;

import java.util.Arrays;
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
  MODEL("an avm model", "expected data; use -m for a model", 'A', 'V', 'M', '4', 'J');

  /**
   * Number of bytes to look at: the length of the longest signature. To wait for more bytes could
   * block on a pipe.
   */
  static final int HEAD = 6;

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

  /** Throws an exception if a file starts with one of these signatures. */
  static void check(String name, byte[] head) throws BadDataException {
    for (ForeignFormat format : values()) {
      int common = Arrays.mismatch(head, format.magic);
      if (common < 0 || common == format.magic.length) {
        throw new BadDataException(name, "is " + format.what + ": " + format.advice);
      }
    }
  }
}
