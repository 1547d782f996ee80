package org.avm4j.io;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.avm4j.data.BadDataException;
import org.dhatim.fastexcel.reader.ExcelReaderException;
import org.dhatim.fastexcel.reader.ReadableWorkbook;
import org.dhatim.fastexcel.reader.ReadingOptions;
import org.dhatim.fastexcel.reader.Row;
import org.dhatim.fastexcel.reader.Sheet;
import org.dhatim.fastexcel.reader.SheetVisibility;

/**
 * A sheet of an Excel workbook, the first visible one unless it is named, as CSV. Row n of the
 * sheet is line n of the text, so that messages name the row that Excel shows. The compressed
 * workbook is held in memory; its rows are not.
 */
final class WorkbookText extends BlockInputStream {
  /** Maximum number of rows in Excel. */
  private static final int MAX_ROWS = 1 << 20;

  /** Maximum number of columns in Excel, the last of which is XFD. */
  private static final int MAX_COLUMNS = 1 << 14;

  private static final String[] PARTS = {
    "[Content_Types].xml", "_rels/", "docProps/", "xl/", "customXml/"
  };

  private final String name;
  private final ReadableWorkbook workbook;
  private final WorkbookCells cells;
  private final Stream<Row> stream;
  private final Iterator<Row> rows;
  private int line = 1;
  private byte[] bytes = {};
  private int position;
  private Exception failure;

  /**
   * Reads a workbook.
   *
   * @param sheet the name of a sheet, null for the first visible one
   */
  WorkbookText(String name, InputStream in, String sheet) throws IOException {
    this.name = name;
    workbook = open(name, in.readAllBytes());
    cells = new WorkbookCells(workbook.isDate1904());
    stream = sheet(sheet).openStream();
    rows = stream.iterator();
  }

  /** Whether a stream, whose position does not change, starts like an Office document. */
  static boolean isWorkbook(InputStream in) throws IOException {
    return isPart(SingleEntry.firstName(in));
  }

  /** A note on which of several visible sheets is read; empty if the choice is clear. */
  static Optional<String> note(String name, InputStream in, String sheet) throws IOException {
    try (ReadableWorkbook workbook = open(name, in.readAllBytes())) {
      List<String> seen = visible(workbook).map(Sheet::getName).toList();
      if (seen.size() < 2 || sheet != null) {
        return Optional.empty();
      }
      String others = String.join("', '", seen.subList(1, seen.size()));
      return Optional.of(
          name + ": the sheet '" + seen.get(0) + "' is read; use --sheet to read '" + others + "'");
    }
  }

  private static Stream<Sheet> visible(ReadableWorkbook workbook) {
    return workbook.getSheets().filter(sheet -> sheet.getVisibility() == SheetVisibility.VISIBLE);
  }

  /** Whether an archive with an entry of this name is an Office document. */
  static boolean isPart(String entry) {
    for (String part : PARTS) {
      if (entry.startsWith(part)) {
        return true;
      }
    }
    return false;
  }

  /** Opens a workbook, without number formats if it has no styles. */
  private static ReadableWorkbook open(String name, byte[] packed) throws IOException {
    try {
      return open(packed, true);
    } catch (ExcelReaderException noStyles) {
      try {
        return open(packed, false);
      } catch (ExcelReaderException e) {
        throw new BadDataException(
            name,
            "is an Office document that cannot be read ("
                + e.getMessage()
                + "): save the sheet as CSV");
      }
    }
  }

  private static ReadableWorkbook open(byte[] packed, boolean withFormats) throws IOException {
    return new ReadableWorkbook(
        new ByteArrayInputStream(packed), new ReadingOptions(withFormats, true));
  }

  private Sheet sheet(String wanted) throws BadDataException {
    if (wanted == null) {
      return visible(workbook)
          .findFirst()
          .orElseThrow(() -> new BadDataException(name, "is a workbook without a visible sheet"));
    }
    String all = workbook.getSheets().map(Sheet::getName).collect(Collectors.joining("', '"));
    return workbook
        .findSheet(wanted)
        .orElseThrow(
            () ->
                new BadDataException(
                    name, "has no sheet '" + wanted + "', expected one of '" + all + "'"));
  }

  /**
   * Fills the target with rows, so that lines above the header are seen together with the rows.
   * What is broken is told after the rows before it.
   */
  @Override
  public int read(byte[] target, int from, int length) throws IOException {
    int count = 0;
    try {
      throwFailure();
      while (count < length && fill()) {
        int part = Math.min(length - count, bytes.length - position);
        System.arraycopy(bytes, position, target, from + count, part);
        position += part;
        count += part;
      }
    } catch (IOException | RuntimeException e) {
      if (count == 0) {
        throw e;
      }
      failure = e;
    }
    return count > 0 ? count : -1;
  }

  private void throwFailure() throws IOException {
    if (failure instanceof IOException e) {
      throw e;
    }
    if (failure instanceof RuntimeException e) {
      throw e;
    }
  }

  /** Makes sure that there are bytes to copy; false at the end. */
  private boolean fill() throws IOException {
    while (position == bytes.length) {
      if (!rows.hasNext()) {
        return false;
      }
      bytes = lines(rows.next()).getBytes(StandardCharsets.UTF_8);
      position = 0;
    }
    return true;
  }

  /** The line of a row, preceded by an empty line for each row that is absent in the sheet. */
  private String lines(Row row) throws BadDataException {
    int number = Math.max(line, row.getRowNum()); // some programs do not number rows
    if (number > MAX_ROWS) {
      throw new BadDataException(
          name, number, "expected at most " + MAX_ROWS + " rows in a sheet of a workbook");
    }
    if (row.getCellCount() > MAX_COLUMNS) {
      throw new BadDataException(
          name, number, "expected at most " + MAX_COLUMNS + " columns in a sheet of a workbook");
    }
    String skipped = "\n".repeat(number - line);
    line = number + 1;
    return skipped + cells.line(row) + "\n";
  }

  @Override
  public void close() throws IOException {
    stream.close();
    workbook.close();
  }
}
