package org.avm4j.codec;

import java.io.IOException;

/** A model file that cannot be read. The message is one sentence that says why. */
public final class ModelFileException extends IOException {
  private static final long serialVersionUID = 1L;

  private final boolean isOfLaterVersion;

  /** Creates an exception with a sentence that says why. */
  public ModelFileException(String message) {
    this(message, null);
  }

  ModelFileException(String message, Throwable cause) {
    this(message, cause, false);
  }

  ModelFileException(String message, Throwable cause, boolean isOfLaterVersion) {
    super(message, cause);
    this.isOfLaterVersion = isOfLaterVersion;
  }

  /** Whether the file is whole, but written by a later version of the library. */
  public boolean isOfLaterVersion() {
    return isOfLaterVersion;
  }

  /** The same, with the place where it happened in front of the sentence. */
  ModelFileException in(Object place) {
    return new ModelFileException(place + ": " + getMessage(), this, isOfLaterVersion);
  }
}
