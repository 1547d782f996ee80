package org.avm4j.io;

import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.avm4j.data.ColumnKind;
import org.avm4j.data.DateParts;
import org.avm4j.data.Decimal;
import org.avm4j.data.Missing;
import org.avm4j.data.NumberText;

/** Counts what the texts of a column look like, and decides how the column is read. */
final class ColumnProfile {
  /** Maximum number of categories of a column that have a feature of their own. */
  static final int MOST_CATEGORIES = 255;

  private static final int MOST_TRACKED = 20_000;
  private static final Pattern COMMA =
      Pattern.compile("[-+]?(\\d+|\\d{1,3}(\\.\\d{3})+)?,\\d+([eE][-+]?\\d+)?");
  private static final Pattern GROUPED = Pattern.compile("[-+]?\\d{1,3}(,\\d{3})+(\\.\\d*)?");
  private static final Pattern LEADING_ZERO = Pattern.compile("0\\d+");
  private static final Pattern ID =
      Pattern.compile("(?i:index|row|row ?num(ber)?|unnamed.*|id|.*[_ .-]id)|.*[a-z]I[dD]");

  private static final Pattern TIME =
      Pattern.compile(
          "(?i:t|ts|time|epoch|timestamp|.*[_ .-](time|ts|timestamp))|.*[a-z]Time(stamp)?");

  /** Maximum number of different texts in a column of numbers or dates, besides known marks. */
  private static final int MOST_GAP_TEXTS = 3;

  /** Minimum number of different numbers in a column in which texts count as missing. */
  private static final int FEWEST_DIFFERENT = 20;

  /** Minimum number of rows that make numbers such as 20201231 dates, whatever their name. */
  private static final int FEWEST_COMPACT = 20;

  /** Minimum length of a column that is taken for row numbers by its numbers alone. */
  private static final int FEWEST_COUNTED = 100;

  private final String name;
  private final boolean isNameless;
  private final Map<String, Integer> counts = new LinkedHashMap<>();
  private boolean areAllTracked = true;
  private long present;
  private long numbers;
  private long wholes;
  private long commas;
  private long grouped;
  private long signed;
  private long wholesSigned;
  private boolean hasCurrency;
  private long compactDates;
  private final EpochTimes epochs = new EpochTimes();
  private final DateProfile dates = new DateProfile();
  private long texts;
  private long marks;
  private final Set<String> strays = new LinkedHashSet<>();
  private String leadingZero;
  private boolean countsUp = true;
  private double last = Double.NaN;
  private String leastText;
  private String mostText;
  private final Trend numberTrend = new Trend();

  /**
   * An empty profile.
   *
   * @param isNameless whether the header leaves the name empty, as programs do for a row index
   */
  ColumnProfile(String name, boolean isNameless) {
    this.name = name;
    this.isNameless = isNameless;
  }

  String name() {
    return name;
  }

  /** Adds a text that is not missing. */
  void add(String text) {
    present++;
    track(text);
    if (Decimal.isNumber(text)) {
      addNumber(text);
      return;
    }
    countsUp = false;
    String plain = NumberText.plain(text);
    hasCurrency |= !plain.equals(text) && NumberText.hasCurrency(text);
    if (GROUPED.matcher(plain).matches()) {
      grouped++;
      commas += COMMA.matcher(plain).matches() ? 1 : 0;
    } else if (COMMA.matcher(plain).matches()) {
      commas++;
    } else if (Decimal.isNumber(plain)) {
      signed++;
      wholesSigned += Decimal.parse(plain) == Math.rint(Decimal.parse(plain)) ? 1 : 0;
    } else if (Missing.isMark(text)) {
      marks++;
    } else if (!dates.add(text)) {
      texts++;
      if (strays.size() <= MOST_GAP_TEXTS) {
        strays.add(text);
      }
    }
  }

  private void addNumber(String text) {
    double number = Decimal.parse(text);
    numbers++;
    wholes += number == Math.rint(number) ? 1 : 0;
    countsUp &= Double.isNaN(last) || number == last + 1;
    last = number;
    numberTrend.add(number);
    if (leastText == null || number < Decimal.parse(leastText)) {
      leastText = text;
    }
    if (mostText == null || number > Decimal.parse(mostText)) {
      mostText = text;
    }
    if (leadingZero == null && LEADING_ZERO.matcher(text).matches()) {
      leadingZero = text;
    }
    compactDates += DateParts.isCompact(text) ? 1 : 0;
    epochs.add(text);
  }

  /** Counts texts; if there are too many different ones, the rarest are forgotten. */
  private void track(String text) {
    counts.merge(text, 1, Integer::sum);
    for (int rare = 1; counts.size() > MOST_TRACKED; rare++) {
      areAllTracked = false;
      int limit = rare;
      counts.values().removeIf(count -> count <= limit);
    }
  }

  /** The kind of number that the column holds; null if it holds something else. */
  ColumnKind numberKind() {
    return numberKind(present);
  }

  /** The kind of its numbers, whatever else it holds. */
  ColumnKind kindOfNumbers() {
    ColumnKind kind = numberKind(numbersOfAnyForm());
    return kind == null ? ColumnKind.NUMBER : kind;
  }

  /** The kind of number of this number of values; null if some of them are no numbers. */
  private ColumnKind numberKind(long values) {
    long all = numbers + signed;
    if (all == values) {
      return signed > 0 ? ColumnKind.GROUPED : ColumnKind.NUMBER;
    }
    if (all + grouped == values && commas <= grouped && looksGrouped()) {
      return ColumnKind.GROUPED;
    }
    return all + Math.max(commas, grouped) == values && commas > 0
        ? ColumnKind.DECIMAL_COMMA
        : null;
  }

  /** Whether some number shows that commas separate thousands and not decimals. */
  private boolean looksGrouped() {
    return commas < grouped
        || hasCurrency
        || counts.keySet().stream().anyMatch(text -> text.matches(".*,.*,.*"))
        || hasPlainThousand();
  }

  /**
   * Whether all numbers without a comma are whole. Beside numbers with a comma this shows that
   * commas separate thousands: 12 never means 12,000.
   */
  private boolean hasPlainThousand() {
    return numbers + signed > 0 && wholes + wholesSigned == numbers + signed;
  }

  /** How the column is read. */
  ColumnKind kind() {
    if (present == 0) {
      return ColumnKind.IGNORED;
    }
    ColumnKind number = numberKind();
    if (number == null && (dates.count() >= 0.98 * present || isWithGaps(dates.count()))) {
      return dates.kind();
    }
    long values = present - texts();
    if (number == null && isWithGaps(values)) {
      number = numberKind(values);
    }
    boolean areDates = compactDates == numbers && areCompactDates() || areEpochs();
    if (number == ColumnKind.NUMBER && areDates) {
      return ColumnKind.DATE;
    }
    return number == null ? textKind() : number;
  }

  /** Whether all numbers are seconds or milliseconds since 1970. */
  boolean areEpochs() {
    boolean isUsual = counts.size() >= FEWEST_DIFFERENT && epochs.areClose() && !isCalledId();
    return epochs.areAll(numbers) && (isUsual || isCalledTime());
  }

  /** Whether numbers such as 20201231 are dates, judged by their name or by how many there are. */
  private boolean areCompactDates() {
    String lower = name.toLowerCase(Locale.ROOT);
    return present >= FEWEST_COMPACT
        || lower.contains("date")
        || lower.contains("day")
        || lower.contains("dat");
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
        && counts.size() > FEWEST_DIFFERENT;
  }

  /** How the column is read as text. */
  ColumnKind textKind() {
    return different() > MOST_CATEGORIES ? ColumnKind.CAPPED : ColumnKind.CATEGORIES;
  }

  /** The number of different texts; if some were forgotten, a lower bound. */
  int different() {
    return areAllTracked ? counts.size() : Math.max(counts.size(), MOST_TRACKED);
  }

  /** The most common texts among those that occurred at least twice. */
  List<String> mostCommon() {
    return counts.entrySet().stream()
        .filter(entry -> entry.getValue() > 1)
        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
        .limit(MOST_CATEGORIES)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** The number of rows of each text that was not forgotten. */
  Map<String, Integer> counts() {
    return Collections.unmodifiableMap(counts);
  }

  /** All texts that were not forgotten, in the order of their first appearance. */
  List<String> all() {
    return List.copyOf(counts.keySet());
  }

  /** Whether nearly all texts differ, as names and ids do. */
  boolean isUnique() {
    return present >= 50 && (!areAllTracked || counts.size() >= 0.95 * present);
  }

  /** Whether the column only numbers the rows, judged by its name and its numbers. */
  boolean isRowNumber() {
    return present >= 20
        && wholes == present
        && (!areAllTracked || counts.size() == present)
        && (isNameless || !isCalledId() ? isCounter() : true)
        && !areEpochs();
  }

  /**
   * Whether the numbers go up by one from row to row. A short column is not counted, because it may
   * hold years or ages, which are useful features.
   */
  boolean isCounter() {
    return countsUp && present >= (isNameless ? 20 : FEWEST_COUNTED);
  }

  private boolean isCalledId() {
    return ID.matcher(name).matches();
  }

  /** Whether the column is called an id, but has the same number in several rows. */
  boolean isRepeatingId() {
    return present >= 20 && wholes == present && isCalledId() && counts.size() < present;
  }

  /** Whether the times in this column ascend or descend; null if it holds no times. */
  Trend timeTrend() {
    ColumnKind kind = kind();
    if (kind.isDate()) {
      boolean areNumbers = dates.count() == 0;
      return areNumbers ? numberTrend : dates.trend(kind);
    }
    return kind == ColumnKind.NUMBER && isCalledTime() ? numberTrend : null;
  }

  private boolean isCalledTime() {
    return TIME.matcher(name).matches();
  }

  /** Whether the numbers or dates ascend or descend, whatever the column is called. */
  Trend trend() {
    Trend times = timeTrend();
    return times == null ? numberTrend : times;
  }

  /** Whether there are texts that count as missing if it is read like this. */
  boolean hasGaps(ColumnKind kind) {
    return kind.isNumeric() && isMixed() || kind.isDate() && undated() > 0;
  }

  /** Whether numbers and texts are mixed. */
  boolean isMixed() {
    return numbersOfAnyForm() > 0 && texts() > 0;
  }

  /** The number of plain numbers. */
  long numbers() {
    return numbers;
  }

  /** The number of numbers, also of those with signs or commas. */
  long numbersOfAnyForm() {
    return numbers + signed + Math.max(commas, grouped);
  }

  long present() {
    return present;
  }

  /** The number of texts that are neither numbers nor dates. */
  long texts() {
    return texts + marks;
  }

  /** A text that is neither a number nor a date, preferably no usual mark of a missing value. */
  String firstText() {
    return strays.isEmpty()
        ? counts.keySet().stream().filter(Missing::isMark).findFirst().orElse("")
        : strays.iterator().next();
  }

  /** Its numbers as times since 1970. */
  EpochTimes epochs() {
    return epochs;
  }

  /** What its dates look like. */
  DateProfile dates() {
    return dates;
  }

  /** A number with a zero before its other digits, as codes have; null if there is none. */
  String leadingZero() {
    return leadingZero;
  }

  /** A summary of the column. */
  ColumnSummary summary(ColumnSummary.Role role, ColumnKind kind, long rows, String reason) {
    ColumnKind shown = kind == ColumnKind.IGNORED && present > 0 ? kind() : kind;
    boolean isPlain = shown == ColumnKind.NUMBER && leastText != null;
    String least = isPlain ? leastText : extreme(shown, Comparator.naturalOrder());
    String most = isPlain ? mostText : extreme(shown, Comparator.reverseOrder());
    long gaps = shown.isNumeric() ? texts() : kind.isDate() ? undated() : 0;
    return new ColumnSummary(
        name, role, kind, rows - present + gaps, different(), areAllTracked, least, most, reason);
  }

  /** The number of texts in a column of dates that are none in the order of the others. */
  long undated() {
    return dates.count() == 0 ? texts() : present - dates.count();
  }

  /** The text with the first number or date in an order; else the most common text. */
  private String extreme(ColumnKind kind, Comparator<Double> order) {
    boolean isOrdered = kind.isDate() || kind.isNumeric();
    return counts.keySet().stream()
        .filter(text -> isOrdered && !Double.isNaN(LateRows.time(text, kind)))
        .min(Comparator.comparing(text -> LateRows.time(text, kind), order))
        .orElseGet(this::mostCommonText);
  }

  private String mostCommonText() {
    return counts.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElse("");
  }

  /** The number of different texts, for messages. */
  String differentText() {
    return (areAllTracked ? "" : "more than ") + String.format(Locale.ROOT, "%,d", different());
  }
}
