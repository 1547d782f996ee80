package org.avm4j.data;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/** A column of the input, as a {@link Schema} knows it. */
public abstract sealed class Column permits NumericColumn, CategoricalColumn {
  /** The index of no feature. */
  static final int NO_FEATURE = -1;

  /** Its place among the columns of the schema, counted from 0. */
  final int place;

  private final String name;
  private ColumnKind kind;

  Column(String name, int place, ColumnKind kind) {
    this.name = name;
    this.place = place;
    this.kind = kind;
  }

  /** The name in the header. */
  public final String name() {
    return name;
  }

  /** How its values become features. */
  public final ColumnKind kind() {
    return kind;
  }

  final void use(ColumnKind other) {
    kind = other;
  }

  /** Whether the column holds numbers; otherwise it holds categories. */
  public final boolean isNumeric() {
    return kind.isNumeric();
  }

  /** The categories in order of appearance; none if the column is numeric. */
  public final Set<String> categories() {
    return Collections.unmodifiableSet(indices().keySet());
  }

  /** The features of the categories in order of appearance; none if the column is numeric. */
  abstract Map<String, Integer> indices();

  /** The feature of a column of numbers; -1 if it holds categories. */
  public int index() {
    return NO_FEATURE;
  }

  /** The mean of the numbers observed so far; 0 before the first, and of categories. */
  public double mean() {
    return 0;
  }

  /**
   * The feature of all texts without a category of their own; -1 if they set none, as everywhere
   * but in a capped column.
   */
  public int otherIndex() {
    return NO_FEATURE;
  }

  /**
   * The value of a feature of this column in rows where the column is missing, unless missing
   * values are {@linkplain TableOrigin#fillsZero 0}.
   *
   * @param category the category of the feature; null for numbers
   */
  public double replacement(String category) {
    return mean();
  }

  /** Whether a text fits the column. */
  public boolean accepts(String text) {
    return true;
  }

  String featureName(String category) {
    return name;
  }

  /**
   * Throws an exception if a value, a text or a number, does not fit the column.
   *
   * @param isStrict whether this holds for texts in a column of dates that are no dates, too
   */
  abstract void check(Object value, boolean isStrict);

  /** Receives the values of the columns of a row. */
  interface Sink {
    /** A number that the schema learns from. */
    void add(NumericColumn column, double value);

    /** A number that replaces a missing one. */
    void replace(NumericColumn column, double value);

    /** The value of a feature that replaces a missing one. */
    void replace(int feature, double value);

    /** A category. */
    void add(CategoricalColumn column, String category);

    /** The values of several categories of a column. */
    void add(CategoricalColumn column, Map<String, Double> values);

    /** The parts of a date. */
    void addDate(CategoricalColumn column, Map<String, Double> parts);

    /** A text in a column of dates that is no date and counts as missing. */
    void addUnreadable(CategoricalColumn column, String text);
  }

  /** Adds the entry of a value to a row; throws an exception if the value does not fit. */
  abstract void set(Object value, Sink row);

  /** Adds the entry that replaces a missing value, if there is one. */
  abstract void setMissing(boolean byMean, Sink row);

  abstract Column copy();

  /** Sets the number of values observed, their mean, and their spread if it has one. */
  abstract void restore(long observed, double itsMean, double itsSpread);

  abstract void encode(Encoder out);

  /**
   * Appends the state of a column of a special kind: one that is neither plain numbers nor plain
   * categories.
   */
  abstract void encodeKind(Encoder out);

  /** Sets a special kind, and reads the state that {@link #encodeKind} appended. */
  abstract void decodeKind(ColumnKind special, Decoder in) throws ModelFileException;

  final IllegalArgumentException refused(String holds, Object found) {
    return new IllegalArgumentException(
        "column '%s' holds %s, found %s"
            .formatted(name, holds, BadDataException.quote(found.toString())));
  }
}
