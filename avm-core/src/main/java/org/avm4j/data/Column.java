package org.avm4j.data;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.avm4j.Features;
import org.avm4j.codec.Encoder;

/** A column of the input, as a {@link Schema} knows it. */
public abstract sealed class Column {
  /** Its place among the columns of the schema, counted from 0. */
  final int place;

  private final String name;

  private Column(String name, int place) {
    this.name = name;
    this.place = place;
  }

  /** The name in the header. */
  public final String name() {
    return name;
  }

  /** Whether the column holds numbers; otherwise it holds categories. */
  public abstract boolean isNumeric();

  /** The categories in order of appearance; none if the column is numeric. */
  public abstract Set<String> categories();

  /** Refuses a value, a text or a number, that does not fit the column. */
  abstract void check(Object value);

  /** What takes the values of the columns of a row. */
  interface Sink {
    /** A number that the schema learns from. */
    void add(Numeric column, double value);

    /** A number in the place of a missing one. */
    void replace(Numeric column, double value);

    /** The value of a feature in the place of a missing one. */
    void replace(int feature, double value);

    /** A category. */
    void add(Categorical column, String category);

    /** The values of several categories of a column. */
    void add(Categorical column, Map<String, Double> values);

    /** The parts of a date. */
    void addDate(Categorical column, Map<String, Double> parts);
  }

  /** Adds the entry of a value to a row, or refuses the value. */
  abstract void set(Object value, Sink row);

  /** Adds the entry that stands in for a missing value, if there is one. */
  abstract void setMissing(boolean byMean, Sink row);

  /** How its texts become features. */
  public abstract ColumnKind kind();

  abstract Column copy();

  /** Sets the number of values observed, their mean, and their spread if it has one. */
  abstract void restore(long observed, double itsMean, double itsSpread);

  abstract void encode(Encoder out);

  final IllegalArgumentException refused(String holds, Object found) {
    return new IllegalArgumentException(
        "column '%s' holds %s, found %s"
            .formatted(name, holds, BadDataException.quote(found.toString())));
  }

  /** A column of numbers, with the mean that stands in for missing ones. */
  public static final class Numeric extends Column {
    private final int index;
    private ColumnKind kind = ColumnKind.NUMBER;
    private final RobustMean mean = new RobustMean();

    Numeric(String name, int place, int index) {
      super(name, place);
      this.index = index;
    }

    @Override
    public ColumnKind kind() {
      return kind;
    }

    void use(ColumnKind other) {
      kind = other;
    }

    /** Whether a text is a number of this column. */
    public boolean accepts(String text) {
      return Double.isFinite(kind.number(text));
    }

    /** The feature of this column. */
    public int index() {
      return index;
    }

    /** The mean of the numbers observed so far, 0 before the first. */
    public double mean() {
      return mean.mean();
    }

    @Override
    public boolean isNumeric() {
      return true;
    }

    @Override
    public Set<String> categories() {
      return Set.of();
    }

    /** The numbers observed so far. */
    RobustMean observed() {
      return mean;
    }

    @Override
    void restore(long count, double itsMean, double itsSpread) {
      mean.restore(count, itsMean, itsSpread);
    }

    @Override
    void check(Object value) {
      number(value);
    }

    @Override
    void set(Object value, Sink row) {
      row.add(this, number(value));
    }

    private double number(Object value) {
      double number =
          value instanceof Number given ? Decimal.value(given) : kind.number((String) value);
      if (!Double.isFinite(number)) {
        throw refused("finite numbers", value);
      }
      if (Math.abs(number) > Features.LARGEST) {
        throw refused("numbers within ±1e15", value);
      }
      return number;
    }

    @Override
    void setMissing(boolean byMean, Sink row) {
      row.replace(this, byMean ? mean() : 0);
    }

    @Override
    Numeric copy() {
      Numeric copy = new Numeric(name(), place, index);
      copy.kind = kind;
      copy.restore(mean.count(), mean.mean(), mean.spread());
      return copy;
    }

    @Override
    void encode(Encoder out) {
      out.int32(index);
      out.int64(mean.count());
      out.float64(mean.mean());
    }
  }

  /**
   * A column of texts. What a category is depends on the kind: a text, a part of a date, or a
   * bucket of words.
   */
  public static final class Categorical extends Column {
    /** The category of all texts of a capped column that have none of their own. */
    static final String OTHER = "(other)";

    final Map<String, Integer> indices = new LinkedHashMap<>();
    private ColumnKind kind = ColumnKind.CATEGORIES;
    private long count;
    private double meanYear;

    Categorical(String name, int place) {
      super(name, place);
    }

    @Override
    public ColumnKind kind() {
      return kind;
    }

    void use(ColumnKind other) {
      kind = other;
    }

    /** The name of the feature of a category. */
    String featureName(String category) {
      boolean isPart = kind.isDate() || kind == ColumnKind.WORDS;
      return name() + (isPart ? " " : "=") + category;
    }

    void observeYear(double year) {
      count++;
      meanYear += (year - meanYear) / count;
    }

    @Override
    void restore(long observed, double itsMean, double itsSpread) {
      count = observed;
      meanYear = itsMean;
    }

    long years() {
      return count;
    }

    double meanYear() {
      return meanYear;
    }

    @Override
    public boolean isNumeric() {
      return false;
    }

    @Override
    public Set<String> categories() {
      return Collections.unmodifiableSet(indices.keySet());
    }

    @Override
    void check(Object value) {
      text(value);
    }

    @Override
    void set(Object value, Sink row) {
      String text = text(value);
      switch (kind) {
        case DATE, DATE_MONTH_FIRST -> setDate(text, row);
        case WORDS -> row.add(this, TextWords.of(text));
        default -> row.add(this, text);
      }
    }

    /** A text that is no date counts as missing. */
    private void setDate(String text, Sink row) {
      Map<String, Double> parts = DateParts.of(text, kind);
      if (parts == null) {
        setMissing(true, row);
      } else {
        row.addDate(this, parts);
      }
    }

    private String text(Object value) {
      if (!(value instanceof Number number)) {
        return UnicodeText.check("a value of column '" + name() + "'", (String) value);
      }
      if (!Double.isFinite(Decimal.value(number))) {
        throw refused("texts or finite numbers", value);
      }
      return Decimal.text(number);
    }

    @Override
    void setMissing(boolean byMean, Sink row) {
      if (kind.isDate() && byMean && indices.containsKey(DateParts.YEAR)) {
        row.replace(indices.get(DateParts.YEAR), meanYear);
      }
    }

    @Override
    Categorical copy() {
      Categorical copy = new Categorical(name(), place);
      copy.indices.putAll(indices);
      copy.kind = kind;
      copy.restore(count, meanYear, 0);
      return copy;
    }

    @Override
    void encode(Encoder out) {
      out.int32(indices.size());
      indices.forEach(
          (category, index) -> {
            out.text(category);
            out.int32(index);
          });
    }
  }
}
