package org.avm4j.serve;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The header {@code traceparent} of W3C Trace Context, which names the trace of a request. */
final class TraceContext {
  /** Version, trace, parent and flags; versions after 00 may add more after another dash. */
  private static final Pattern HEADER =
      Pattern.compile(
          "(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?");

  private static final int MAX_LENGTH = 512;

  private TraceContext() {}

  /** The id of the trace in a header; null if the header is absent or not valid. */
  static String traceId(String header) {
    if (header == null || header.length() > MAX_LENGTH) {
      return null;
    }
    Matcher parts = HEADER.matcher(header);
    boolean isValid = parts.matches() && (parts.group(3) == null || !parts.group(1).equals("00"));
    return isValid ? parts.group(2) : null;
  }
}
