package org.avm4j.export;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.avm4j.Features;
import org.avm4j.data.BadDataException;
import org.avm4j.data.Decimal;
import org.avm4j.data.Scaler;
import org.avm4j.table.Scaling;

/**
 * Reads a range file of {@code svm-scale}: a line {@code x}, a line with the lower and the upper
 * end, and a line for each feature with its index from 1, minimum and maximum. Features that are
 * not listed become 0.
 */
final class RangeFile {
  private final String name;
  private final BufferedReader in;
  private long line;

  private RangeFile(String name, BufferedReader in) {
    this.name = name;
    this.in = in;
  }

  static Scaler read(Path file) throws IOException {
    try (BufferedReader in = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
      return new RangeFile(file.toString(), in).read();
    }
  }

  private Scaler read() throws IOException {
    String first = next();
    if (first == null || !first.equals("x")) {
      throw new BadDataException(name, 1, "expected 'x'; a scaling of labels is not supported");
    }
    double[] ends = numbers(next(), "the lower and the upper end", 2);
    double[] factors = {};
    double[] shifts = {};
    for (String text = next(); text != null; text = next()) {
      double[] feature = numbers(text, "index, least and largest value", 3);
      int i = index(feature[0]);
      factors = i < factors.length ? factors : Arrays.copyOf(factors, i + 1);
      shifts = i < shifts.length ? shifts : Arrays.copyOf(shifts, i + 1);
      double range = feature[2] - feature[1];
      factors[i] = range > 0 ? (ends[1] - ends[0]) / range : 0;
      shifts[i] = range > 0 ? ends[0] - feature[1] * factors[i] : 0;
    }
    return Scaler.of(ends[0] == 0 ? Scaling.UNIT : Scaling.SYMMETRIC, factors, shifts);
  }

  private int index(double number) throws BadDataException {
    boolean isIndex = number == Math.rint(number) && number >= 1;
    if (!isIndex || number > Features.MAX_DIMENSION) {
      throw new BadDataException(name, line, "expected an index from 1, found " + number);
    }
    return (int) number - 1;
  }

  private double[] numbers(String text, String expected, int count) throws BadDataException {
    String[] words = text == null ? new String[0] : text.split("[ \t]+");
    double[] numbers = Arrays.stream(words).mapToDouble(Decimal::parse).toArray();
    if (numbers.length != count || !Arrays.stream(numbers).allMatch(Double::isFinite)) {
      String found = BadDataException.quote(text == null ? "" : text);
      throw new BadDataException(name, line, "expected " + expected + ", found " + found);
    }
    return numbers;
  }

  /** The next line that is not blank; null at the end. */
  private String next() throws IOException {
    String text = in.readLine();
    for (line++; text != null && text.isBlank(); line++) {
      text = in.readLine();
    }
    return text == null ? null : text.strip();
  }
}
