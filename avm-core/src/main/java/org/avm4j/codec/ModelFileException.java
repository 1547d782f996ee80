package org.avm4j.codec;

import java.io.IOException;

/** A model file that cannot be read. The message is one sentence that says why. */
public final class ModelFileException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception with a sentence that says why. */
  public ModelFileException(String message) {
    super(message);
  }

  ModelFileException(String message, Throwable cause) {
    super(message, cause);
  }

  /** The same, with the place where it happened in front of the sentence. */
  ModelFileException in(Object place) {
    return new ModelFileException(place + ": " + getMessage(), this);
  }
}
