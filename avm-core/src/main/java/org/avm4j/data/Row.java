package org.avm4j.data;

import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import org.avm4j.Features;

/**
 * A row of the data as it was sent: its values, its label and its weight. What a row may contain is
 * described in {@code docs/rows.md}; {@link RowBytes} writes and reads it.
 *
 * @param values its values, by column name or by index
 * @param label a {@link Number}, a text or a {@link Boolean}; null if there is none
 * @param weight the factor of its loss, usually 1
 */
public record Row(Values values, Object label, double weight) {
  /** Checks that there are values. */
  public Row {
    Objects.requireNonNull(values, "a row must have values");
  }

  /** Numbers, texts and booleans by column name, with a label or null. */
  public static Row named(Map<String, ?> values, Object label) {
    return new Row(new Named(values), label, 1);
  }

  /** Numbers by index, with a label or null. */
  public static Row indexed(Features features, Object label) {
    return new Row(new Indexed(features), label, 1);
  }

  /** The same values with another label and weight. */
  public Row with(Object otherLabel, double otherWeight) {
    return new Row(values, otherLabel, otherWeight);
  }

  /** The values of a row. The caller must not change them afterwards. */
  public sealed interface Values {
    /** Whether values are given by column name. */
    default boolean areNamed() {
      return true;
    }

    /** The values by column name; empty if they are given by index. */
    default Map<String, ?> columns() {
      return Map.of();
    }

    /** Whether all values are texts, of which some may look like numbers. */
    default boolean areTexts() {
      return false;
    }

    /** The values as text, for people. */
    default String text() {
      return columns().toString();
    }

    /** Writes the form of the values, and the values. */
    void write(RowBytes.Writer out) throws IOException;

    /** The features, by a schema that learns from them unless it is frozen. */
    Features encode(RowEncoder rows);
  }

  /**
   * Numbers, texts, booleans and nulls by column name, as JSON has them.
   *
   * @param columns new columns are numbered in the order of the map
   */
  public record Named(Map<String, ?> columns) implements Values {
    @Override
    public void write(RowBytes.Writer out) throws IOException {
      out.named(columns);
    }

    @Override
    public Features encode(RowEncoder rows) {
      return rows.encode(columns);
    }
  }

  /**
   * Texts by column name, as CSV has them: a text that looks like a number is one.
   *
   * @param columns new columns are numbered in the order of the map
   */
  public record Texts(Map<String, String> columns) implements Values {
    @Override
    public boolean areTexts() {
      return true;
    }

    @Override
    public void write(RowBytes.Writer out) throws IOException {
      out.texts(columns);
    }

    @Override
    public Features encode(RowEncoder rows) {
      return rows.encodeText(columns);
    }
  }

  /**
   * Numbers by index, as LIBSVM has them.
   *
   * @param features immutable
   */
  public record Indexed(Features features) implements Values {
    @Override
    public String text() {
      return features.toString();
    }

    @Override
    public void write(RowBytes.Writer out) throws IOException {
      out.indexed(features);
    }

    @Override
    public boolean areNamed() {
      return false;
    }

    @Override
    public Features encode(RowEncoder rows) {
      return features;
    }
  }
}
