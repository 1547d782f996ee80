package org.avm4j.io;

import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.avm4j.data.ColumnKind;
import org.avm4j.data.Missing;
import org.avm4j.data.Units;

/** Decides how a column is read, by its name and by what its texts look like. */
final class ColumnProfile {
  /** Maximum number of categories of a column that have a feature of their own. */
  private static final int MOST_CATEGORIES = 255;

  /** Maximum number of different texts in a column of numbers or dates, besides known marks. */
  static final int MOST_GAP_TEXTS = 3;

  /** Minimum number of different numbers in a column in which texts count as missing. */
  static final int FEWEST_DIFFERENT = 20;

  /** Minimum number of rows that make numbers such as 20201231 dates, whatever their name. */
  private static final int FEWEST_COMPACT = 20;

  /** Minimum length of a column that is taken for row numbers by its numbers alone. */
  private static final int FEWEST_COUNTED = 100;

  private final ColumnName name;
  private final boolean isNameless;
  private final TextCounts counts = new TextCounts();
  private final NumberProfile numbers = new NumberProfile();
  private final DateProfile dates = new DateProfile();
  private final UnitProfile units = new UnitProfile();
  private final TextOrder order = new TextOrder();
  private long present;
  private long texts;
  private long marks;
  private final Set<String> strays = new LinkedHashSet<>();

  /**
   * An empty profile.
   *
   * @param isNameless whether the header leaves the name empty, as programs do for a row index
   */
  ColumnProfile(String name, boolean isNameless) {
    this.name = new ColumnName(name);
    this.isNameless = isNameless;
  }

  String name() {
    return name.text();
  }

  /** Adds a text that is not missing. */
  void add(String text) {
    present++;
    counts.add(text);
    order.add(text);
    if (numbers.add(text)) {
      return;
    }
    if (Missing.isMark(text)) {
      marks++;
      return;
    }
    units.add(text);
    if (!dates.add(text)) {
      texts++;
      if (strays.size() <= MOST_GAP_TEXTS) {
        strays.add(text);
      }
    }
  }

  /** The kind of number that the column holds; null if it holds something else. */
  ColumnKind numberKind() {
    return numbers.kind(present, counts.texts());
  }

  /** The kind of its numbers, whatever else it holds. */
  ColumnKind kindOfNumbers() {
    ColumnKind kind = numbers.kind(numbers.count(), counts.texts());
    return hasUnits() ? ColumnKind.UNITS : kind == null ? ColumnKind.NUMBER : kind;
  }

  /** Whether its numbers have decimal commas. */
  boolean hasCommas() {
    return numberKind() == ColumnKind.DECIMAL_COMMA
        || units().filter(of -> of.notation() == ColumnKind.DECIMAL_COMMA).isPresent();
  }

  /** Notes that other columns of the table have decimal commas. */
  void useCommas() {
    numbers.useCommas();
    units.useCommas();
  }

  /** The units that its numbers have; empty if they have none. */
  Optional<Units> units() {
    return found().map(UnitProfile.Found::units);
  }

  private Optional<UnitProfile.Found> found() {
    return units.find(numbers.count(), present - marks, counts.texts());
  }

  /** Whether its values are numbers with units. Times of a day are not, unless some are later. */
  private boolean hasUnits() {
    return found().filter(found -> found.rows() > dates.count()).isPresent();
  }

  /** How the column is read. */
  ColumnKind kind() {
    if (present == 0) {
      return ColumnKind.IGNORED;
    }
    if (hasHugeNumbers()) {
      return textKind();
    }
    ColumnKind number = numberKind();
    if (number == null && hasUnits()) {
      return ColumnKind.UNITS;
    }
    if (number == null && (dates.count() >= 0.98 * present || isWithGaps(dates.count()))) {
      return dates.kind();
    }
    long values = present - texts();
    if (number == null && isWithGaps(values)) {
      number = numbers.kind(values, counts.texts());
    }
    boolean areMany = present >= FEWEST_COMPACT || name.speaksOfDates();
    boolean areDates = numbers.areCompactDates() && areMany || areEpochs();
    if (number == ColumnKind.NUMBER && areDates) {
      return dates().kind();
    }
    return number == null ? textKind() : number;
  }

  /**
   * Whether most values are numbers that learners refuse, as account numbers of 18 digits: doubles
   * would not tell them apart.
   */
  boolean hasHugeNumbers() {
    return 2 * numbers.huge() > present;
  }

  /**
   * Whether all numbers are seconds or milliseconds since 1970. Populations and account numbers may
   * be as large, so that the name must speak of time or the numbers go up in steps of whole
   * minutes.
   */
  boolean areEpochs() {
    boolean isUsual =
        counts.texts().size() >= FEWEST_DIFFERENT
            && numbers.epochs().areClose()
            && !name.isId()
            && (name.speaksOfTime() || numbers.epochs().areRegular());
    return numbers.areEpochs() && (isUsual || name.isTime());
  }

  /**
   * Whether all texts but these values, which are many different numbers or dates, are marks of a
   * missing value such as "unknown", or three other texts at most, and in the minority.
   */
  private boolean isWithGaps(long values) {
    return values > 0
        && values + texts() == present
        && texts <= values
        && strays.size() <= MOST_GAP_TEXTS
        && counts.texts().size() > FEWEST_DIFFERENT;
  }

  /** How the column is read as text. */
  ColumnKind textKind() {
    return counts.different() > MOST_CATEGORIES ? ColumnKind.CAPPED : ColumnKind.CATEGORIES;
  }

  /** The texts that have a feature of their own if the categories are capped. */
  List<String> mostCommon() {
    return counts.mostCommon(MOST_CATEGORIES);
  }

  /** How often each text occurs. */
  TextCounts counts() {
    return counts;
  }

  /** Whether nearly all texts differ, as names and ids do. */
  boolean isUnique() {
    return present >= 50 && (!counts.areAllTracked() || counts.texts().size() >= 0.95 * present);
  }

  /**
   * Whether most rows have a text that no other row has.
   *
   * @param rows the number of rows, including those without a text
   */
  boolean namesRows(long rows) {
    long single = counts.rows().values().stream().filter(count -> count == 1).count();
    return counts.areAllTracked() && 2 * single >= rows;
  }

  /**
   * Whether the column only numbers the rows, judged by its name and its numbers. Without a name,
   * different whole numbers are the row names of a program, in any order and with gaps: a part of
   * the rows keeps those that it had in the whole table.
   */
  boolean isRowNumber() {
    return present >= 20
        && numbers.wholes() == present
        && (!counts.areAllTracked() || counts.texts().size() == present)
        && (isNameless || name.isId() || isCounter())
        && !areEpochs();
  }

  /**
   * Whether the numbers go up by one from row to row. A short column is not counted, because it may
   * hold years or ages, which are useful features.
   */
  boolean isCounter() {
    return numbers.countsUp() && present >= FEWEST_COUNTED;
  }

  /** Whether the column is called an id, but has the same number in several rows. */
  boolean isRepeatingId() {
    return present >= 20
        && numbers.wholes() == present
        && name.isId()
        && counts.texts().size() < present;
  }

  /** Whether the times in this column ascend or descend; null if it holds no times. */
  Trend timeTrend() {
    ColumnKind kind = kind();
    if (kind.isDate()) {
      return dates().count() == 0 ? numbers.trend() : dates().trend(kind);
    }
    boolean isTime = name.isTime() || name.isYear();
    return kind == ColumnKind.NUMBER && isTime ? numbers.trend() : null;
  }

  /** Whether the column holds dates or years in blocks that start again. */
  boolean hasTimesInBlocks() {
    return (kind().isDate() || name.isYear()) && timeTrend() != null && timeTrend().startsAgain();
  }

  /** Whether the rows are sorted by the texts of this column. */
  boolean sortsRows() {
    return kind() == textKind() && order.isSorted();
  }

  /** Whether the numbers or dates ascend or descend, whatever the column is called. */
  Trend trend() {
    Trend times = timeTrend();
    return times == null ? numbers.trend() : times;
  }

  /** Whether there are texts that count as missing if it is read like this. */
  boolean hasGaps(ColumnKind kind) {
    return kind.isNumeric() && gaps(kind) > 0 || kind.isDate() && undated() > 0;
  }

  /** Whether numbers and texts are mixed. */
  boolean isMixed() {
    return numbers.count() > 0 && texts() > 0;
  }

  /** What its numbers look like. */
  NumberProfile numbers() {
    return numbers;
  }

  long present() {
    return present;
  }

  /** The number of texts that are neither numbers nor dates. */
  long texts() {
    return texts + marks;
  }

  /** What its dates look like. */
  DateProfile dates() {
    return dates.count() == 0 && numbers.areCompactDates() ? numbers.dates() : dates;
  }

  /** A summary of the column. */
  ColumnSummary summary(ColumnSummary.Role role, ColumnKind kind, long rows, String reason) {
    ColumnKind shown = kind == ColumnKind.IGNORED && present > 0 ? kind() : kind;
    boolean isPlain = shown == ColumnKind.NUMBER && numbers.least() != null;
    String least = isPlain ? numbers.least() : extreme(shown, Comparator.naturalOrder());
    String most = isPlain ? numbers.most() : extreme(shown, Comparator.reverseOrder());
    long gaps = shown.isNumeric() ? gaps(shown) : kind.isDate() ? undated() : 0;
    return new ColumnSummary(
        name.text(),
        role,
        kind,
        rows - present + gaps,
        counts.different(),
        counts.areAllTracked(),
        least,
        most,
        present == 0 ? 0 : (double) counts.most() / present,
        reason);
  }

  /** The number of texts in a column of dates that are none in the order of the others. */
  long undated() {
    return dates.count() == 0 ? texts() : present - dates.count();
  }

  /** The number of texts that count as missing if it is read as this kind of numbers. */
  long gaps(ColumnKind kind) {
    return kind == ColumnKind.UNITS
        ? present - found().map(UnitProfile.Found::rows).orElse(0L)
        : texts();
  }

  /** A text that counts as missing if it is read as this kind, preferably no usual mark. */
  String firstGap(ColumnKind kind) {
    if (kind == ColumnKind.UNITS) {
      return counts.texts().stream()
          .filter(text -> Double.isNaN(number(text, kind)))
          .min(Comparator.comparing(Missing::isMark))
          .orElse("");
    }
    return strays.isEmpty()
        ? counts.texts().stream().filter(Missing::isMark).findFirst().orElse("")
        : strays.iterator().next();
  }

  private double number(String text, ColumnKind kind) {
    return kind == ColumnKind.UNITS
        ? units().map(of -> of.number(text)).orElse(Double.NaN)
        : LateRows.time(text, kind);
  }

  /** The text with the first number or date in an order; else the most common text. */
  private String extreme(ColumnKind kind, Comparator<Double> order) {
    boolean isOrdered = kind.isDate() || kind.isNumeric();
    return counts.texts().stream()
        .filter(text -> isOrdered && !Double.isNaN(number(text, kind)))
        .min(Comparator.comparing(text -> number(text, kind), order))
        .orElseGet(counts::mostCommon);
  }
}
