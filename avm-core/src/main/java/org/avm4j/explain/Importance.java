package org.avm4j.explain;

import java.util.List;
import org.avm4j.Model;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;
import org.avm4j.data.Schema;

/**
 * The permutation importance of columns (Breiman 2001): the rise of a model's error over some rows
 * when the values of a column are permuted among them. Columns with the same information replace
 * each other, so that each of them alone matters little.
 *
 * @param figure the name of the error: {@code mistakeRate}, in percent, or {@code rmse}
 * @param rows the number of rows that it was measured on
 * @param error the error on these rows without a permutation
 * @param columns the columns that were looked at, the largest rise first
 * @param regions the same for the largest regions of the model, such as the leaves of a tree; none
 *     if it has none, or too few of the rows fell into each
 */
public record Importance(
    String figure, int rows, double error, List<Rise> columns, List<Part> regions) {
  /** The most rows that are measured. */
  public static final int MOST_ROWS = 2_000;

  private static final long FEWEST_ANSWERS = 2_000;
  private static final long MOST_ANSWERS = 20_000;
  private static final int MOST_NAMES = 1 << 20;

  /** Makes the lists immutable. */
  public Importance {
    columns = List.copyOf(columns);
    regions = List.copyOf(regions);
  }

  /**
   * The rise of the error by one column.
   *
   * @param column its name
   * @param rise the error with its values permuted, minus the error without
   * @param standardError the standard error of the rise, over the choice of rows
   */
  public record Rise(String column, double rise, double standardError) {
    /** Whether the rise is significant: more than twice its standard error. */
    public boolean matters() {
      return rise > 2 * standardError;
    }

    private void encode(Encoder out) {
      out.text(column);
      out.float64(rise);
      out.float64(standardError);
    }

    private static Rise decode(Decoder in) throws ModelFileException {
      return new Rise(in.text(), in.finite("a rise"), in.finite("a standard error"));
    }
  }

  /**
   * A region of the model.
   *
   * @param where the usual values of its rows in the columns that matter most
   * @param rows the number of the rows that fell into it
   * @param error the error on them
   * @param columns the columns, the largest rise first
   */
  public record Part(String where, int rows, double error, List<Rise> columns) {
    /** Makes the list immutable. */
    public Part {
      columns = List.copyOf(columns);
    }

    private void encode(Encoder out) {
      out.text(where);
      out.int32(rows);
      out.float64(error);
      out.list(columns, Rise::encode);
    }

    private static Part decode(Decoder in) throws ModelFileException {
      return new Part(
          in.text(), in.int32("the rows", Integer.MAX_VALUE), in.finite("an error"), decodeAll(in));
    }
  }

  /**
   * Measures a model on rows that it has not learned. Only the first {@value #MOST_ROWS} rows are
   * used, and fewer, but at least 100, if {@code answers} does not suffice for all columns. Of more
   * than 40 columns, those that change the scores of a few rows most are measured.
   *
   * @param rows the rows, with labels
   * @param schema the names of the features
   * @param seed the seed of the permutation; the same seed gives the same digits
   * @param answers the approximate number of answers to compute; limited to 2,000 to 20,000
   * @throws IllegalArgumentException if there are fewer than two rows, or the model detects
   *     anomalies, whose error is no mean over rows
   */
  public static Importance measure(
      Model model, List<Instance> rows, Schema schema, long seed, long answers) {
    long bounded = Math.max(FEWEST_ANSWERS, Math.min(MOST_ANSWERS, answers));
    return new PermutationStudy(model, rows, schema, seed, bounded).importance();
  }

  /** Appends all figures. */
  public void encode(Encoder out) {
    out.text(figure);
    out.int32(rows);
    out.float64(error);
    out.list(columns, Rise::encode);
    out.list(regions, Part::encode);
  }

  /** The figures that were appended. */
  static Importance decode(Decoder in) throws ModelFileException {
    String figure = in.text();
    int rows = in.int32("the rows", Integer.MAX_VALUE);
    double error = in.finite("an error");
    List<Rise> columns = decodeAll(in);
    List<Part> regions = in.list("the regions", MOST_NAMES, Part::decode);
    return new Importance(figure, rows, error, columns, regions);
  }

  private static List<Rise> decodeAll(Decoder in) throws ModelFileException {
    return in.list("the columns", MOST_NAMES, Rise::decode);
  }
}
