package org.avm4j.data;

import java.util.Locale;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** What happens to a row in which a value is missing. */
public enum Missing {
  /** The row is refused. */
  ERROR,
  /** The value is 0. */
  ZERO,
  /** The value is the mean of its column so far; a missing category sets no feature. */
  MEAN,
  /** The row is left out. */
  SKIP;

  private static final Set<String> WORDS = Set.of("?", "na", "nan", "null", "n/a", "#n/a");
  private static final String STARTS = "?nN#";

  /** The fields of CSV that mean a missing value, in lower case and in order. */
  public static SortedSet<String> marks() {
    SortedSet<String> marks = new TreeSet<>(WORDS);
    marks.add("");
    return marks;
  }

  /** Whether a field of CSV means a missing value: empty, ?, NA, N/A, NaN or null. */
  public static boolean isMissing(String field) {
    return field.isEmpty()
        || STARTS.indexOf(field.charAt(0)) >= 0 && WORDS.contains(field.toLowerCase(Locale.ROOT));
  }
}
