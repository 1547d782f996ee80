package org.avm4j.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CompressionTest {
  private static final byte[] TEXT = text(200_000);

  @ParameterizedTest
  @CsvSource({"a.gz, GZIP", "a.csv.BZ2, BZIP2", "a.zst, ZSTD", "a.xz, XZ", "a.csv, NONE"})
  void aNameMayPromiseACompression(String name, Compression compression) {
    assertThat(Compression.ofName(name)).isEqualTo(compression);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<!DOCTYPE html><html lang='en'>  | is an HTML page, not a table: save the data itself",
        "' \n<HTML>\n<body>' | is an HTML page, not a table: save the data itself",
        "'\u0089PNG\r\n' | is a PNG picture, not a table: expected a table as CSV",
        "'\u00ff\u00d8\u00ff\u00e0' | is a JPEG picture, not a table: expected a table as CSV",
        "'RDX3' | is R data, not a table: save it in R by write.csv",
        "'X\n\0\0\0\u0003' | is R data, not a table: save it in R by write.csv",
        "'\u0080\u0004\u0095' | is a Python pickle, not a table: save it by to_csv of pandas",
        "'\u0093NUMPY\u0001' | is a NumPy array, not a table: save it by numpy.savetxt",
        "'PK\u0005\u0006' | is a ZIP archive without a file: expected a table",
      })
  void whatIsNoTableIsTold(String text, String sentence) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    for (Compression packing : List.of(Compression.NONE, Compression.GZIP, Compression.XZ)) {
      byte[] packed = packed(packing, bytes);
      assertThatThrownBy(() -> unpacked(packed)).hasMessage("some: " + sentence);
    }
  }

  @Test
  void anArchiveIsNoTable() throws IOException {
    byte[] tar = new byte[2048];
    System.arraycopy("ustar".getBytes(StandardCharsets.US_ASCII), 0, tar, 257, 5);
    byte[] packed = packed(Compression.GZIP, tar);
    for (byte[] bytes : List.of(tar, packed)) {
      assertThatThrownBy(() -> Compression.unpack("some", new ByteArrayInputStream(bytes)))
          .hasMessage("some: is a tar archive: unpack it first");
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatIsPackedUnpacks(Compression compression) throws IOException {
    assertThat(unpacked(packed(compression, TEXT))).isEqualTo(TEXT);
    assertThat(unpacked(packed(compression, new byte[0]))).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ZIP")
  void packedPartsMayFollowEachOther(Compression compression) throws IOException {
    byte[] once = packed(compression, TEXT);
    byte[] twice = Arrays.copyOf(once, 2 * once.length);
    System.arraycopy(once, 0, twice, once.length, once.length);
    assertThat(unpacked(twice)).hasSize(2 * TEXT.length).startsWith(TEXT).endsWith(TEXT);
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"NONE", "ZIP"})
  void whatIsCutShortIsTold(Compression compression) throws IOException {
    byte[] packed = packed(compression, TEXT);
    for (int length : new int[] {7, packed.length / 2, packed.length - 5}) {
      byte[] cut = Arrays.copyOf(packed, length);
      assertThatThrownBy(() -> unpacked(cut))
          .isExactlyInstanceOf(DamagedDataException.class)
          .hasMessageStartingWith("some: damaged or truncated " + compression + " data: ");
    }
  }

  @ParameterizedTest
  @EnumSource
  void damagedBytesAreToldOrUnpacked(Compression compression) throws IOException {
    byte[] packed = packed(compression, text(2_000));
    SplittableRandom random = new SplittableRandom(3);
    Assertions.assertTimeout(
        Duration.ofSeconds(60),
        () -> {
          for (int i = 0; i < 500; i++) {
            byte[] damaged = Arrays.copyOf(packed, random.nextInt(packed.length + 1));
            for (int j = random.nextInt(1, 4); j > 0 && damaged.length > 0; j--) {
              damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            }
            unpackOrTell(damaged);
          }
        });
  }

  /** The end of an archive lists its files again, and nobody needs that. */
  @Test
  void anArchiveThatIsCutShortIsTold() throws IOException {
    byte[] packed = packed(Compression.ZIP, TEXT);
    for (int length : new int[] {7, packed.length / 2}) {
      assertThatThrownBy(() -> unpacked(Arrays.copyOf(packed, length)))
          .isExactlyInstanceOf(DamagedDataException.class)
          .hasMessageStartingWith("some: damaged or truncated ZIP data: ");
    }
  }

  @Test
  void anArchiveOfSeveralFilesIsRefused() throws IOException {
    assertThat(unpacked(archive("__MACOSX/a.csv", "a/", "a/b.csv")))
        .isEqualTo("a/b.csv".getBytes());
    assertThatThrownBy(() -> unpacked(archive("a.csv", "b.csv")))
        .hasMessage(
            "some: is a ZIP archive of several files, such as 'a.csv' and 'b.csv': unpack it and"
                + " give one of them");
    assertThatThrownBy(() -> unpacked(archive("mimetype", "content.xml")))
        .hasMessage("some: is an OpenDocument file: save the sheet as .xlsx or CSV");
  }

  private static byte[] archive(String... names) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      for (String name : names) {
        zip.putNextEntry(new ZipEntry(name));
        if (!name.endsWith("/")) {
          zip.write(name.getBytes());
        }
      }
    }
    return bytes.toByteArray();
  }

  @ParameterizedTest
  @CsvSource({
    "d0cf11e0a1b11ae1, 'an Excel workbook in the old format, or with a password: save the sheet as"
        + " .xlsx without a password, or as CSV'",
    "5041523115041500, 'a Parquet file: convert it to CSV, for instance with pandas or DuckDB'",
    "4f626a0104160000, 'an Avro file: convert it to JSON, one object per line'",
    "53514c6974652066, an SQLite database: export its table as CSV",
    "3c73746174615f6474613e, 'a Stata file: save it as CSV, by export delimited'",
    "24464c3240282329, 'an SPSS file: save it as CSV'",
    "000000000000000000000000c2ea8160b3140000, 'a SAS file: save it as CSV, by proc export'",
    "255044462d312e35, a PDF document: expected a table as CSV",
    "41564d344a0d0a00, an avm model: expected data; use -m for a model",
  })
  void otherFormatsAreNamed(String head, String what) {
    assertThatThrownBy(() -> unpacked(HexFormat.of().parseHex(head)))
        .hasMessage("some: is " + what);
  }

  @Test
  void aFirstByteOfAMagicIsNoMagic() throws IOException {
    for (String text : new String[] {"B", "BZ", "\u001f", "(", ""}) {
      assertThat(unpacked(text.getBytes())).isEqualTo(text.getBytes());
    }
  }

  static byte[] packed(Compression compression, byte[] content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = compression.pack(bytes)) {
      out.write(content);
    }
    return bytes.toByteArray();
  }

  private static void unpackOrTell(byte[] bytes) {
    try {
      unpacked(bytes);
    } catch (IOException told) {
      assertThat(told).hasMessageStartingWith("some: ");
    }
  }

  private static byte[] unpacked(byte[] bytes) throws IOException {
    try (InputStream in = Compression.unpack("some", pipe(bytes))) {
      return in.readAllBytes();
    }
  }

  /** A pipe never knows what is at hand. */
  private static InputStream pipe(byte[] bytes) {
    return new FilterInputStream(new ByteArrayInputStream(bytes)) {
      @Override
      public int available() {
        return 0;
      }
    };
  }

  private static byte[] text(int bytes) {
    byte[] text = new byte[bytes];
    new SplittableRandom(1).nextBytes(text);
    for (int i = 0; i < bytes; i++) {
      text[i] = (byte) ('0' + (text[i] & 7));
    }
    return text;
  }
}
