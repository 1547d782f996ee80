package org.avm4j.codec;

import java.io.IOException;

/** A model file that cannot be read. The message is one sentence that says why. */
public final class ModelFileException extends IOException {
  private static final long serialVersionUID = 1L;

  /** A sentence that says why. */
  public ModelFileException(String message) {
    super(message);
  }
}
