package org.avm4j.io;

import java.util.Set;
import java.util.regex.Pattern;
import org.avm4j.Features;
import org.avm4j.data.ColumnKind;
import org.avm4j.data.Decimal;
import org.avm4j.data.NumberText;

/** Counts the numbers of a column in each form, and decides what their commas mean. */
final class NumberProfile {
  /** Numbers with a decimal comma, or with two points or more, which must be between thousands. */
  private static final Pattern COMMA =
      Pattern.compile(
          "[-+]?(\\d+|\\d{1,3}(\\.\\d{3})+)?,\\d+([eE][-+]?\\d+)?"
              + "|[-+]?[1-9]\\d{0,2}(\\.\\d{3}){2,}");

  private static final Pattern GROUPED = Pattern.compile("[-+]?\\d{1,3}(,\\d{3})+(\\.\\d*)?");
  private static final Pattern THOUSANDS = Pattern.compile("[-+]?[1-9]\\d{0,2}\\.\\d{3}");
  private static final Pattern LEADING_ZERO = Pattern.compile("0\\d+");

  private long plain;
  private long wholes;
  private long huge;
  private long commas;
  private long grouped;
  private long signed;
  private long wholesSigned;
  private long pointed;
  private long thousands;
  private long belowThousand;
  private boolean hasCommasBeside;
  private boolean hasCurrency;
  private final DateProfile dates = new DateProfile();
  private final EpochTimes epochs = new EpochTimes();
  private String leadingZero;
  private boolean countsUp = true;
  private double last = Double.NaN;
  private String least;
  private String most;
  private final Trend trend = new Trend();

  /** Counts a text; false if it is no number. */
  boolean add(String text) {
    if (Decimal.isNumber(text)) {
      addPlain(text);
      addPoint(text);
      return true;
    }
    countsUp = false;
    String bare = NumberText.plain(text);
    hasCurrency |= !bare.equals(text) && NumberText.hasCurrency(text);
    boolean hasComma = COMMA.matcher(bare).matches();
    if (GROUPED.matcher(bare).matches()) {
      grouped++;
      commas += hasComma ? 1 : 0;
    } else if (hasComma) {
      commas++;
    } else if (Decimal.isNumber(bare)) {
      signed++;
      addPoint(bare);
      wholesSigned += isWhole(Decimal.parse(bare)) ? 1 : 0;
    } else {
      return false;
    }
    return true;
  }

  private void addPlain(String text) {
    double number = Decimal.parse(text);
    plain++;
    wholes += isWhole(number) ? 1 : 0;
    huge += Math.abs(number) > Features.LARGEST ? 1 : 0;
    countsUp &= Double.isNaN(last) || number == last + 1;
    last = number;
    trend.add(number);
    if (least == null || number < Decimal.parse(least)) {
      least = text;
    }
    if (most == null || number > Decimal.parse(most)) {
      most = text;
    }
    if (leadingZero == null && LEADING_ZERO.matcher(text).matches()) {
      leadingZero = text;
    }
    dates.addNumber(text);
    epochs.add(text);
  }

  private void addPoint(String number) {
    if (number.indexOf('.') >= 0) {
      pointed++;
      thousands += THOUSANDS.matcher(number).matches() ? 1 : 0;
    } else {
      belowThousand += Math.abs(Decimal.parse(number)) < 1000 ? 1 : 0;
    }
  }

  /** Notes that other columns of the table have decimal commas. */
  void useCommas() {
    hasCommasBeside = true;
  }

  /**
   * Whether points are between thousands: three digits follow each, numbers without a point are
   * below a thousand, and other columns of the table have decimal commas.
   */
  boolean hasThousands() {
    long all = plain + signed;
    boolean areAll = thousands == pointed && belowThousand == all - pointed;
    return hasCommasBeside && pointed > 0 && belowThousand > 0 && areAll;
  }

  private static boolean isWhole(double number) {
    return number == Math.rint(number);
  }

  /**
   * The kind of number of this number of values; null if some of them are no numbers.
   *
   * @param texts the different texts of the column
   */
  ColumnKind kind(long values, Set<String> texts) {
    long all = plain + signed;
    if (all == values) {
      return hasThousands()
          ? ColumnKind.DECIMAL_COMMA
          : signed > 0 ? ColumnKind.GROUPED : ColumnKind.NUMBER;
    }
    if (all + grouped == values && commas <= grouped && looksGrouped(texts)) {
      return ColumnKind.GROUPED;
    }
    return count() == values && commas > 0 ? ColumnKind.DECIMAL_COMMA : null;
  }

  /** Whether some number shows that commas separate thousands and not decimals. */
  private boolean looksGrouped(Set<String> texts) {
    return commas < grouped
        || hasCurrency
        || texts.stream().anyMatch(text -> text.matches(".*,.*,.*"))
        || hasPlainThousand();
  }

  /**
   * Whether all numbers without a comma are whole. Beside numbers with a comma this shows that
   * commas separate thousands: 12 never means 12,000.
   */
  private boolean hasPlainThousand() {
    return plain + signed > 0 && wholes + wholesSigned == plain + signed;
  }

  /** The number of numbers, also of those with signs or commas. */
  long count() {
    return plain + signed + Math.max(commas, grouped);
  }

  long plain() {
    return plain;
  }

  /** The number of plain numbers without a fraction. */
  long wholes() {
    return wholes;
  }

  /** The number of plain numbers beyond those that learners accept. */
  long huge() {
    return huge;
  }

  /** Whether there are only plain numbers, or none, and they go up by one from row to row. */
  boolean countsUp() {
    return countsUp;
  }

  /** Whether there are plain numbers, and all look like 20201231 or 31122020. */
  boolean areCompactDates() {
    return plain > 0 && dates.count() == plain;
  }

  /** The plain numbers as dates without separators. */
  DateProfile dates() {
    return dates;
  }

  /** Whether all plain numbers are seconds or milliseconds since 1970. */
  boolean areEpochs() {
    return epochs.areAll(plain);
  }

  /** The plain numbers as times since 1970. */
  EpochTimes epochs() {
    return epochs;
  }

  Trend trend() {
    return trend;
  }

  /** A number with a zero before its other digits, as codes have; null if there is none. */
  String leadingZero() {
    return leadingZero;
  }

  /** The smallest plain number; null if there is none. */
  String least() {
    return least;
  }

  /** The largest plain number; null if there is none. */
  String most() {
    return most;
  }
}
