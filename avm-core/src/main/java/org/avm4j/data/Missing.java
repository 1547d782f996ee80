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

  /** Texts, in lower case, that programs and people write where a number or a date is unknown. */
  private static final Set<String> MARKS =
      Set.of(
          ("-,--,---,\u2013,\u2014,.,..,...,*,**,none,nil,nat,\\n,<na>,(null),<null>,"
                  + "[null],#na,n.a.,n.a,na.,n/d,nd,n.d.,missing,unknown,unkn,undefined,"
                  + "not available,not applicable,tbd,-nan,1.#qnan,-1.#ind,1.#ind,#div/0!,#value!,"
                  + "#ref!,#name?,#num!,#null!,#error!")
              .split(","));

  /** The fields of CSV that mean a missing value in every column, in lower case and in order. */
  public static SortedSet<String> words() {
    SortedSet<String> words = new TreeSet<>(WORDS);
    words.add("");
    return words;
  }

  /** More texts that mean a missing number or date, in lower case and in order. */
  public static SortedSet<String> marks() {
    return new TreeSet<>(MARKS);
  }

  /** Whether a field of CSV means a missing value: empty, ?, NA, N/A, NaN or null. */
  public static boolean isMissing(String field) {
    return field.isEmpty()
        || STARTS.indexOf(field.charAt(0)) >= 0 && WORDS.contains(field.toLowerCase(Locale.ROOT));
  }

  /**
   * Whether a text means a missing value in a column of numbers or dates, such as -, None, \N or
   * #DIV/0!. In a column of texts it may be a category.
   */
  public static boolean isMark(String field) {
    return isMissing(field) || MARKS.contains(field.toLowerCase(Locale.ROOT));
  }
}
