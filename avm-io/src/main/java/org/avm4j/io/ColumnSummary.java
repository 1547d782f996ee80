package org.avm4j.io;

import org.avm4j.data.ColumnKind;

/**
 * A summary of the values of a column.
 *
 * @param name its name
 * @param role label, weight or feature
 * @param kind how its texts become features; of the label, as if it were a feature
 * @param missing how many rows have no value
 * @param different how many different texts there are
 * @param isExact whether that number is exact; else there are more
 * @param least the least number or date, or the commonest text; empty if there is none
 * @param most the largest number or date, or the same as {@code least}
 * @param reason why the column is left out, empty if it is not
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
    String reason) {
  /** The role of a column. */
  public enum Role {
    /** The label. */
    LABEL,
    /** How much a row counts. */
    WEIGHT,
    /** A feature. */
    FEATURE
  }
}
