package org.avm4j.data;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * The table that a {@link Schema} was learned from, as far as readers of later files need it: the
 * place of the label, the number of columns, and which of them were left out. An immutable value.
 *
 * @param label the name of the column of the label, null if it is unknown or there was none
 * @param place the place of that column, counted from 0, or -1
 * @param width the number of columns including the label; 0 if unknown
 * @param isNamed whether the columns had names of their own
 * @param labelKind how a numeric label is read
 * @param ignored the names of columns that were left out
 * @param fillsZero whether a missing value is 0 instead of the mean of its column
 */
public record TableOrigin(
    String label,
    int place,
    int width,
    boolean isNamed,
    ColumnKind labelKind,
    Set<String> ignored,
    boolean fillsZero) {
  /** An unknown table. */
  public static final TableOrigin UNKNOWN =
      new TableOrigin(null, -1, 0, true, ColumnKind.NUMBER, Set.of(), false);

  /** Makes the set immutable. */
  public TableOrigin {
    ignored = Collections.unmodifiableSet(new LinkedHashSet<>(ignored));
  }

  /** Whether a table is known. */
  public boolean isKnown() {
    return width > 0;
  }

  /** The same without a column. */
  public TableOrigin without(String column) {
    Set<String> more = new LinkedHashSet<>(ignored);
    more.add(column);
    return new TableOrigin(label, place, width, isNamed, labelKind, more, fillsZero);
  }

  /** The same with labels of this kind. */
  public TableOrigin withLabelKind(ColumnKind kind) {
    return new TableOrigin(label, place, width, isNamed, kind, ignored, fillsZero);
  }

  /** The same with 0 for missing values. */
  public TableOrigin withZeros() {
    return new TableOrigin(label, place, width, isNamed, labelKind, ignored, true);
  }

  /** The number that replaces a missing one in a column. */
  public double fill(Column column) {
    return fill(column, null);
  }

  /**
   * The value of a feature of a column in rows where the column is missing.
   *
   * @param category the category of the feature; null for numbers
   */
  public double fill(Column column, String category) {
    return fillsZero ? 0 : column.replacement(category);
  }

  /** The same with the label and the number of columns of a table. */
  public TableOrigin of(String labelName, int labelPlace, int columns, boolean areNamed) {
    return new TableOrigin(labelName, labelPlace, columns, areNamed, labelKind, ignored, fillsZero);
  }

  /**
   * Appends whether there is a label (1), its name, place, width, names, kind, columns left out;
   * not whether missing values are 0, which has a section of its own.
   */
  void encode(Encoder out) {
    out.bool(label != null);
    out.text(label == null ? "" : label);
    out.int32(place + 1);
    out.int32(width);
    out.bool(isNamed);
    out.int32(labelKind.tag);
    out.list(ignored, (name, to) -> to.text(name));
  }

  static TableOrigin decode(Decoder in) throws ModelFileException {
    boolean hasLabel = in.bool();
    String label = in.text();
    int place = in.int32("the place of the label", Integer.MAX_VALUE) - 1;
    int width = in.int32("the columns of the table", Integer.MAX_VALUE);
    boolean isNamed = in.bool();
    ColumnKind kind = ColumnKind.decode(in);
    Decoder.check(kind.isNumeric(), "a label must be read as a number or as it is", kind);
    Set<String> ignored =
        new LinkedHashSet<>(in.list("the columns left out", Integer.MAX_VALUE, Decoder::text));
    return new TableOrigin(hasLabel ? label : null, place, width, isNamed, kind, ignored, false);
  }
}
