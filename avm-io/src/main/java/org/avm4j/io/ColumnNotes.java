package org.avm4j.io;

import static org.avm4j.data.BadDataException.quote;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.avm4j.data.ColumnKind;
import org.avm4j.data.Units;

/** Notes for users on how a column is read. */
final class ColumnNotes {
  private ColumnNotes() {}

  /**
   * The sentences about a column.
   *
   * @param isForcedText whether the user wants it to be read as text
   */
  static List<String> of(ColumnProfile column, ColumnKind kind, boolean isForcedText) {
    List<String> notes = new ArrayList<>();
    switch (kind) {
      case CAPPED -> capped(column).ifPresent(notes::add);
      case DATE, DATE_MONTH_FIRST -> addDates(column, kind, notes);
      case DECIMAL_COMMA -> notes.add(commas(column));
      case NUMBER -> addNumber(column, notes);
      case UNITS -> notes.add("holds numbers with units, such as " + quote(withUnit(column)));
      default -> {}
    }
    if (kind.isNumeric() && column.hasGaps(kind)) {
      notes.add(
          String.format(
              Locale.ROOT,
              column.gaps(kind) == 1
                  ? "holds numbers; a text in it counts as missing: %2$s"
                  : "holds numbers; %1$,d texts in it count as missing, such as %2$s",
              column.gaps(kind),
              quote(column.firstGap(kind))));
    }
    boolean isText = kind == ColumnKind.CATEGORIES || kind == ColumnKind.CAPPED;
    if (isText && !isForcedText && column.hasHugeNumbers()) {
      notes.add("holds numbers beyond ±1e15, as ids do, and is read as text");
    }
    if (column.isMixed() && isText && !isForcedText) {
      notes.add(
          String.format(
              Locale.ROOT,
              "mixes numbers and texts and is read as text; --numeric keeps its %,d numbers and"
                  + " takes its %,d texts as missing",
              column.numbers().count(),
              column.texts()));
    }
    return notes.stream().map(note -> "column '" + column.name() + "' " + note).toList();
  }

  private static String commas(ColumnProfile column) {
    return column.numbers().hasThousands()
        ? "holds numbers with points between thousands, because others have decimal commas"
        : "holds numbers with a decimal comma";
  }

  /** A text of a column with units that has one. */
  private static String withUnit(ColumnProfile column) {
    return column.counts().texts().stream()
        .filter(text -> !Units.parts(text).isEmpty())
        .findFirst()
        .orElse("");
  }

  private static void addNumber(ColumnProfile column, List<String> notes) {
    SentinelValue.in(column).ifPresent(notes::add);
    if (column.isRepeatingId()) {
      notes.add(
          "is named like an id and has "
              + column.counts().differentText()
              + " different numbers; it is read as a number. Use --text to read it as categories,"
              + " or --ignore to leave it out");
    }
    String code = column.numbers().leadingZero();
    if (code != null) {
      notes.add(
          "has numbers with a leading zero, such as "
              + quote(code)
              + "; if they are codes, --text takes them as categories");
    }
  }

  private static void addDates(ColumnProfile column, ColumnKind kind, List<String> notes) {
    DateProfile dates = column.dates();
    boolean isMonthFirst = kind == ColumnKind.DATE_MONTH_FIRST;
    notes.add(
        column.areEpochs()
            ? column.numbers().epochs().text()
            : isMonthFirst ? "holds dates, the month before the day" : "holds dates");
    if (dates.ambiguous() != null) {
      notes.add(
          "may have the day before the month, because each of its dates, such as "
              + quote(dates.ambiguous())
              + ", fits both: if so, write them as 2020-12-31");
    }
    long other = column.undated();
    if (other > 0) {
      notes.add(
          other == 1
              ? "has a text that is no such date and counts as missing"
              : String.format(
                  Locale.ROOT, "has %,d texts that are no such dates and count as missing", other));
    }
    if (dates.zones().size() > 1) {
      notes.add(
          "has times of several time zones, of which the local hour is used: "
              + dates.zones().stream()
                  .map(zone -> zone.isEmpty() ? "none" : zone)
                  .collect(Collectors.joining(", "))
              + "; convert them to one if the same moment matters more");
    }
  }

  private static Optional<String> capped(ColumnProfile column) {
    if (!column.isUnique()) {
      return Optional.of(
          "has "
              + column.counts().differentText()
              + " different texts; the "
              + column.mostCommon().size()
              + " most common ones get a feature each, and the others share one");
    }
    return Optional.of(
        "has a different text in nearly every row, like an id or free text, and says little."
            + " Use --ignore to leave it out, or --text-words to read its words");
  }
}
