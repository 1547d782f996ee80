package org.avm4j.io;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Locale;
import java.util.regex.Pattern;
import org.avm4j.data.Decimal;
import org.dhatim.fastexcel.reader.Cell;
import org.dhatim.fastexcel.reader.CellType;
import org.dhatim.fastexcel.reader.Row;

/**
 * The cells of a workbook as fields of a CSV line. Dates and times, which a workbook stores as
 * numbers of days, become ISO texts; errors such as #N/A become empty fields.
 */
final class WorkbookCells {
  private static final int DAY_SECONDS = 86_400;

  /** Day 0 of dates; day 60 is the 29th of February 1900, which did not exist. */
  private static final LocalDate DAY_ZERO = LocalDate.of(1899, 12, 31);

  private static final LocalDate DAY_ZERO_1904 = LocalDate.of(1904, 1, 1);
  private static final int FALSE_LEAP_DAY = 60;
  private static final int DAY_AFTER_9999 = 2_958_466;

  /** Parts of a format that are no date letters: quoted texts, [conditions], escaped letters. */
  private static final Pattern LITERALS = Pattern.compile("\"[^\"]*\"|\\[[^\\]]*\\]|[\\\\_*].");

  private static final Pattern DATE_FORMAT = Pattern.compile("(?s).*([yd]|mmm).*");
  private static final Pattern ERROR = Pattern.compile("#[A-Z/0]+[!?/]?[A-Z]*");
  private static final Pattern BREAKS = Pattern.compile("[\\r\\n\\x00]+");
  private static final Pattern PLAIN = Pattern.compile("[-+.\\w]*");

  /** What a cell with a number shows. */
  private enum Shows {
    NUMBER,
    DATE,
    TIME
  }

  private final boolean from1904;
  private int width;

  WorkbookCells(boolean from1904) {
    this.from1904 = from1904;
  }

  /** The fields of a row; a shorter row is filled up to the width of the widest so far. */
  String line(Row row) {
    int count = count(row);
    width = Math.max(width, count);
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < count || i < width && count > 0; i++) {
      line.append(i > 0 ? "," : "").append(quoted(i < count ? text(row.getCell(i)) : ""));
    }
    return line.toString();
  }

  /** The number of cells up to the last one that is not empty. */
  private int count(Row row) {
    int count = row.getCellCount();
    while (count > 0 && text(row.getCell(count - 1)).isEmpty()) {
      count--;
    }
    return count;
  }

  private static String quoted(String text) {
    String line = BREAKS.matcher(text).replaceAll(" ");
    return PLAIN.matcher(line).matches() ? line : '"' + line.replace("\"", "\"\"") + '"';
  }

  private String text(Cell cell) {
    if (cell == null || cell.getType() == CellType.ERROR || cell.getRawValue() == null) {
      return "";
    }
    if (cell.getValue() instanceof Boolean truth) {
      return truth ? "TRUE" : "FALSE";
    }
    String raw = cell.getRawValue().strip();
    if (cell.getType() == CellType.STRING) {
      return raw;
    }
    return ERROR.matcher(raw).matches() ? "" : shown(raw, shows(cell));
  }

  private String shown(String raw, Shows shows) {
    double days = Decimal.parse(raw);
    if (shows == Shows.NUMBER || Double.isNaN(days)) {
      return raw;
    }
    if (shows == Shows.TIME) {
      return days >= 0 && days < 1 ? time(days) : raw;
    }
    return days >= 0 && days < DAY_AFTER_9999 ? date(days) : raw;
  }

  private static String time(double days) {
    long seconds = Math.min(DAY_SECONDS - 1, Math.round(days * DAY_SECONDS));
    return withSeconds(LocalDate.EPOCH.atTime(LocalTime.ofSecondOfDay(seconds))).substring(11);
  }

  private String date(double days) {
    long seconds = Math.round(days * DAY_SECONDS);
    LocalDate day = day(seconds / DAY_SECONDS);
    long rest = seconds % DAY_SECONDS;
    return rest == 0 ? day.toString() : withSeconds(day.atTime(LocalTime.ofSecondOfDay(rest)));
  }

  private LocalDate day(long number) {
    if (from1904) {
      return DAY_ZERO_1904.plusDays(number);
    }
    return DAY_ZERO.plusDays(number >= FALSE_LEAP_DAY ? number - 1 : number);
  }

  private static String withSeconds(LocalDateTime time) {
    return String.format(Locale.ROOT, "%tFT%<tT", time);
  }

  private static Shows shows(Cell cell) {
    if (cell.getDataFormatString() != null) {
      return shows(cell.getDataFormatString());
    }
    Integer id = cell.getDataFormatId();
    return id == null ? Shows.NUMBER : builtIn(id);
  }

  private static Shows shows(String format) {
    String letters = LITERALS.matcher(format).replaceAll("").toLowerCase(Locale.ROOT);
    if (DATE_FORMAT.matcher(letters).matches()) {
      return Shows.DATE;
    }
    return letters.indexOf('h') >= 0 ? Shows.TIME : Shows.NUMBER;
  }

  /** The built-in formats, whose text is not in the file; those above 22 are East Asian. */
  private static Shows builtIn(int id) {
    if (id >= 18 && id <= 21) {
      return Shows.TIME;
    }
    boolean isDate =
        id >= 14 && id <= 22 || id >= 27 && id <= 31 || id == 36 || id >= 50 && id <= 58;
    return isDate ? Shows.DATE : Shows.NUMBER;
  }
}
