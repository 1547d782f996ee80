package org.avm4j.lab.baseline;

import org.avm4j.Features;

/** The instance that was seen last: score-then-learn need not compute its features twice. */
final class Recent {
  private Features last;

  /** Whether x is the last one; from now on it is. */
  boolean sees(Features x) {
    if (x.equals(last)) {
      return true;
    }
    last = x.copy();
    return false;
  }
}
