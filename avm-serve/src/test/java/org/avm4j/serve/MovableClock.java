package org.avm4j.serve;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;

/** A clock that a test moves. */
final class MovableClock extends Clock {
  volatile Instant now = Instant.parse("2030-01-01T00:00:00Z");

  @Override
  public ZoneId getZone() {
    return ZoneId.of("UTC");
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }

  @Override
  public Instant instant() {
    return now;
  }
}
