package org.avm4j.run;

import java.io.IOException;
import org.avm4j.Features;
import org.avm4j.data.InstanceReader;

/**
 * Interleaves rows with other rows that have no labels: one of the others follows each row, and the
 * rest of the longer reader comes at the end. The order depends only on the two readers.
 */
final class InterleavedRows implements InstanceReader {
  private final InstanceReader rows;
  private final RowStream others;
  private boolean isOther = true;
  private boolean hasRows = true;
  private boolean hasOthers = true;

  InterleavedRows(InstanceReader rows, RowStream others) {
    this.rows = rows;
    this.others = others;
  }

  @Override
  public boolean next() throws IOException {
    boolean wantsOther = !isOther;
    return wantsOther ? nextOther() || nextRow() : nextRow() || nextOther();
  }

  private boolean nextRow() throws IOException {
    isOther = false;
    hasRows = hasRows && rows.next();
    return hasRows;
  }

  private boolean nextOther() throws IOException {
    isOther = true;
    hasOthers = hasOthers && others.next();
    return hasOthers;
  }

  /** Whether this row is one of the others. */
  boolean isOther() {
    return isOther;
  }

  /** The other rows. */
  RowStream others() {
    return others;
  }

  @Override
  public Features features() {
    return isOther ? others.features() : rows.features();
  }

  @Override
  public double label() {
    return isOther ? Double.NaN : rows.label();
  }

  @Override
  public double weight() {
    return isOther ? others.weight() : rows.weight();
  }

  @Override
  public long line() {
    return isOther ? others.line() : rows.line();
  }

  @Override
  public void close() throws IOException {
    try {
      rows.close();
    } finally {
      others.close();
    }
  }
}
