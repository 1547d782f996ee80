package org.avm4j.io;

import java.io.IOException;

/**
 * Thrown if data cannot be read to its end: a JSON array is broken, or compressed data is damaged,
 * truncated, followed by other bytes, or an archive of several files.
 */
public final class DamagedDataException extends IOException {
  private static final long serialVersionUID = 1L;

  DamagedDataException(String message, Exception cause) {
    super(message, cause);
  }
}
