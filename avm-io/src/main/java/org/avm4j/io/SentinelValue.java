package org.avm4j.io;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.avm4j.data.Decimal;

/** Detects a number that may stand for a missing value, such as -999 among temperatures. */
final class SentinelValue {
  /** Minimum number of rows with the number; an outlier occurs only once or twice. */
  private static final int FEWEST_ROWS = 3;

  /** Minimum number of other distinct numbers, which show what is usual in the column. */
  private static final int FEWEST_OTHERS = 10;

  private SentinelValue() {}

  /** A note if the gap to the smallest or largest number exceeds the range of the others. */
  static Optional<String> in(ColumnProfile column) {
    TreeMap<Double, Integer> rows = new TreeMap<>();
    column
        .counts()
        .rows()
        .forEach(
            (text, count) -> {
              if (Decimal.isNumber(text)) {
                rows.merge(Decimal.parse(text), count, Integer::sum);
              }
            });
    if (rows.size() <= FEWEST_OTHERS) {
      return Optional.empty();
    }
    double least = rows.firstKey();
    double most = rows.lastKey();
    double second = rows.higherKey(least);
    double last = rows.lowerKey(most);
    boolean isLow = second - least > most - second;
    boolean isHigh = most - last > last - least;
    Map.Entry<Double, Integer> mark = isLow ? rows.firstEntry() : rows.lastEntry();
    return (isLow || isHigh) && mark.getValue() >= FEWEST_ROWS
        ? Optional.of(
            String.format(
                Locale.ROOT,
                "has %s in %,d rows, far from all its other numbers; if it stands for a missing"
                    + " value, leave these cells empty",
                Decimal.text(mark.getKey()),
                mark.getValue()))
        : Optional.empty();
  }
}
