package org.avm4j.flink.table;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;

/** The values of tables as a model takes them. */
final class TableValues {
  private TableValues() {}

  /** A date, a time or a timestamp as its ISO 8601 text; any other value as it is. */
  static Object of(Object value) {
    if (value instanceof ZonedDateTime zoned) {
      return zoned.toOffsetDateTime().toString();
    }
    boolean isTime =
        value instanceof LocalDate
            || value instanceof LocalTime
            || value instanceof LocalDateTime
            || value instanceof OffsetDateTime
            || value instanceof Instant;
    return isTime ? value.toString() : value;
  }
}
