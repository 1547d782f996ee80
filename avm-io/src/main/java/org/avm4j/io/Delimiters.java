package org.avm4j.io;

import java.util.List;
import java.util.regex.Pattern;

/** Guesses the character that separates the fields of a table. */
final class Delimiters {
  /** The characters that separate fields in most tables. */
  static final List<Character> CANDIDATES = List.of(',', ';', '\t', '|');

  private static final Pattern DECIMAL_COMMA =
      Pattern.compile("\\s*([-+]?[\\d.]*,\\d+([eE][-+]?\\d+)?)?\\s*");

  private Delimiters() {}

  /**
   * The candidate that occurs equally often in all lines; of several, the most frequent one, or a
   * semicolon if the commas are decimal commas. If there is none, the most frequent candidate of
   * the first line; a blank if that line has none, but words separated by blanks.
   */
  static char likely(List<String> lines) {
    char best = 0;
    int most = 0;
    for (char candidate : CANDIDATES) {
      int count = count(lines, candidate);
      if (count > most || count > 0 && candidate == ';' && hasDecimalCommas(lines)) {
        best = candidate;
        most = count;
      }
    }
    return most > 0 ? best : ofFirst(lines);
  }

  private static char ofFirst(List<String> lines) {
    String first = lines.isEmpty() ? "" : lines.get(0);
    char best = ',';
    for (char candidate : CANDIDATES) {
      best = count(first, candidate) > count(first, best) ? candidate : best;
    }
    boolean isSplitByBlanks = count(first, best) == 0 && first.strip().matches("(?s)\\S+\\s.*");
    return isSplitByBlanks ? ' ' : best;
  }

  /** The number of delimiters in each line; 0 if the lines differ. */
  private static int count(List<String> lines, char candidate) {
    int count = lines.isEmpty() ? 0 : count(lines.get(0), candidate);
    boolean isSame = lines.stream().allMatch(line -> count(line, candidate) == count);
    return isSame ? count : 0;
  }

  private static boolean hasDecimalCommas(List<String> lines) {
    return lines.stream()
        .flatMap(line -> Pattern.compile(";").splitAsStream(line))
        .filter(field -> field.indexOf(',') >= 0)
        .allMatch(DECIMAL_COMMA.asMatchPredicate());
  }

  /** The number of these characters outside of quotes. */
  static int count(String line, char wanted) {
    int count = 0;
    boolean inside = false;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      inside ^= c == '"';
      count += c == wanted && !inside ? 1 : 0;
    }
    return count;
  }

  /** Whether the text ends inside a quoted field; a quote opens only at the start of a field. */
  static boolean endsInQuotes(String text, char delimiter) {
    boolean inside = false;
    boolean mayOpen = true;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' && (inside || mayOpen)) {
        inside = !inside;
        mayOpen = !inside;
      } else if (!inside) {
        mayOpen = c == delimiter || mayOpen && c == ' ';
      }
    }
    return inside;
  }
}
