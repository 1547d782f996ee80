package org.avm4j.bench;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.avm4j.data.Instance;
import org.avm4j.data.LibsvmReader;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** A megabyte of LIBSVM text, read and parsed: 150 MB/s are 6.7 ms. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class ParseBenchmark {
  static final int MEGABYTE = 1_000_000;

  /** What the text is of. */
  @Param({"a9a-like", "ijcnn1-like", "covtype-like"})
  public String data;

  Instance[] rows;
  int rowsInText;
  byte[] text;

  /** Whole lines, just about a megabyte. */
  @Setup
  public void setUp() {
    rows = Workload.of(data, Workload.GENERATED).rows();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (rowsInText = 0; out.size() < MEGABYTE; rowsInText++) {
      out.writeBytes(line(rows[rowsInText % rows.length]).getBytes(StandardCharsets.US_ASCII));
    }
    text = Arrays.copyOf(out.toByteArray(), out.size());
  }

  /** The sum of all labels and entries. */
  @Benchmark
  public double parse() throws IOException {
    double sum = 0;
    try (LibsvmReader reader =
        new LibsvmReader("memory", new ByteArrayInputStream(text), LibsvmReader.Options.DEFAULT)) {
      while (reader.next()) {
        sum += reader.label() + reader.features().count();
      }
    }
    return sum;
  }

  /** As the files on the web have them: whole labels and at most six digits after the point. */
  private static String line(Instance row) {
    StringBuilder text = new StringBuilder().append((int) row.label());
    for (int i = 0; i < row.features().count(); i++) {
      double value = Math.rint(row.features().value(i) * 1e6) / 1e6;
      text.append(' ').append(row.features().index(i) + 1).append(':');
      text.append(value == Math.rint(value) ? Long.toString((long) value) : "" + value);
    }
    return text.append('\n').toString();
  }
}
