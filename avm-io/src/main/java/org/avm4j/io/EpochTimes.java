package org.avm4j.io;

import java.time.LocalDate;
import java.util.DoubleSummaryStatistics;
import java.util.Optional;
import org.avm4j.data.Decimal;

/** Detects numbers that may be seconds or milliseconds since 1970. */
final class EpochTimes {
  /** Seconds from 1970 to 2000. */
  private static final double EARLIEST = 946_684_800;

  /** Seconds from 1970 to 2040. */
  private static final double LATEST = 2_208_988_800.0;

  private static final int SECONDS_OF_A_DAY = 86_400;

  /** Minimum number of different numbers; a few large ones may be anything. */
  private static final int FEWEST = 20;

  private EpochTimes() {}

  /** A note if all numbers of a column are times from 2000 to 2040. */
  static Optional<String> in(ColumnProfile column) {
    if (column.counts().size() < FEWEST || column.numbers() < column.present()) {
      return Optional.empty();
    }
    DoubleSummaryStatistics range =
        column.counts().keySet().stream().mapToDouble(Decimal::parse).summaryStatistics();
    return note(range, 1, "seconds").or(() -> note(range, 1000, "milliseconds"));
  }

  private static Optional<String> note(DoubleSummaryStatistics range, int unit, String word) {
    boolean isTime = range.getMin() >= unit * EARLIEST && range.getMax() <= unit * LATEST;
    return isTime
        ? Optional.of(
            "looks like "
                + word
                + " since 1970, from "
                + day(range.getMin() / unit)
                + " to "
                + day(range.getMax() / unit)
                + ", and is read as a number; write dates if the season or the hour matters")
        : Optional.empty();
  }

  private static LocalDate day(double seconds) {
    return LocalDate.ofEpochDay((long) seconds / SECONDS_OF_A_DAY);
  }
}
