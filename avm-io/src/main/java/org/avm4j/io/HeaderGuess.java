package org.avm4j.io;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.avm4j.data.ColumnKind;
import org.avm4j.data.DateParts;
import org.avm4j.data.Decimal;
import org.avm4j.data.Missing;

/** Guesses whether the first record of a table holds the names of its columns. */
final class HeaderGuess {
  /** Minimum number of consecutive numbers in the first record that are taken for names. */
  private static final int FEWEST_COUNTED = 4;

  private final String[] first;
  private final List<String[]> rest;
  private int namesOverNumbers;
  private int numbersOverNumbers;
  private int repeated;

  private HeaderGuess(String[] first, List<String[]> rest) {
    this.first = first;
    this.rest = rest;
  }

  /**
   * Whether the first record has names: it has a text where all others have numbers, or its numbers
   * count the columns, or it has only texts, none of which occurs again in its column.
   *
   * @param rest the records after it, as far as they were read
   */
  static boolean isHeader(String[] first, List<String[]> rest) {
    HeaderGuess guess = new HeaderGuess(first, rest);
    for (int i = 0; i < first.length; i++) {
      guess.look(i);
    }
    return guess.isHeader();
  }

  private boolean isHeader() {
    if (numbersOverNumbers > 0) {
      return countsColumns() && (namesOverNumbers > 0 || counted() >= FEWEST_COUNTED);
    }
    if (namesOverNumbers > 0) {
      return true;
    }
    boolean hasNumber = false;
    boolean hasName = false;
    for (String field : first) {
      hasNumber |= isNumber(field);
      hasName |= !Missing.isMissing(field);
    }
    return hasName && !hasNumber && (rest.isEmpty() || repeated == 0 && areDifferent());
  }

  private void look(int i) {
    String name = first[i];
    if (Missing.isMissing(name)) {
      return;
    }
    boolean isNumber = isNumber(name);
    if (isNumeric(i)) {
      namesOverNumbers += isNumber ? 0 : 1;
      numbersOverNumbers += isNumber ? 1 : 0;
    } else if (rest.stream().anyMatch(row -> i < row.length && row[i].equals(name))) {
      repeated++;
    }
  }

  /** Whether a column below the first record has numbers and nothing else. */
  private boolean isNumeric(int i) {
    boolean hasNumber = false;
    for (String[] row : rest) {
      if (i < row.length && !Missing.isMissing(row[i])) {
        if (!isNumber(row[i])) {
          return false;
        }
        hasNumber = true;
      }
    }
    return hasNumber;
  }

  private boolean areDifferent() {
    Set<String> seen = new HashSet<>();
    for (String name : first) {
      if (!name.isEmpty() && !seen.add(name)) {
        return false;
      }
    }
    return true;
  }

  /** Whether the numbers of the first record go up by 1 from column to column. */
  private boolean countsColumns() {
    double offset = Double.NaN;
    for (int i = 0; i < first.length; i++) {
      double number = Decimal.parse(first[i]);
      if (!Double.isNaN(number)) {
        offset = Double.isNaN(offset) ? number - i : offset;
        if (number - i != offset || number != Math.rint(number)) {
          return false;
        }
      }
    }
    boolean isAllNumbers = counted() == first.length;
    return isAllNumbers ? offset == 0 || offset == 1 : counted() > 1;
  }

  private int counted() {
    int count = 0;
    for (String field : first) {
      count += Double.isNaN(Decimal.parse(field)) ? 0 : 1;
    }
    return count;
  }

  /** Whether a field is a number in any form, or a date. */
  private static boolean isNumber(String field) {
    return Decimal.isNumber(field)
        || !Double.isNaN(ColumnKind.DECIMAL_COMMA.number(field))
        || !Double.isNaN(ColumnKind.GROUPED.number(field))
        || DateParts.isDate(field, ColumnKind.DATE)
        || DateParts.isDate(field, ColumnKind.DATE_MONTH_FIRST);
  }
}
