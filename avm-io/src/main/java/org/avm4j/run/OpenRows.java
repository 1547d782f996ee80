package org.avm4j.run;

import java.io.IOException;
import org.avm4j.Features;
import org.avm4j.data.BadDataException;
import org.avm4j.data.InstanceReader;

/**
 * The rows of prepared data: those of the warm-up, then those of its source. They may be
 * interleaved with other rows that have no labels: one of the others follows each row, and the rest
 * of the longer reader comes at the end. The order depends only on the rows.
 */
final class OpenRows implements InstanceReader {
  private final RowStream stream;
  private final WarmUp warmUp;
  private final KeptRows kept;
  private final RowStream others;
  private final boolean needsLabels;
  private boolean hasRows = true;
  private boolean hasOthers;
  private boolean isOther;

  /**
   * Opens rows.
   *
   * @param warmUp the rows of the stream that are in memory; null for none
   * @param others unlabelled rows to interleave; null for none
   * @param needsLabels whether rows without a label are skipped and counted
   */
  OpenRows(RowStream stream, WarmUp warmUp, RowStream others, boolean needsLabels) {
    this.stream = stream;
    this.warmUp = warmUp;
    this.others = others;
    this.needsLabels = needsLabels;
    kept = warmUp == null ? null : warmUp.open();
    hasOthers = others != null;
    isOther = hasOthers;
  }

  @Override
  public boolean next() throws IOException {
    boolean found = advance();
    while (found && needsLabels && Double.isNaN(label())) {
      undo();
      stream.countUnlabelled();
      found = advance();
    }
    return found;
  }

  private boolean advance() throws IOException {
    return isOther ? nextRow() || nextOther() : nextOther() || nextRow();
  }

  private boolean nextRow() throws IOException {
    isOther = false;
    hasRows = hasRows && reader().next();
    if (!hasRows && warmUp != null) {
      warmUp.checkEnd();
    }
    return hasRows;
  }

  private boolean nextOther() throws IOException {
    isOther = others != null;
    hasOthers = hasOthers && others.next();
    return hasOthers;
  }

  /** Where this row comes from. */
  private InstanceReader reader() {
    return isOther ? others : kept != null ? kept : stream;
  }

  /** Whether this row is one of the interleaved unlabelled rows. */
  boolean isOther() {
    return isOther;
  }

  /** Whether this row is one of the warm-up. */
  private boolean isKept() {
    return !isOther && kept != null && kept.isFromMemory();
  }

  /** Removes names from the schema that this row has added. */
  @Override
  public void undo() {
    if (!isOther && !isKept()) {
      stream.undo();
    }
  }

  /** Skips this row, or throws if bad lines are not skipped. */
  void reject(String reason) throws BadDataException {
    if (isKept()) {
      reject(stream.file(), warmUp.line(kept.line()), reason);
    } else {
      (isOther ? others : stream).reject(reason);
    }
  }

  /** Skips a row of the source that was read earlier. */
  void reject(String file, long line, String reason) throws BadDataException {
    stream.reject(file, line, reason);
  }

  /** The file of this row, unless it is one of the others. */
  String file() {
    return stream.file();
  }

  /** What was left out so far. */
  LeftOut leftOut() {
    return others == null ? stream.leftOut() : stream.leftOut().and(others.leftOut());
  }

  @Override
  public Features features() {
    return reader().features();
  }

  @Override
  public double label() {
    return isOther ? Double.NaN : reader().label();
  }

  @Override
  public double weight() {
    return reader().weight();
  }

  @Override
  public long line() {
    return reader().line();
  }

  @Override
  public void close() throws IOException {
    try {
      (kept == null ? stream : kept).close();
    } finally {
      if (others != null) {
        others.close();
      }
    }
  }
}
