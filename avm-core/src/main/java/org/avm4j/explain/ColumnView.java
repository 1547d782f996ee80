package org.avm4j.explain;

import java.math.BigDecimal;
import java.math.MathContext;
import java.time.LocalDate;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.avm4j.Features;
import org.avm4j.data.Column;
import org.avm4j.data.ColumnKind;
import org.avm4j.data.DateParts;
import org.avm4j.data.Schema;

/**
 * Features as columns of the data: a column owns one or several features, and its value can be
 * written as it is in the data. A feature without a name is a column by itself.
 */
final class ColumnView {
  /** Digits of a rough description of a region. */
  static final MathContext ROUGH = new MathContext(3);

  private static final MathContext DIGITS = new MathContext(6);
  private static final double PRESENT = 0.5;

  private final Schema schema;
  private final List<Column> named;
  private final int[] owners;

  ColumnView(Schema schema) {
    this.schema = schema;
    named = schema.columns();
    owners = new int[schema.dimension()];
    Map<Column, Integer> places = new IdentityHashMap<>();
    named.forEach(column -> places.put(column, places.size()));
    for (int i = 0; i < owners.length; i++) {
      owners[i] = places.get(schema.columnOf(i));
    }
  }

  /** The column that owns a feature. */
  int of(int feature) {
    return feature < owners.length ? owners[feature] : named.size() + feature - owners.length;
  }

  /** The name of a column; x7 for the seventh feature if it has none. */
  String name(int column) {
    return column < named.size()
        ? named.get(column).name()
        : schema.featureName(column - named.size() + owners.length);
  }

  /** The name of a column; of dates with the part that a feature holds. */
  String name(int column, int feature) {
    return isDate(column) && feature >= 0 ? schema.featureName(feature) : name(column);
  }

  /** Whether a feature is the year of dates. */
  boolean isYear(int feature) {
    return isDate(of(feature)) && DateParts.YEAR.equals(schema.categoryOf(feature));
  }

  private boolean isDate(int column) {
    return column < named.size() && kind(column).isDate();
  }

  /** Whether a column has one feature for each of its categories. */
  boolean isCategorical(int column) {
    return column < named.size()
        && (kind(column) == ColumnKind.CATEGORIES || kind(column) == ColumnKind.CAPPED);
  }

  private ColumnKind kind(int column) {
    return named.get(column).kind();
  }

  /** The columns in which a row has an entry. */
  TreeSet<Integer> columns(Features x) {
    TreeSet<Integer> found = new TreeSet<>();
    for (int e = 0; e < x.count(); e++) {
      found.add(of(x.index(e)));
    }
    return found;
  }

  /** The row {@code own} with one column taken from {@code other}. */
  Features mixed(Features own, Features other, int column) {
    Features.Buffer row = new Features.Buffer();
    int a = 0;
    int b = 0;
    while (a < own.count() || b < other.count()) {
      int i = a < own.count() ? own.index(a) : Integer.MAX_VALUE;
      int j = b < other.count() ? other.index(b) : Integer.MAX_VALUE;
      boolean isOther = of(Math.min(i, j)) == column;
      double value = i <= j ? own.value(a++) : 0;
      double replaced = j <= i ? other.value(b++) : 0;
      row.add(Math.min(i, j), isOther ? replaced : value);
    }
    if (row.features().dimension() < own.dimension()) {
      row.add(own.dimension() - 1, 0);
    }
    return row.features();
  }

  /** The value of a column as it is in the data; "missing" for a missing category. */
  String text(Features x, int column) {
    return text(x, column, DIGITS);
  }

  /** The same with a given number of digits. */
  String text(Features x, int column, MathContext digits) {
    if (column >= named.size()) {
      return number(x.get(column - named.size() + owners.length), digits);
    }
    if (named.get(column).isNumeric()) {
      return number(x.get(named.get(column).index()), digits);
    }
    if (kind(column) == ColumnKind.WORDS) {
      return columns(x).contains(column) ? "(text)" : "missing";
    }
    return kind(column).isDate() ? date(x, column) : category(x, column);
  }

  private String category(Features x, int column) {
    String largest = "missing";
    double most = PRESENT;
    for (int e = 0; e < x.count(); e++) {
      if (of(x.index(e)) == column && x.value(e) >= most) {
        most = x.value(e);
        largest = schema.categoryOf(x.index(e));
      }
    }
    return largest;
  }

  /** The day, and the time where the column has one. */
  private String date(Features x, int column) {
    double year = part(x, column, "year");
    String day = year == 0 ? "" : day(year);
    double sin = part(x, column, "hour sin");
    double cos = part(x, column, "hour cos");
    boolean hasTime = sin != 0 || cos != 0;
    String text = (day + (hasTime ? " " + time(StrictMath.atan2(sin, cos)) : "")).strip();
    return text.isEmpty() ? "missing" : text;
  }

  private double part(Features x, int column, String part) {
    for (int e = 0; e < x.count(); e++) {
      if (of(x.index(e)) == column && part.equals(schema.categoryOf(x.index(e)))) {
        return x.value(e);
      }
    }
    return 0;
  }

  static String day(double year) {
    int whole = (int) Math.floor(year);
    LocalDate first = LocalDate.of(whole, 1, 1);
    long days = (long) Math.floor((year - whole) * first.lengthOfYear() + 1e-3);
    return first.plusDays(days).toString();
  }

  private static String time(double angle) {
    long minutes = Math.floorMod(Math.round(angle / (2 * Math.PI) * 24 * 60), 24L * 60);
    return String.format(Locale.ROOT, "%02d:%02d", minutes / 60, minutes % 60);
  }

  /** A number with the digits that matter. */
  static String number(double value) {
    return number(value, DIGITS);
  }

  private static String number(double value, MathContext digits) {
    return value == 0
        ? "0"
        : new BigDecimal(value).round(digits).stripTrailingZeros().toPlainString();
  }
}
