package org.avm4j.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.avm4j.Features;
import org.avm4j.data.BadDataException;
import org.avm4j.data.InstanceReader;
import org.avm4j.data.Note;
import org.avm4j.data.Schema;
import org.avm4j.io.DataReader;
import org.avm4j.pipeline.LabelLags;

/** The rows of all files of a {@link DataSource}, as one stream. */
public final class RowStream implements InstanceReader {
  private static final int CORES = Runtime.getRuntime().availableProcessors();

  private final DataSource source;
  private final Schema schema;
  private final Iterator<String> names;
  private boolean isAhead;
  private DataReader reader;
  private String name;
  private long line;
  private long skipped;
  private long unlabelled;
  private long badLines;
  private String firstBadLine;
  private final List<Note> notes = new ArrayList<>();
  private LagWindow window;
  private boolean hasRow;
  private double known;

  RowStream(DataSource source, Schema schema) {
    this.source = source;
    this.schema = schema;
    names = source.names().iterator();
  }

  /**
   * Reads ahead in another thread from now on, if there is more than one core. A stream that has
   * begun and may add names to the schema is not read ahead.
   */
  public RowStream ahead() {
    isAhead = CORES > 1 && (reader == null || !reader.usesSchema());
    if (isAhead && reader != null) {
      reader = reader.ahead();
    }
    return this;
  }

  /** Adds labels of earlier rows as features; null for none. Call this before the first row. */
  RowStream withLags(LabelLags lags) {
    window = lags == null ? null : new LagWindow(lags);
    return this;
  }

  /** The lags with the labels of the rows read so far; empty if there are no lags. */
  Optional<LabelLags> lags() {
    return Optional.ofNullable(window).map(LagWindow::lags);
  }

  /** Uses the answer to a row without a label as its label, for the lags of later rows. */
  void takeAnswer(double answer) {
    known = answer;
  }

  @Override
  public boolean next() throws IOException {
    if (window != null && hasRow) {
      window.add(known);
    }
    hasRow = read();
    known = hasRow && window != null ? reader.label() : Double.NaN;
    return hasRow;
  }

  private boolean read() throws IOException {
    while (reader != null || names.hasNext()) {
      if (reader == null) {
        name = names.next();
        DataReader opened = DataReader.open(name, source.options(), schema);
        reader = isAhead ? opened.ahead() : opened;
      }
      if (nextGood()) {
        line = reader.line();
        return true;
      }
      skipped += reader.skipped();
      notes.addAll(reader.notes());
      reader.close();
      reader = null;
    }
    return false;
  }

  private boolean nextGood() throws IOException {
    while (true) {
      try {
        return reader.next();
      } catch (BadDataException bad) {
        skip(bad);
      }
    }
  }

  /** Whether rows arrive too slowly to wait for many more. */
  boolean isSlow() {
    return reader != null && reader.isSlow();
  }

  /** Skips and counts the row just read, because it lacks a label. */
  void leaveOutUnlabelled() {
    undo();
    countUnlabelled();
  }

  /** Counts a row without a label that was read before and is left out. */
  void countUnlabelled() {
    unlabelled++;
  }

  @Override
  public void undo() {
    if (reader != null && source.isStream()) { // rows of files may have been read ahead
      reader.undo();
    }
  }

  /**
   * Skips the row just read for a reason that the caller gives.
   *
   * @throws BadDataException with the file, the line and the reason, unless bad lines are skipped
   */
  public void reject(String reason) throws BadDataException {
    undo();
    reject(name, line, reason);
  }

  /** Skips a row that was read earlier. */
  void reject(String file, long at, String reason) throws BadDataException {
    skip(new BadDataException(file.equals("-") ? "standard input" : file, at, reason));
  }

  /** The file of the row just read. */
  public String file() {
    return name;
  }

  /** Notes for users on how the rows were read so far. */
  @Override
  public List<Note> notes() {
    List<Note> all = new ArrayList<>(notes);
    if (reader != null) {
      all.addAll(reader.notes());
    }
    return all;
  }

  private void skip(BadDataException bad) throws BadDataException {
    if (!source.skipsBadLines()) {
      throw bad;
    }
    badLines++;
    firstBadLine = firstBadLine == null ? bad.getMessage() : firstBadLine;
  }

  /** What was left out so far. */
  public LeftOut leftOut() {
    return new LeftOut(
        badLines,
        Optional.ofNullable(firstBadLine),
        skipped + (reader == null ? 0 : reader.skipped()),
        unlabelled);
  }

  @Override
  public Features features() {
    return window == null ? reader.features() : window.widened(reader.features());
  }

  @Override
  public double label() {
    return reader.label();
  }

  @Override
  public String unknownLabel() {
    return reader.unknownLabel();
  }

  @Override
  public double weight() {
    return reader.weight();
  }

  @Override
  public long line() {
    return line;
  }

  @Override
  public void close() throws IOException {
    if (reader != null) {
      reader.close();
    }
  }
}
