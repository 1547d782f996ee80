package org.avm4j.serve;

import java.io.IOException;

/** Thrown if the store is damaged. The message is one sentence. */
public final class DamageException extends IOException {
  private static final long serialVersionUID = 1L;

  /** A sentence that says what is damaged. */
  public DamageException(String sentence) {
    super(sentence);
  }
}
