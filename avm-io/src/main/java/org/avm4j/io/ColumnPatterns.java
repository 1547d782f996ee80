package org.avm4j.io;

import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.avm4j.data.BadDataException;
import org.avm4j.data.Decimal;

/**
 * Finds columns by name, number, range or pattern. A pattern that matches no column throws an
 * {@link IllegalArgumentException}.
 */
final class ColumnPatterns {
  private static final Pattern RANGE = Pattern.compile("(\\d+)-(\\d+)");
  private static final int LISTED = 20;

  private ColumnPatterns() {}

  /** The names of all columns that match; throws if a pattern matches none. */
  static Set<String> find(List<String> patterns, List<String> names) {
    Set<String> found = new LinkedHashSet<>();
    patterns.forEach(pattern -> found.addAll(find(pattern.strip(), names)));
    return found;
  }

  /** The names of all columns that match; patterns that match none are ignored. */
  static Set<String> findAny(List<String> patterns, List<String> names) {
    Set<String> found = new LinkedHashSet<>();
    for (String pattern : patterns) {
      try {
        found.addAll(find(pattern.strip(), names));
      } catch (IllegalArgumentException none) {
        continue; // It may name a column of another file.
      }
    }
    return found;
  }

  private static List<String> find(String pattern, List<String> names) {
    if (names.contains(pattern)) {
      return List.of(pattern);
    }
    Matcher range = RANGE.matcher(pattern);
    List<String> found =
        range.matches()
            ? names.subList(place(range.group(1), names) - 1, place(range.group(2), names))
            : isNumber(pattern)
                ? List.of(names.get(index(pattern, names)))
                : names.stream().filter(glob(pattern).asMatchPredicate()).toList();
    if (found.isEmpty()) {
      throw unknown(pattern, names);
    }
    return found;
  }

  private static boolean isNumber(String pattern) {
    return pattern.matches("-?[1-9]\\d{0,8}");
  }

  private static int index(String pattern, List<String> names) {
    int place = Integer.parseInt(pattern);
    int at = place > 0 ? place - 1 : names.size() + place;
    if (at < 0 || at >= names.size()) {
      throw unknown(pattern, names);
    }
    return at;
  }

  private static int place(String text, List<String> names) {
    double place = Decimal.parse(text);
    if (place < 1 || place > names.size()) {
      throw unknown(text, names);
    }
    return (int) place;
  }

  private static Pattern glob(String pattern) {
    String quoted = "\\Q" + pattern.replace("\\E", "\\E\\\\E\\Q") + "\\E";
    return Pattern.compile(
        quoted.replace("*", "\\E.*\\Q").replace("?", "\\E.\\Q"),
        Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
  }

  private static IllegalArgumentException unknown(String pattern, List<String> names) {
    return new IllegalArgumentException(
        "no column " + BadDataException.quote(pattern) + " " + among(pattern, names));
  }

  /** Part of an error message: lists the columns, and suggests a similar name. */
  static String among(String wanted, List<String> names) {
    String listed =
        names.stream().limit(LISTED).map(BadDataException::quote).collect(Collectors.joining(", "));
    return "among the "
        + names.size()
        + " columns "
        + listed
        + (names.size() > LISTED ? ", ..." : "")
        + nearest(wanted, names).map(name -> "; did you mean '" + name + "'?").orElse("");
  }

  /** The most similar name: one contains the other, or at most a third of the letters differ. */
  private static Optional<String> nearest(String wanted, List<String> names) {
    String lower = wanted.toLowerCase(Locale.ROOT);
    return names.stream()
        .filter(name -> distance(lower, name.toLowerCase(Locale.ROOT)) <= lower.length() / 3)
        .min(Comparator.comparingInt(name -> distance(lower, name.toLowerCase(Locale.ROOT))));
  }

  /** The edit distance of two names; 0 if a long enough name contains the other. */
  private static int distance(String a, String b) {
    if (Math.min(a.length(), b.length()) >= 3 && (a.contains(b) || b.contains(a))) {
      return 0;
    }
    int[] before = IntStream.rangeClosed(0, b.length()).toArray();
    for (int i = 1; i <= a.length(); i++) {
      int[] now = new int[b.length() + 1];
      now[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = before[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        now[j] = Math.min(change, Math.min(before[j], now[j - 1]) + 1);
      }
      before = now;
    }
    return before[b.length()];
  }
}
