package org.avm4j.lab.paper;

import java.util.List;
import java.util.Optional;

/** Tables 3, 4 and 5 as they are printed in the paper. */
public final class PaperTables {
  /**
   * A row of a table.
   *
   * @param study the study of the table
   * @param data the paper's name of the data
   * @param method the paper's name of the method
   * @param value accuracy, mistake rate or RMSE as printed; empty if the paper has a dash
   * @param deviation the deviation as printed; empty if there is none
   * @param seconds the time of training, or of the whole online run
   * @param testSeconds the time of testing; batch only
   * @param size S of AVM, B of budgeted methods, D of FOGD
   */
  public record Row(
      String study,
      String data,
      String method,
      String value,
      String deviation,
      String seconds,
      String testSeconds,
      String size) {

    /** Whether the paper has a figure in this row. */
    public boolean hasValue() {
      return !value.isEmpty();
    }

    /** The figure. */
    public double number() {
      return Double.parseDouble(value);
    }

    /** The deviation; 0 if none is printed. */
    public double spread() {
      return deviation.isEmpty() ? 0 : Double.parseDouble(deviation);
    }

    /** The number of printed decimals. */
    public int decimals() {
      return value.length() - value.indexOf('.') - 1;
    }
  }

  private static final List<Row> ROWS =
      Sections.rows(Sections.resource("paper.csv")).stream().map(PaperTables::row).toList();

  private PaperTables() {}

  /** All rows in the order of the paper. */
  public static List<Row> all() {
    return ROWS;
  }

  /** The row of a method on a data set. */
  public static Optional<Row> find(Study study, DataSet data, String method) {
    return ROWS.stream()
        .filter(row -> row.study.equals(study.id()))
        .filter(row -> row.data.equals(data.paper()) && row.method.equals(method))
        .findFirst();
  }

  private static Row row(List<String> cells) {
    return new Row(
        cells.get(0),
        cells.get(1),
        cells.get(2),
        cells.get(3),
        cells.get(4),
        cells.get(5),
        cells.get(6),
        cells.get(7));
  }
}
