package org.avm4j.data;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Free text as numbers: every word, and every pair of neighbouring words, counts in one of {@link
 * #BUCKETS} buckets by its hash; the vector of counts is scaled to length 1.
 */
public final class TextWords {
  /** The number of buckets, a power of 2. */
  public static final int BUCKETS = 1 << 10;

  private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}]+");

  private TextWords() {}

  /** The value of each bucket that the text has words in. */
  static Map<String, Double> of(String text) {
    Map<String, Double> counts = new TreeMap<>();
    Matcher words = WORD.matcher(text.toLowerCase(Locale.ROOT));
    String before = null;
    while (words.find()) {
      String word = words.group();
      counts.merge(bucket(word), 1.0, Double::sum);
      if (before != null) {
        counts.merge(bucket(before + " " + word), 1.0, Double::sum);
      }
      before = word;
    }
    double squares = counts.values().stream().mapToDouble(count -> count * count).sum();
    counts.replaceAll((bucket, count) -> count / Math.sqrt(squares));
    return counts;
  }

  /** The number of the bucket that a category of such a column stands for. */
  public static int number(String category) {
    return Integer.parseInt(category.substring(1));
  }

  /** The bucket of a word by its FNV-1a hash. */
  private static String bucket(String word) {
    int hash = 0x811c9dc5;
    for (int i = 0; i < word.length(); i++) {
      hash = (hash ^ word.charAt(i)) * 0x01000193;
    }
    return "#" + ((hash ^ hash >>> 15) & BUCKETS - 1);
  }
}
