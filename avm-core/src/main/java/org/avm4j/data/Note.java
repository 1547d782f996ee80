package org.avm4j.data;

/**
 * A sentence for people on how data was read.
 *
 * @param kind whether something is probably wrong
 * @param text the sentence
 */
public record Note(Kind kind, String text) {
  /** What a note is for. */
  public enum Kind {
    /** Tells how something was understood. */
    REMARK,
    /** Tells what is probably a mistake. */
    WARNING
  }

  /** A remark. */
  public static Note of(String text) {
    return new Note(Kind.REMARK, text);
  }

  /** A warning. */
  public static Note warning(String text) {
    return new Note(Kind.WARNING, text);
  }

  /** Whether this is a warning. */
  public boolean isWarning() {
    return kind == Kind.WARNING;
  }

  /** The sentence as it is printed. */
  @Override
  public String toString() {
    return (isWarning() ? "warning: " : "") + text;
  }
}
