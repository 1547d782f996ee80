package org.avm4j.io;

import java.io.IOException;

/** Packed data that cannot be unpacked: it is damaged, cut short, or followed by something else. */
public final class DamagedDataException extends IOException {
  private static final long serialVersionUID = 1L;

  DamagedDataException(String message, Exception cause) {
    super(message, cause);
  }
}
