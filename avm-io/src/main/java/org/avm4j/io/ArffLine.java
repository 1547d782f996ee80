package org.avm4j.io;

/**
 * One line of ARFF, split into words. A word is quoted, or ends before a blank, a comma, a brace or
 * {@code %}, which starts a comment. A line that cannot be split throws an {@link
 * IllegalArgumentException}.
 */
final class ArffLine {
  private static final String ENDS = " \t,{}%";

  private final String text;
  private int at;

  ArffLine(String text) {
    this.text = text.strip();
  }

  /** Whether nothing is left but blanks and a comment. */
  boolean ended() {
    skipBlanks();
    return at == text.length() || text.charAt(at) == '%';
  }

  /** Skips a character if it comes next; returns whether it was skipped. */
  boolean take(char wanted) {
    boolean found = !ended() && text.charAt(at) == wanted;
    at += found ? 1 : 0;
    return found;
  }

  /** The next value: a word, or null for a question mark without quotes, which means missing. */
  String value() {
    boolean bare = !ended() && text.charAt(at) == '?';
    String word = word();
    return bare && word.equals("?") ? null : word;
  }

  /** The next word, without its quotes. */
  String word() {
    if (ended() || ENDS.indexOf(text.charAt(at)) >= 0) {
      throw new IllegalArgumentException("expected a word or a number at character " + (at + 1));
    }
    char quote = text.charAt(at);
    return quote == '\'' || quote == '"' ? quoted(quote) : bare();
  }

  private String bare() {
    int from = at;
    while (at < text.length() && ENDS.indexOf(text.charAt(at)) < 0) {
      at++;
    }
    return text.substring(from, at);
  }

  private String quoted(char quote) {
    StringBuilder word = new StringBuilder();
    for (at++; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == quote) {
        at++;
        return word.toString();
      }
      boolean escape = c == '\\' && at + 1 < text.length();
      word.append(escape ? meant(text.charAt(++at)) : c);
    }
    throw new IllegalArgumentException("a quoted word must end on the line where it starts");
  }

  private static char meant(char escaped) {
    return switch (escaped) {
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      default -> escaped;
    };
  }

  private void skipBlanks() {
    while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
      at++;
    }
  }
}
