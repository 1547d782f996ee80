package org.avm4j.data;

import java.util.regex.Pattern;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.ModelFileException;

/** How the texts of a column become features. */
public enum ColumnKind {
  /** Numbers with a decimal point: one feature. */
  NUMBER(0),
  /** Texts, each with a feature of its own. */
  CATEGORIES(1),
  /** Numbers with a decimal comma, as in 1.234,5 or 1.234.567; see {@link NumberText} for signs. */
  DECIMAL_COMMA(2),
  /** Numbers with commas between thousands, as in $1,234.5; see {@link NumberText} for signs. */
  GROUPED(3),
  /** Texts; the most common have a feature each, all others share one. */
  CAPPED(4),
  /** Dates and times; in 1/2/2020 the day comes first. */
  DATE(5),
  /** Dates and times; in 1/2/2020 the month comes first. */
  DATE_MONTH_FIRST(6),
  /** Free text: its words and pairs of words share a fixed number of features by their hash. */
  WORDS(7),
  /** A column that is left out. */
  IGNORED(8),
  /** Numbers with {@link Units}, such as 14,5 m², $72k or 1h 20m: one feature. */
  UNITS(9);

  /** A whole number with points between thousands. */
  private static final Pattern THOUSANDS = Pattern.compile("[-+]?[1-9]\\d{0,2}(\\.\\d{3})+");

  /** The number of the kind in files, which never changes. */
  final int tag;

  ColumnKind(int tag) {
    this.tag = tag;
  }

  /** Whether the column has one feature, whose value is a number. */
  public boolean isNumeric() {
    return this == NUMBER || this == DECIMAL_COMMA || this == GROUPED || this == UNITS;
  }

  /** Whether the column holds dates. */
  public boolean isDate() {
    return this == DATE || this == DATE_MONTH_FIRST;
  }

  /**
   * The number in a text of a numeric column; NaN if it is not a number. {@link Units} read those
   * of a column with units.
   */
  public double number(String text) {
    return switch (this) {
      case DECIMAL_COMMA -> decimalComma(NumberText.plain(text));
      case GROUPED -> Decimal.parse(NumberText.plain(text).replace(",", ""));
      default -> Decimal.parse(text);
    };
  }

  private static double decimalComma(String text) {
    boolean isPlain = text.indexOf(',') < 0 && !THOUSANDS.matcher(text).matches();
    return Decimal.parse(isPlain ? text : text.replace(".", "").replace(',', '.'));
  }

  static ColumnKind decode(Decoder in) throws ModelFileException {
    int tag = in.int32("the kind of a column", values().length - 1);
    return values()[tag];
  }
}
