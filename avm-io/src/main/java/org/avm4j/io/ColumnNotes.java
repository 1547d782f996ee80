package org.avm4j.io;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.avm4j.data.ColumnKind;

/** Notes for users on how a column is read. */
final class ColumnNotes {
  private ColumnNotes() {}

  /**
   * The sentences about a column.
   *
   * @param isTextByWish whether the user wants it to be read as text
   */
  static List<String> of(ColumnProfile column, ColumnKind kind, boolean isTextByWish) {
    List<String> notes = new ArrayList<>();
    switch (kind) {
      case CAPPED -> notes.add(capped(column));
      case DATE -> notes.add("holds dates");
      case DATE_MONTH_FIRST -> notes.add("holds dates with the month before the day");
      case DECIMAL_COMMA -> notes.add("holds numbers with a decimal comma");
      case NUMBER -> addNumber(column, notes);
      case CATEGORIES -> {
        if (column.isMixed() && !isTextByWish) {
          notes.add(
              "mixes numbers and texts and is read as text; use --numeric to read it as numbers");
        }
      }
      default -> {}
    }
    return notes.stream().map(note -> "column '" + column.name() + "' " + note).toList();
  }

  private static void addNumber(ColumnProfile column, List<String> notes) {
    SentinelValue.in(column).ifPresent(notes::add);
    if (column.isRepeatingId()) {
      notes.add(
          "is named like an id and has "
              + column.differentText()
              + " different numbers; it is read as a number. Use --text to read it as categories,"
              + " or --ignore to leave it out");
    }
    if (column.isMixed()) {
      notes.add(
          String.format(
              Locale.ROOT, "holds numbers; %,d texts in it count as missing", column.texts()));
    }
  }

  private static String capped(ColumnProfile column) {
    return column.isUnique()
        ? "has a different text in nearly every row, like an id or free text, and says little."
            + " Use --ignore to leave it out, or --text-words to read its words"
        : "has "
            + column.differentText()
            + " different texts; the "
            + column.mostCommon().size()
            + " most common ones get a feature each, and the others share one";
  }
}
