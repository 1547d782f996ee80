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
 * Anything else is left to {@link RowParser}, which also reports errors. Thread-safe.
 */
final class NumericRows {
  private static final int MAX_NUMBER = 32;
  private static final int NONE = -1;
  private final Schema schema;
  private final byte[][] names;
  private final double[] means;

  /** Reads rows of a model. */
  NumericRows(Schema schema, ModelSpec spec) {
    this.schema = schema;
    boolean isNumeric = schema.columns().stream().allMatch(column -> isPlain(column, spec));
    names = new byte[isNumeric ? schema.dimension() : 0][];
    means = new double[names.length];
    if (isNumeric) {
      schema.columns().forEach(this::add);
    }
  }

  /** Whether a column is numeric and its name needs no escapes in JSON. */
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

  /** The features of each row; null if anything is not plain. */
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
      } while (isArray ? skip(',') : hasMore());
      boolean isEnded = !isArray || skip(']');
      return isEnded && !hasMore() ? rows : null;
    }

    /** A row; columns that it does not have get their mean. */
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
     * The feature that is named here.
     *
     * @param expected the one that stood here in the row before
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

    /** The number at the present position; NaN if it is not a number or a long one. */
    private double number() {
      hasMore();
      int from = at;
      int point = NONE;
      int end = from;
      for (; end < json.length && !isEnd(json[end]); end++) {
        point = json[end] == '.' ? end : point;
      }
      at = end;
      return end < json.length && isOfJson(from, point)
          ? Decimal.parse(json, from, end)
          : Double.NaN;
    }

    /**
     * Checks the rules of JSON beyond {@link Decimal}: a digit first and after the point, no
     * leading 0.
     */
    private boolean isOfJson(int from, int point) {
      int first = from < at && json[from] == '-' ? from + 1 : from;
      boolean isIdle = json[first] == '0' && isDigit(json[first + 1]);
      return isDigit(json[first])
          && !isIdle
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

  /** Whether a byte ends a number: a }, or any byte but + up to the comma in the order of ASCII. */
  private static boolean isEnd(byte b) {
    return b <= ',' ? b != '+' : b == '}';
  }
}
