package org.avm4j.io;

/**
 * Detects whether rows are sorted by a column of names: equal texts follow each other, and these
 * blocks are in alphabetical order. Texts with digits may be times or counters, and do not count.
 */
final class TextOrder {
  /** Minimum number of changes. One order of six names in 360 is alphabetical, up or down. */
  private static final int FEWEST = 5;

  /** Fraction of changes that may go the other way: languages sort some letters differently. */
  private static final double STRAYS = 0.05;

  private String last;
  private long rows;
  private long ups;
  private long downs;
  private boolean hasDigits;

  void add(String text) {
    int step = last == null ? 0 : text.compareToIgnoreCase(last);
    rows++;
    ups += step > 0 ? 1 : 0;
    downs += step < 0 ? 1 : 0;
    hasDigits = hasDigits || text.chars().anyMatch(Character::isDigit);
    last = text;
  }

  boolean isSorted() {
    long most = Math.max(ups, downs);
    return !hasDigits
        && most >= FEWEST
        && Math.min(ups, downs) <= STRAYS * most
        && ups + downs <= rows / 2;
  }
}
