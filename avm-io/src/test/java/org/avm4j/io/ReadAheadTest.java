package org.avm4j.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.avm4j.data.BadDataException;
import org.avm4j.data.Missing;
import org.avm4j.data.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reading ahead changes when rows are read, and nothing else. */
@Timeout(60)
class ReadAheadTest {
  @Test
  void rowsBadLinesAndLineNumbersAreTheSame() throws IOException {
    StringBuilder text = new StringBuilder("# a comment\n");
    for (int i = 1; i <= 5000; i++) {
      text.append(i % 7 == 0 ? "1 nonsense" : i + " 1:" + i + " 3:0.5 4:0").append('\n');
      text.append(i % 100 == 0 ? "\n\n" : "");
    }
    String all = text.toString();
    assertThat(told(libsvm(all).ahead())).hasSize(5001).isEqualTo(told(libsvm(all)));
  }

  @Test
  void rowsWithMissingValuesAreCountedWhereTheyAre() throws IOException {
    StringBuilder text = new StringBuilder("a,b,label\n");
    for (int i = 0; i < 3000; i++) {
      text.append(i % 3 == 0 ? "," : i + ",").append(i % 5 == 0 ? "red" : "blue");
      text.append(i % 11 == 0 ? ",extra,1\n" : ",1\n");
    }
    String all = text.toString();
    ReadOptions options = ReadOptions.DEFAULT.withMissing(Missing.SKIP).withFormat(Format.CSV);
    List<String> plain = told(of(all, options));
    assertThat(plain).anyMatch(line -> line.contains("weight 1.0, skipped 5"));
    assertThat(told(of(all, options).ahead())).isEqualTo(plain);
  }

  @Test
  void damageIsToldAfterTheSameRows() throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = Compression.GZIP.pack(packed)) {
      for (int i = 0; i < 100_000; i++) {
        out.write(("1 1:" + Math.sin(i) + "\n").getBytes(StandardCharsets.US_ASCII));
      }
    }
    byte[] cut = Arrays.copyOf(packed.toByteArray(), packed.size() / 2);
    List<String> plain = told(of("x.libsvm", cut));
    assertThat(plain.get(plain.size() - 1)).contains("x.libsvm: damaged or truncated GZIP data");
    assertThat(told(of("x.libsvm", cut).ahead())).isEqualTo(plain);
  }

  @Test
  void aRowIsHandedOverBeforeTheNextIsThere() throws IOException {
    try (PipedOutputStream writer = new PipedOutputStream();
        DataReader reader =
            DataReader.of("x.libsvm", begun(writer), ReadOptions.DEFAULT, new Schema()).ahead()) {
      for (int i = 2; i < 50; i++) {
        assertThat(reader.next()).isTrue();
        assertThat(reader.label()).isEqualTo(i - 1);
        writer.write((i + " 1:1\n").getBytes(StandardCharsets.US_ASCII));
        writer.flush();
      }
    }
  }

  /** Format and compression are found out from the first bytes, so some must be there. */
  private static InputStream begun(PipedOutputStream writer) throws IOException {
    InputStream in = new PipedInputStream(writer);
    writer.write("1 1:1\n".getBytes(StandardCharsets.US_ASCII));
    writer.flush();
    return in;
  }

  @Test
  void memoryIsBoundedAndClosingStopsTheThread() throws Exception {
    AtomicLong bytes = new AtomicLong();
    AtomicBoolean closed = new AtomicBoolean();
    DataReader reader =
        DataReader.of("x.libsvm", endless(bytes, closed), ReadOptions.DEFAULT, new Schema())
            .ahead();
    assertThat(reader.next()).isTrue();
    Thread thread = thread();
    while (thread.getState() != Thread.State.WAITING) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
    assertThat(bytes.get()).isLessThan(2_000_000);
    assertThat(reader.next()).isTrue();
    reader.close();
    thread.join();
    assertThat(closed).isTrue();
    assertThat(reader.next()).isFalse();
  }

  private static Thread thread() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("read-ahead"))
        .findFirst()
        .orElseThrow();
  }

  private static InputStream endless(AtomicLong bytes, AtomicBoolean closed) {
    byte[] line = "1 1:0.25 2:0.5\n".getBytes(StandardCharsets.US_ASCII);
    return new InputStream() {
      @Override
      public int read() {
        return line[(int) (bytes.getAndIncrement() % line.length)];
      }

      @Override
      public int read(byte[] into, int from, int length) {
        for (int i = 0; i < length; i++) {
          into[from + i] = (byte) read();
        }
        return length;
      }

      @Override
      public void close() {
        closed.set(true);
      }
    };
  }

  @Test
  void aRowLargerThanTheBoundPasses() throws IOException {
    StringBuilder wide = new StringBuilder("1");
    for (int i = 1; i <= 300_000; i++) {
      wide.append(' ').append(i).append(":1");
    }
    String line = wide.append('\n').toString();
    DataReader reader = libsvm(line + line + line).ahead();
    for (int i = 0; i < 3; i++) {
      assertThat(reader.next()).isTrue();
      assertThat(reader.features().count()).isEqualTo(300_000);
    }
    assertThat(reader.next()).isFalse();
  }

  @Test
  void aBugInAReaderIsNotSilence() throws IOException {
    InputStream broken =
        new InputStream() {
          private final InputStream good =
              new ByteArrayInputStream(
                  "1 1:1\n".repeat(20_000).getBytes(StandardCharsets.US_ASCII));

          @Override
          public int read() throws IOException {
            int next = good.read();
            if (next < 0) {
              throw new StackOverflowError("a bug");
            }
            return next;
          }
        };
    DataReader reader =
        DataReader.of("x.libsvm", broken, ReadOptions.DEFAULT, new Schema()).ahead();
    assertThatThrownBy(
            () -> {
              while (reader.next()) {
                // On to the bug.
              }
            })
        .hasRootCauseInstanceOf(StackOverflowError.class);
  }

  private static List<String> told(DataReader reader) {
    List<String> all = new ArrayList<>();
    boolean goesOn = true;
    while (goesOn) {
      try {
        goesOn = reader.next();
        all.add(goesOn ? row(reader) : "end, skipped " + reader.skipped());
      } catch (BadDataException bad) {
        all.add(bad.getMessage());
      } catch (IOException last) {
        all.add(last.getMessage());
        goesOn = false;
      }
    }
    return all;
  }

  private static String row(DataReader reader) {
    return reader.line()
        + ": "
        + reader.label()
        + " "
        + reader.features()
        + " of "
        + reader.features().dimension()
        + ", weight "
        + reader.weight()
        + ", skipped "
        + reader.skipped();
  }

  private static DataReader libsvm(String text) throws IOException {
    return of("x.libsvm", text.getBytes(StandardCharsets.US_ASCII));
  }

  private static DataReader of(String text, ReadOptions options) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    return DataReader.of("x", new ByteArrayInputStream(bytes), options, new Schema());
  }

  private static DataReader of(String name, byte[] bytes) throws IOException {
    return DataReader.of(name, new ByteArrayInputStream(bytes), ReadOptions.DEFAULT, new Schema());
  }
}
