package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The cases of W3C Trace Context, level 1. */
class TraceContextTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String PARENT = "00f067aa0ba902b7";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "00-" + TRACE + "-" + PARENT + "-01",
        "00-" + TRACE + "-" + PARENT + "-00",
        "cc-" + TRACE + "-" + PARENT + "-01",
        "cc-" + TRACE + "-" + PARENT + "-01-what-the-future-will-be-like",
      })
  void aValidHeaderNamesItsTrace(String header) {
    assertThat(TraceContext.traceId(header)).isEqualTo(TRACE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        TRACE,
        "ff-" + TRACE + "-" + PARENT + "-01",
        "00-" + TRACE + "-" + PARENT + "-01-more",
        "00-" + TRACE + "-" + PARENT + "-1",
        "00-" + TRACE + "-" + PARENT + "-01 ",
        "cc-" + TRACE + "-" + PARENT + "-01.more",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-" + PARENT + "-01",
        "00-00000000000000000000000000000000-" + PARENT + "-01",
        "00-" + TRACE + "-0000000000000000-01",
        "00-4bf92f35-" + PARENT + "-01",
      })
  void anInvalidHeaderNamesNone(String header) {
    assertThat(TraceContext.traceId(header)).isNull();
  }

  @Test
  void aHeaderThatIsAbsentOrTooLongNamesNone() {
    assertThat(TraceContext.traceId(null)).isNull();
    String longer = "cc-" + TRACE + "-" + PARENT + "-01-" + "a".repeat(500);
    assertThat(TraceContext.traceId(longer)).isNull();
  }
}
