package org.avm4j.io;

import org.avm4j.data.Missing;

/**
 * Options for reading data.
 *
 * @param format the format, null to detect it
 * @param label the column of the label: its name, its number from 1, or from the end as -1, -2, …;
 *     null to take a column called label, class, target or y, else the last column
 * @param labelled whether the data has labels; if not, every label is NaN
 * @param zeroBased whether LIBSVM indices count from 0
 * @param unsorted whether LIBSVM indices may be in any order
 * @param missing what happens to a row in which a value is missing
 * @param delimiter the character between the fields of CSV; null to detect it
 * @param header whether CSV has a header; null to detect it
 * @param table how the columns of a table are read
 * @param sheet the name of the sheet of a workbook; null for the first visible one
 */
public record ReadOptions(
    Format format,
    String label,
    boolean labelled,
    boolean zeroBased,
    boolean unsorted,
    Missing missing,
    Character delimiter,
    Boolean header,
    TableOptions table,
    String sheet) {
  /** Everything detected, missing numbers replaced by their mean. */
  public static final ReadOptions DEFAULT =
      new ReadOptions(
          null, null, true, false, false, Missing.MEAN, null, null, TableOptions.DEFAULT, null);

  /** Checks that the delimiter can separate fields. */
  public ReadOptions {
    if (delimiter != null && "\"\r\n".indexOf(delimiter) >= 0) {
      throw new IllegalArgumentException("a delimiter must not be a quote or a line break");
    }
  }

  /** The same with another format. */
  public ReadOptions withFormat(Format format) {
    return new ReadOptions(
        format, label, labelled, zeroBased, unsorted, missing, delimiter, header, table, sheet);
  }

  /** The same with the label in this column. */
  public ReadOptions withLabel(String label) {
    return new ReadOptions(
        format, label, labelled, zeroBased, unsorted, missing, delimiter, header, table, sheet);
  }

  /** The same for data without labels. */
  public ReadOptions unlabelled() {
    return new ReadOptions(
        format, label, false, zeroBased, unsorted, missing, delimiter, header, table, sheet);
  }

  /** The same with this treatment of missing values. */
  public ReadOptions withMissing(Missing missing) {
    return new ReadOptions(
        format, label, labelled, zeroBased, unsorted, missing, delimiter, header, table, sheet);
  }

  /** The same with or without a header. */
  public ReadOptions withHeader(boolean header) {
    return new ReadOptions(
        format, label, labelled, zeroBased, unsorted, missing, delimiter, header, table, sheet);
  }

  /** The same with other options for the columns of a table. */
  public ReadOptions withTable(TableOptions table) {
    return new ReadOptions(
        format, label, labelled, zeroBased, unsorted, missing, delimiter, header, table, sheet);
  }
}
