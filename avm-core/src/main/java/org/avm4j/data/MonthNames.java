package org.avm4j.data;

import java.text.Normalizer;
import java.time.DateTimeException;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The names of months in English, French, German, Italian, Portuguese and Spanish. The locales of
 * the JDK are not used because their abbreviations differ between its versions.
 */
final class MonthNames {
  /** The names of each month without accents, first the English one. */
  private static final List<List<String>> MONTHS =
      Stream.of(
              "january januar janner janvier enero gennaio janeiro",
              "february februar fevrier febrero febbraio fevereiro",
              "march marz maerz mrz mars marzo marco",
              "april avril abril aprile",
              "may mai mayo maggio maio",
              "june juni juin junio giugno junho",
              "july juli juillet julio luglio julho",
              "august aout agosto",
              "september septembre septiembre setiembre settembre setembro",
              "october oktober octobre octubre ottobre outubro",
              "november novembre noviembre novembro",
              "december dezember decembre diciembre dicembre dezembro")
          .map(names -> List.of(names.split(" ")))
          .toList();

  private MonthNames() {}

  /**
   * The number of the month with this name, which may be abbreviated, counted from 1.
   *
   * @throws DateTimeException if there is no such month, or several
   */
  static int find(String name) {
    String start = plain(name);
    int[] found = IntStream.range(0, MONTHS.size()).filter(i -> hasName(i, start)).toArray();
    if (found.length != 1) {
      throw new DateTimeException("no month: " + name);
    }
    return found[0] + 1;
  }

  /** Whether this is the English name of a month, which may be abbreviated. */
  static boolean isEnglish(String name) {
    String start = plain(name);
    return MONTHS.stream().anyMatch(names -> names.get(0).startsWith(start));
  }

  private static boolean hasName(int month, String start) {
    return MONTHS.get(month).stream().anyMatch(name -> name.startsWith(start));
  }

  /** The same, or the month whose English name has the first three letters of this name. */
  static int likely(String name) {
    String start = plain(name).substring(0, 3);
    for (int i = 0; i < MONTHS.size(); i++) {
      if (MONTHS.get(i).get(0).startsWith(start)) {
        return i + 1;
      }
    }
    return find(name);
  }

  /** A name in lower case without accents. */
  private static String plain(String name) {
    return Normalizer.normalize(name.toLowerCase(Locale.ROOT), Normalizer.Form.NFD)
        .replaceAll("\\p{M}", "");
  }
}
