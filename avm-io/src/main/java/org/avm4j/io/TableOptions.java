package org.avm4j.io;

import java.util.List;

/**
 * Options for the columns of a table. Columns are given by name, by number from 1 or from the end
 * as -1, by a range of numbers such as 3-7, or by a pattern with * and ?.
 *
 * @param text columns that are read as categories even if they hold numbers
 * @param numeric columns that are read as numbers; any other text counts as missing
 * @param ignore columns that are left out
 * @param words columns of free text, whose words and pairs of words become features
 * @param weight the column with the weights of rows, null for none
 * @param time the column with the time of a row; null to detect whether rows are in order of time
 * @param allowsAbsent whether a file may lack columns that the model has
 * @param knownLabelsOnly whether a label that the model does not know is bad data
 * @param namedLabelOnly whether, if no label is given, only a column called label, class or target
 *     is taken as the label and never the last one, as for tasks without labels
 * @param lookAhead the number of rows examined before the kinds of columns are decided; 0 if the
 *     first value of a column decides
 */
public record TableOptions(
    List<String> text,
    List<String> numeric,
    List<String> ignore,
    List<String> words,
    String weight,
    String time,
    boolean allowsAbsent,
    boolean knownLabelsOnly,
    boolean namedLabelOnly,
    int lookAhead) {
  /** Uses all columns; the first value of each decides its kind. */
  public static final TableOptions DEFAULT =
      new TableOptions(
          List.of(), List.of(), List.of(), List.of(), null, null, false, false, false, 0);

  /** Makes the lists immutable. */
  public TableOptions {
    text = List.copyOf(text);
    numeric = List.copyOf(numeric);
    ignore = List.copyOf(ignore);
    words = List.copyOf(words);
  }

  /** The same with another {@code allowsAbsent}. */
  public TableOptions withAbsent(boolean allowed) {
    return with(allowed, knownLabelsOnly, namedLabelOnly, lookAhead);
  }

  /** The same with another {@code knownLabelsOnly}. */
  public TableOptions withKnownLabelsOnly(boolean required) {
    return with(allowsAbsent, required, namedLabelOnly, lookAhead);
  }

  /** The same with another {@code namedLabelOnly}. */
  public TableOptions withNamedLabelOnly(boolean required) {
    return with(allowsAbsent, knownLabelsOnly, required, lookAhead);
  }

  /** The same with another number of rows that are examined first. */
  public TableOptions withLookAhead(int rows) {
    return with(allowsAbsent, knownLabelsOnly, namedLabelOnly, rows);
  }

  private TableOptions with(boolean absent, boolean known, boolean named, int rows) {
    return new TableOptions(text, numeric, ignore, words, weight, time, absent, known, named, rows);
  }
}
