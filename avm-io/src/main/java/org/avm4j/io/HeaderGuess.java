package org.avm4j.io;

import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.avm4j.data.ColumnKind;
import org.avm4j.data.DateParts;
import org.avm4j.data.Decimal;
import org.avm4j.data.Missing;

/** Guesses whether the first record of a table holds the names of its columns. */
final class HeaderGuess {
  /** Minimum number of consecutive numbers in the first record that are taken for names. */
  private static final int FEWEST_COUNTED = 4;

  /** The same where none of the numbers could be a value of its column. */
  private static final int FEWEST_FOREIGN = 3;

  /** Minimum number of rows that show the range of a column. */
  private static final int FEWEST_BELOW = 10;

  /** Minimum number of lines below the names if the first of them is a part of the header. */
  private static final int FEWEST_LINES = 3;

  private final String[] first;
  private final List<String[]> rest;
  private int namesOverNumbers;
  private int numbersOverNumbers;
  private int possibleNames;
  private int repeated;

  private HeaderGuess(String[] first, List<String[]> rest) {
    this.first = first;
    this.rest = rest;
    for (int i = 0; i < first.length; i++) {
      look(i);
    }
  }

  /**
   * Whether the first record has names: it has a text or a date where all others have numbers, and
   * its other fields may be names, too; or its numbers count the columns; or it has only texts,
   * none of which occurs again in its column.
   *
   * @param rest the records after it, as far as they were read
   */
  static boolean isHeader(String[] first, List<String[]> rest) {
    return new HeaderGuess(first, rest).isHeader();
  }

  /** The same if a column of numbers or dates is below it, which no title or list has. */
  static boolean isHeaderOfNumbers(String[] first, List<String[]> rest) {
    HeaderGuess guess = new HeaderGuess(first, rest);
    return guess.namesOverNumbers + guess.numbersOverNumbers > 0 && guess.isHeader();
  }

  /**
   * Whether the first of these records is no row, but a second line of a header, for instance with
   * units: it has no number or date, and texts over two columns of numbers or more, and over most
   * of them. The dashes below the header of a table in Markdown are such a line, too.
   *
   * @param below the records below the header, as far as they were read
   */
  static boolean isSecondLine(List<String[]> below) {
    if (below.size() < FEWEST_LINES) {
      return false;
    }
    String[] record = below.get(0);
    if (Arrays.stream(record).allMatch(field -> field.isEmpty() || field.matches(":?--+:?"))) {
      return true;
    }
    HeaderGuess guess = new HeaderGuess(record, below.subList(1, below.size()));
    long columns =
        IntStream.range(0, record.length).filter(i -> guess.has(i, HeaderGuess::isNumber)).count();
    boolean hasValue = Arrays.stream(record).anyMatch(field -> isNumber(field) || isDate(field));
    boolean isOverMost = guess.namesOverNumbers > 1 && 2 * guess.namesOverNumbers > columns;
    return isOverMost && !hasValue && guess.repeated == 0;
  }

  /** Whether a record is 1,2,3,… */
  static boolean countsFromOne(String[] record) {
    boolean counts = record.length >= FEWEST_FOREIGN;
    for (int i = 0; i < record.length; i++) {
      counts &= record[i].equals(String.valueOf(i + 1));
    }
    return counts;
  }

  private boolean isHeader() {
    boolean maybeNames = possibleNames == numbersOverNumbers;
    if (namesOverNumbers > 0 && maybeNames) {
      return true;
    }
    if (numbersOverNumbers > 0) {
      int fewest = maybeNames ? FEWEST_FOREIGN : FEWEST_COUNTED;
      return countsColumns() && (namesOverNumbers > 0 || counted() >= fewest);
    }
    boolean hasNumber = false;
    boolean hasName = false;
    for (String field : first) {
      hasNumber |= isNumber(field) || isDate(field);
      hasName |= !Missing.isMissing(field);
    }
    return hasName && !hasNumber && (rest.isEmpty() || repeated == 0 && areDifferent());
  }

  private void look(int i) {
    String name = first[i];
    if (Missing.isMark(name)) {
      return;
    }
    if (has(i, HeaderGuess::isNumber)) {
      boolean isNumber = isNumber(name);
      namesOverNumbers += isNumber ? 0 : 1;
      numbersOverNumbers += isNumber ? 1 : 0;
      possibleNames += isNumber && isForeign(i) ? 1 : 0;
    } else if (has(i, HeaderGuess::isDate)) {
      namesOverNumbers += isDate(name) || isNumber(name) ? 0 : 1;
      numbersOverNumbers += isDate(name) || isNumber(name) ? 1 : 0;
    } else if (rest.stream().anyMatch(row -> i < row.length && row[i].equals(name))) {
      repeated++;
    }
  }

  /** Whether a column below the first record has values of this form and no others. */
  private boolean has(int i, Predicate<String> form) {
    List<String> values = values(i).toList();
    return !values.isEmpty() && values.stream().allMatch(form);
  }

  private Stream<String> values(int i) {
    return rest.stream()
        .filter(row -> i < row.length && !Missing.isMark(row[i]))
        .map(row -> row[i]);
  }

  /**
   * Whether a number of the first record is hardly a value of its column, but may be a name such as
   * 2020: it is whole, and the others have fractions or it is beyond all of them.
   */
  private boolean isForeign(int i) {
    double number = Decimal.parse(first[i]);
    double[] below = numbersBelow(i);
    DoubleSummaryStatistics range = Arrays.stream(below).summaryStatistics();
    return first[i].matches("\\d+")
        && (Arrays.stream(below).anyMatch(value -> value != Math.rint(value))
            || below.length >= FEWEST_BELOW
                && (number < range.getMin() || number > range.getMax()));
  }

  /** The numbers of a column below the first record, by what all of the column shows of commas. */
  private double[] numbersBelow(int i) {
    ColumnProfile column = new ColumnProfile("", false);
    column.add(first[i]);
    values(i).forEach(column::add);
    return values(i)
        .mapToDouble(column.kindOfNumbers()::number)
        .filter(value -> !Double.isNaN(value))
        .toArray();
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
    boolean isAllNumbers = counted() == first.length && possibleNames < numbersOverNumbers;
    return isAllNumbers ? offset == 0 || offset == 1 : counted() > 1;
  }

  private int counted() {
    int count = 0;
    for (String field : first) {
      count += Double.isNaN(Decimal.parse(field)) ? 0 : 1;
    }
    return count;
  }

  /** Whether a field is a number in any form. */
  private static boolean isNumber(String field) {
    return Decimal.isNumber(field)
        || !Double.isNaN(ColumnKind.DECIMAL_COMMA.number(field))
        || !Double.isNaN(ColumnKind.GROUPED.number(field));
  }

  private static boolean isDate(String field) {
    return DateParts.isDate(field, ColumnKind.DATE)
        || DateParts.isDate(field, ColumnKind.DATE_MONTH_FIRST);
  }
}
