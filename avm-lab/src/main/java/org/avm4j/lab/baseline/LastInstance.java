package org.avm4j.lab.baseline;

import org.avm4j.Features;

/** Remembers the last instance, so that its features are not computed twice for score and learn. */
final class LastInstance {
  private Features last;

  /** Whether x equals the last instance; then remembers x. */
  boolean isRepeated(Features x) {
    if (x.equals(last)) {
      return true;
    }
    last = x.copy();
    return false;
  }
}
