package org.avm4j.serve;

import java.io.IOException;

/** Thrown if the store is damaged. The message is a sentence for users. */
public final class DamageException extends IOException {
  private static final long serialVersionUID = 1L;

  /** An exception for damage that a repair of the store may mend. */
  static DamageException repairable(String damage) {
    return new DamageException(damage + "; avm serve --repair recovers what can be read");
  }

  /** Creates an exception whose message says what is damaged. */
  public DamageException(String sentence) {
    super(sentence);
  }
}
