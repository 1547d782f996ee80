package org.avm4j.serve;

import java.io.IOException;

/** Thrown if the store is damaged. The message is a sentence for users. */
public final class DamageException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception whose message says what is damaged. */
  public DamageException(String sentence) {
    super(sentence);
  }
}
