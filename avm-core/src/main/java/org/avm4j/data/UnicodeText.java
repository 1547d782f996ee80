package org.avm4j.data;

/** Checks that texts can be written to a file. */
public final class UnicodeText {
  private UnicodeText() {}

  /**
   * Throws an exception if a text has an unpaired surrogate: UTF-8 cannot represent it, so that two
   * different names could become equal in a file.
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
