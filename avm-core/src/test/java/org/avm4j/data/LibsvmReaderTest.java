package org.avm4j.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import org.avm4j.Features;
import org.avm4j.data.LibsvmReader.Options;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LibsvmReaderTest {
  private static final Options ZERO_BASED = new Options(true, false);
  private static final Options UNSORTED = new Options(false, true);

  @Test
  void readsLabelsAndEntries() throws IOException {
    assertThat(rows("+1 1:0.5 3:-2\n-1 2:1e2\n"))
        .containsExactly(
            new Instance(Features.dense(0.5, 0, -2), 1), new Instance(Features.dense(0, 100), -1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1 1:2 2:3",
        "1 1:2 2:3\n",
        "1 1:2 2:3\r\n",
        "  1\t1:2 \t 2:3  \t\r\n",
        "\n\n1 1:2 2:3\n\n",
        "# head\n1 1:2 2:3 # tail\n# end",
        "1 qid:7 1:2 2:3\n",
        "1 1:2 2:3#tail\n",
        "1e0 1:+2 2:3.",
        "1 1:2e0 2:30e-1"
      })
  void whatSurroundsARowDoesNotMatter(String text) throws IOException {
    assertThat(rows(text)).containsExactly(new Instance(Features.dense(2, 3), 1));
  }

  @Test
  void aLabelMayBeUnknown() throws IOException {
    Instance row = rows("? 1:2 2:3\n").get(0);
    assertThat(row.label()).isNaN();
    assertThat(row.features()).isEqualTo(Features.dense(2, 3));
  }

  @Test
  void aRowMayHaveNoEntries() throws IOException {
    assertThat(rows("1\n-1 \n"))
        .containsExactly(new Instance(Features.dense(), 1), new Instance(Features.dense(), -1));
  }

  @Test
  void anEmptyInputHasNoRows() throws IOException {
    assertThat(rows("")).isEmpty();
    assertThat(rows("\n \n# nothing")).isEmpty();
  }

  @Test
  void aZeroEntryWidensTheRow() throws IOException {
    assertThat(rows("1 1:2 5:0").get(0).features()).isEqualTo(Features.dense(2, 0, 0, 0, 0));
  }

  @Test
  void tellsTheLineOfEachRow() throws IOException {
    LibsvmReader reader = reader("# head\n\n1 1:1\n\n2 1:1", Options.DEFAULT);
    assertThat(reader.next()).isTrue();
    assertThat(reader.line()).isEqualTo(3);
    assertThat(reader.next()).isTrue();
    assertThat(reader.line()).isEqualTo(5);
    assertThat(reader.next()).isFalse();
    assertThat(reader.next()).isFalse();
  }

  @Test
  void zeroBasedIndicesStartAtZero() throws IOException {
    assertThat(rows("1 0:4 2:5", ZERO_BASED).get(0).features()).isEqualTo(Features.dense(4, 0, 5));
  }

  @Test
  void unsortedIndicesAreSorted() throws IOException {
    assertThat(rows("1 3:5 1:4\n2 2:1", UNSORTED))
        .containsExactly(
            new Instance(Features.dense(4, 0, 5), 1), new Instance(Features.dense(0, 1), 2));
  }

  @Test
  void withoutLabelsTheLabelIsNaN() throws IOException {
    List<Instance> rows = rows("1:4 2:5\n7 1:1\n", new Options(false, false, false));
    assertThat(rows)
        .containsExactly(
            new Instance(Features.dense(4, 5), Double.NaN),
            new Instance(Features.dense(1), Double.NaN));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "x 1:1 | expected a finite number as label, found 'x'",
        "nan 1:1 | expected a finite number as label, found 'nan'",
        "1e999 1:1 | expected a finite number as label, found '1e999'",
        "1:1 2:1 | expected a finite number as label, found '1:1'",
        "1,2 1:1 | expected one label, found '1,2'",
        "1 2 | expected index:value, found '2'",
        "1 a:2 | expected index:value, found 'a:2'",
        "1 :2 | expected index:value, found ':2'",
        "1 -1:2 | expected index:value, found '-1:2'",
        "1 1 :2 | expected index:value, found '1'",
        "1 1: | expected a finite number after the colon, found '1:'",
        "1 1:x | expected a finite number after the colon, found '1:x'",
        "1 1:2:3 | expected a finite number after the colon, found '1:2:3'",
        "1 1:inf | expected a finite number after the colon, found '1:inf'",
        "1 1:-NaN | expected a finite number after the colon, found '1:-NaN'",
        "1 1:1e400 | expected a finite number after the colon, found '1:1e400'",
        "1 1:0x10 | expected a finite number after the colon, found '1:0x10'",
        "1 0:2 | indices start at 1 (--zero-based lets them start at 0), found '0:2'",
        "1 2:1 1:1 | indices must ascend (--unsorted sorts them), found '1:1'",
        "1 2:1 2:1 | an index must appear once in a row, found again '2:1'",
        "1 16777217:1 | an index must not exceed 16777216, found '16777217:1'",
        "1 99999999999999999999:1 | an index must not exceed 16777216, found"
            + " '99999999999999999999:1'",
        "1 1:1234567890123456789012345678901234567890x"
            + " | expected a finite number after the colon, found"
            + " '1:12345678901234567890123456789012345678...'",
      })
  void aBadRowIsShownAndTheNextIsRead(String row, String message) throws IOException {
    LibsvmReader reader = reader("1 1:1\n" + row + "\n2 1:3\n", Options.DEFAULT);
    assertThat(reader.next()).isTrue();
    assertThatThrownBy(reader::next)
        .isInstanceOf(BadDataException.class)
        .hasMessage("some.libsvm:2: " + message);
    assertThat(reader.next()).isTrue();
    assertThat(reader.label()).isEqualTo(2);
    assertThat(reader.features()).isEqualTo(Features.dense(3));
    assertThat(reader.next()).isFalse();
  }

  @Test
  void aDuplicateIsAnErrorEvenIfUnsorted() throws IOException {
    LibsvmReader reader = reader("1 3:1 1:1 3:2\n2 1:1", UNSORTED);
    assertThatThrownBy(reader::next)
        .hasMessage("some.libsvm:1: an index must appear once in a row, found again '3'");
    assertThat(reader.next()).isTrue();
  }

  @Test
  void anEmptyIndexIsNoZero() {
    assertThatThrownBy(() -> rows("1 :5", ZERO_BASED)).hasMessageContaining("found ':5'");
  }

  @Test
  void theLargestIndexIsRead() throws IOException {
    assertThat(rows("1 16777216:1").get(0).features().index(0)).isEqualTo(16777215);
  }

  @Test
  void linesMayBeLongerThanTheBuffer() throws IOException {
    StringBuilder text = new StringBuilder("1");
    double[] row = new double[100_000];
    for (int i = 0; i < row.length; i++) {
      row[i] = i % 7 + 0.25;
      text.append(' ').append(i + 1).append(':').append(row[i]);
    }
    text.append(" #").append("x".repeat(500_000)).append("\n2 1:1");
    assertThat(rows(text.toString()))
        .containsExactly(new Instance(Features.dense(row), 1), new Instance(Features.dense(1), 2));
  }

  @Test
  void aTokenLongerThanTheBufferIsRefused() throws IOException {
    LibsvmReader reader = reader("1 1:" + "7".repeat(400_000) + " 2:1\n2 1:1", Options.DEFAULT);
    assertThatThrownBy(reader::next)
        .hasMessageStartingWith("some.libsvm:1: a number or index:value must be shorter than");
    assertThat(reader.next()).isTrue();
    assertThat(reader.label()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 13, 31, 207, 1021})
  void howTheBytesArriveDoesNotMatter(int chunk) throws IOException {
    String text = random(500, 11);
    LibsvmReader slow = new LibsvmReader("slow", trickle(text, chunk), Options.DEFAULT);
    assertThat(all(slow)).isEqualTo(rows(text));
  }

  @Test
  void theHotLoopReadsWhatThePlainOneReads() throws IOException {
    String text = random(2_000, 12);
    assertThat(rows(text.replace(" ", "\t"))).isEqualTo(rows(text));
    assertThat(rows(text, UNSORTED)).isEqualTo(rows(text));
  }

  @Test
  void aRowIsSeenBeforeTheNextArrives() throws IOException {
    InputStream in =
        new InputStream() {
          private final InputStream first = trickle("1 1:2\n", 64);

          @Override
          public int read() {
            throw new AssertionError("read ahead");
          }

          @Override
          public int read(byte[] bytes, int from, int length) throws IOException {
            int count = first.read(bytes, from, length);
            return count < 0 ? read() : count;
          }
        };
    assertThat(new LibsvmReader("pipe", in, Options.DEFAULT).next()).isTrue();
  }

  @Test
  void openReadsPlainAndGzip(@TempDir Path folder) throws IOException {
    Path plain = Files.writeString(folder.resolve("a"), "1 1:2\n");
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    for (String member : List.of("1 1:2\n", "2 1:3\n")) {
      try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
        gzip.write(member.getBytes(StandardCharsets.UTF_8));
      }
    }
    Path gzip = Files.write(folder.resolve("b"), packed.toByteArray());
    assertThat(all(LibsvmReader.open(plain))).hasSize(1);
    assertThat(all(LibsvmReader.open(gzip))).hasSize(2);
    assertThat(all(LibsvmReader.open(Files.createFile(folder.resolve("c"))))).isEmpty();
  }

  @Test
  void aTruncatedFileIsAnErrorThatEnds(@TempDir Path folder) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(random(1_000, 13).getBytes(StandardCharsets.UTF_8));
    }
    byte[] cut = Arrays.copyOf(packed.toByteArray(), packed.size() / 2);
    Path file = Files.write(folder.resolve("cut.gz"), cut);
    assertThatThrownBy(() -> all(LibsvmReader.open(file)))
        .isExactlyInstanceOf(IOException.class)
        .hasMessageMatching(".*cut.gz:\\d+: cannot read on: .*");
  }

  @Test
  void whatIsWrittenReadsBack() throws IOException {
    List<Instance> rows = rows(random(2_000, 14));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (LibsvmWriter writer = new LibsvmWriter(out)) {
      for (Instance row : rows) {
        writer.write(row.features(), row.label());
      }
    }
    assertThat(rows(out.toString(StandardCharsets.UTF_8))).isEqualTo(rows);
  }

  @Test
  void writesWholeNumbersWithoutAPoint() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (LibsvmWriter writer = new LibsvmWriter(out)) {
      writer.write(Features.dense(1, 0, 0.1, -2), -1);
      writer.write(Features.dense(), Double.NaN);
    }
    assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("-1 1:1 3:0.1 4:-2\n0\n");
  }

  private static String random(int rows, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < rows; i++) {
      text.append(random.nextInt(-1, 9));
      int index = 0;
      for (int j = random.nextInt(12); j > 0; j--) {
        index += random.nextInt(1, 2_000);
        text.append(' ').append(index).append(':').append(number(random));
      }
      text.append('\n');
    }
    return text.toString();
  }

  private static String number(SplittableRandom random) {
    return switch (random.nextInt(5)) {
      case 0 -> Integer.toString(random.nextInt(1, 10_000));
      case 1 -> Double.toString(random.nextDouble() + 0.1);
      case 2 -> "-" + random.nextLong(1, Long.MAX_VALUE);
      case 3 -> random.nextInt(100) + "." + random.nextInt(1, 1_000_000);
      default -> (random.nextInt(100) + 1) + "e" + random.nextInt(-30, 30);
    };
  }

  private static InputStream trickle(String text, int chunk) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)) {
      @Override
      public int read(byte[] bytes, int from, int length) {
        return super.read(bytes, from, Math.min(length, chunk));
      }
    };
  }

  private static LibsvmReader reader(String text, Options options) {
    return new LibsvmReader("some.libsvm", trickle(text, Integer.MAX_VALUE), options);
  }

  private static List<Instance> rows(String text) throws IOException {
    return rows(text, Options.DEFAULT);
  }

  private static List<Instance> rows(String text, Options options) throws IOException {
    return all(reader(text, options));
  }

  private static List<Instance> all(LibsvmReader reader) throws IOException {
    List<Instance> rows = new ArrayList<>();
    try (reader) {
      while (reader.next()) {
        rows.add(new Instance(reader.features().copy(), reader.label()));
      }
    }
    return rows;
  }
}
