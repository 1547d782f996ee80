package org.avm4j.flink.job;

import org.avm4j.Features;
import org.avm4j.data.Decimal;
import org.avm4j.flink.AvmRow;

/** Parses a line of LIBSVM: a label, then 1-based ascending indices with their values. */
final class LibsvmLine {
  private LibsvmLine() {}

  static AvmRow row(String line) {
    Features.Buffer row = new Features.Buffer();
    int end = end(line, 0);
    double label = number(line.substring(0, end));
    for (int from = end + 1; from < line.length(); from = end + 1) {
      end = end(line, from);
      if (end > from) {
        add(line.substring(from, end), row);
      }
    }
    return AvmRow.of(RowFormat.ONE_KEY, row.features(), label);
  }

  private static int end(String line, int from) {
    int blank = line.indexOf(' ', from);
    return blank < 0 ? line.length() : blank;
  }

  private static void add(String entry, Features.Buffer row) {
    int colon = entry.indexOf(':');
    if (colon < 1) {
      throw new IllegalArgumentException("expected INDEX:VALUE, found '" + entry + "'");
    }
    double index = number(entry.substring(0, colon));
    if (index != Math.rint(index) || index < 1 || index > Features.MAX_DIMENSION) {
      throw new IllegalArgumentException("expected an index of at least 1, found '" + entry + "'");
    }
    row.add((int) index - 1, number(entry.substring(colon + 1)));
  }

  private static double number(String text) {
    double number = Decimal.parse(text);
    if (!Double.isFinite(number)) {
      throw new IllegalArgumentException("expected a finite number, found '" + text + "'");
    }
    return number;
  }
}
