package org.avm4j.io;

import org.avm4j.data.ColumnKind;

/**
 * A summary of the values of a column.
 *
 * @param name its name
 * @param role whether it is the label, the weight or a feature
 * @param kind how its texts become features; for the label, how they would
 * @param missing the number of rows without a value
 * @param different the number of different texts
 * @param isExact whether {@code different} is exact; otherwise there are more
 * @param least the smallest number or date, or the most common text; empty if there is none
 * @param most the largest number or date, or the same as {@code least}
 * @param share the fraction of the rows with a value that have the most common text
 * @param reason why the column is left out; empty if it is used
 */
public record ColumnSummary(
    String name,
    Role role,
    ColumnKind kind,
    long missing,
    int different,
    boolean isExact,
    String least,
    String most,
    double share,
    String reason) {
  /** Whether all rows with a value have the same. */
  public boolean isConstant() {
    return different == 1;
  }

  /** The role of a column. */
  public enum Role {
    /** The label. */
    LABEL,
    /** The weight of a row. */
    WEIGHT,
    /** A feature. */
    FEATURE
  }
}
