package org.avm4j.data;

/** Texts that a file can hold. */
public final class UnicodeText {
  private UnicodeText() {}

  /**
   * Refuses a text with half of a surrogate pair: no file could hold it, so that two names would be
   * one after it was read back.
   *
   * @param what whose text it is, for the message
   */
  public static String check(String what, String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isSurrogate(c)) {
        boolean isPair =
            Character.isHighSurrogate(c)
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
        if (!isPair) {
          throw new IllegalArgumentException(
              "%s must be Unicode text, found half of a surrogate pair, U+%X"
                  .formatted(what, (int) c));
        }
        i++;
      }
    }
    return text;
  }
}
