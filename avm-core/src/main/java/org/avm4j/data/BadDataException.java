package org.avm4j.data;

import java.io.IOException;

/** Input that breaks its format. The message names the file, the line and what was expected. */
public final class BadDataException extends IOException {
  private static final long serialVersionUID = 1L;
  private static final int SHOWN = 40;

  /** "file: expectation", for what is wrong with the whole of it. */
  public BadDataException(String file, String expectation) {
    super(file + ": " + expectation);
  }

  /** "file:line: expectation". */
  public BadDataException(String file, long line, String expectation) {
    super(file + ":" + line + ": " + expectation);
  }

  /** A text for a message: in quotes, shortened and without control characters. */
  public static String quote(String text) {
    String cut = text.length() > SHOWN ? text.substring(0, SHOWN) + "..." : text;
    return "'" + cut.replaceAll("\\p{Cntrl}", "?") + "'";
  }
}
