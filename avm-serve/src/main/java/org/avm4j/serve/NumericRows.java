package org.avm4j.serve;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.avm4j.Features;
import org.avm4j.data.Column;
import org.avm4j.data.Decimal;
import org.avm4j.data.Schema;

/**
 * A fast reader of numeric rows from the bytes of JSON, which takes half the time of a full parser.
 * It reads objects, in an array or one after the other, for a model whose columns are all numeric.
 * For anything else it gives up, and {@link RowParser} reads the rows or reports errors.
 * Thread-safe.
 */
final class NumericRows {
  private static final int MAX_NUMBER = 32;
  private static final int NONE = -1;
  private final Schema schema;
  private final byte[][] names;
  private final double[] means;

  /** A reader for a model; it reads nothing if not all columns are plain numbers. */
  NumericRows(Schema schema, ModelSpec spec) {
    this.schema = schema;
    boolean isNumeric = schema.columns().stream().allMatch(column -> isPlain(column, spec));
    names = new byte[isNumeric ? schema.dimension() : 0][];
    means = new double[names.length];
    if (isNumeric) {
      schema.columns().forEach(this::add);
    }
  }

  /** Whether a column is numeric, no key of the specification, and its name needs no escapes. */
  private static boolean isPlain(Column column, ModelSpec spec) {
    return column.isNumeric()
        && isLearnable(column.mean())
        && !spec.isKey(column.name())
        && column.name().chars().noneMatch(c -> c < ' ' || c == '"' || c == '\\');
  }

  private void add(Column column) {
    names[column.index()] = column.name().getBytes(StandardCharsets.UTF_8);
    means[column.index()] = column.mean();
  }

  /** The features of each row; null if a full parser is needed. */
  List<Features> read(byte[] json) {
    return names.length == 0 ? null : new Scan(json).rows();
  }

  private final class Scan {
    private final byte[] json;
    private final double[] values = new double[names.length];
    private final int[] order = new int[names.length];
    private final int[] lastRow = new int[names.length];
    private int at;

    Scan(byte[] json) {
      this.json = json;
      Arrays.setAll(order, i -> i);
    }

    List<Features> rows() {
      List<Features> rows = new ArrayList<>();
      boolean isArray = skip('[');
      do {
        Features row = row(rows.size() + 1);
        if (row == null) {
          return null;
        }
        rows.add(row);
        GiveWay.afterRow(rows.size());
      } while (isArray ? skip(',') : hasMore());
      boolean isEnded = !isArray || skip(']');
      return isEnded && !hasMore() ? rows : null;
    }

    /** Reads a row; absent columns get their mean. */
    private Features row(int number) {
      System.arraycopy(means, 0, values, 0, means.length);
      boolean isPlain = skip('{');
      for (int place = 0; isPlain && (place == 0 || skip(',')); place++) {
        isPlain = place < order.length && value(place, number);
      }
      return isPlain && skip('}') ? Features.dense(values) : null;
    }

    private boolean value(int place, int row) {
      int feature = name(order[place]);
      if (feature == NONE || lastRow[feature] == row || !skip(':')) {
        return false;
      }
      order[place] = feature;
      lastRow[feature] = row;
      values[feature] = number();
      return isLearnable(values[feature]);
    }

    /**
     * Reads a name, and returns the index of its feature, or {@link #NONE}.
     *
     * @param expected the feature at this place in the previous row, which is tried first
     */
    private int name(int expected) {
      if (!skip('"')) {
        return NONE;
      }
      int feature = isNamed(expected) ? expected : lookUp();
      at += feature == NONE ? 0 : names[feature].length + 1;
      return feature;
    }

    private boolean isNamed(int feature) {
      byte[] name = names[feature];
      int end = at + name.length;
      return end < json.length
          && json[end] == '"'
          && Arrays.equals(json, at, end, name, 0, name.length);
    }

    private int lookUp() {
      int end = at;
      while (end < json.length && json[end] != '"') {
        end++;
      }
      Column column = schema.column(new String(json, at, end - at, StandardCharsets.UTF_8));
      int feature = column == null ? NONE : column.index();
      return feature != NONE && isNamed(feature) ? feature : NONE;
    }

    /** Reads a number; NaN if it is malformed or longer than 32 characters. */
    private double number() {
      hasMore();
      int from = at;
      int point = NONE;
      int end = from;
      for (; end < json.length && !isEnd(json[end]); end++) {
        point = json[end] == '.' ? end : point;
      }
      at = end;
      return end < json.length && isJsonNumber(from, point)
          ? Decimal.parse(json, from, end)
          : Double.NaN;
    }

    /**
     * Checks the rules of JSON beyond {@link Decimal}: a digit first and after the point, no
     * leading 0.
     */
    private boolean isJsonNumber(int from, int point) {
      int first = from < at && json[from] == '-' ? from + 1 : from;
      boolean hasLeadingZero = json[first] == '0' && isDigit(json[first + 1]);
      return isDigit(json[first])
          && !hasLeadingZero
          && (point == NONE || isDigit(json[point + 1]))
          && at - from <= MAX_NUMBER;
    }

    private boolean skip(char wanted) {
      if (at < json.length && json[at] == wanted || hasMore() && json[at] == wanted) {
        at++;
        return true;
      }
      return false;
    }

    /** Skips blanks, and returns whether anything is left. */
    private boolean hasMore() {
      while (at < json.length && isBlank(json[at])) {
        at++;
      }
      return at < json.length;
    }
  }

  private static boolean isLearnable(double value) {
    return Math.abs(value) <= Features.LARGEST;
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || b == '\n' || b == '\r' || b == '\t';
  }

  private static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  /** Whether a byte ends a number: a closing brace, or any byte up to the comma except +. */
  private static boolean isEnd(byte b) {
    return b <= ',' ? b != '+' : b == '}';
  }
}
