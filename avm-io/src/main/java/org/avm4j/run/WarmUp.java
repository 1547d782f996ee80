package org.avm4j.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.avm4j.data.Instance;
import org.avm4j.data.Note;

/** The first rows of a stream: surveyed, kept in memory, and first again when it is opened. */
final class WarmUp {
  /** If few rows have labels, the warm-up ends after this multiple of its rows. */
  private static final int MOST_KEPT = 16;

  private final RowStream stream;
  private final List<Instance> rows = new ArrayList<>();
  private final List<Long> lines = new ArrayList<>();
  private IOException end;
  private String reason;
  private long surveyed;

  WarmUp(RowStream stream) {
    this.stream = stream;
  }

  /**
   * Surveys at most {@code most} rows with a label. Unless that is {@link Integer#MAX_VALUE}, the
   * survey of a slow stream, or of one with few labels, ends early. Rows before a bad line are
   * kept: they are learned before the run stops.
   */
  void read(DataSurvey survey, int most) throws IOException {
    try {
      while (survey.rows() < most && reason == null && stream.next()) {
        rows.add(new Instance(survey.add(stream), stream.label(), stream.weight()));
        lines.add(stream.line());
        boolean mayEnd = survey.rows() > 0 && most < Integer.MAX_VALUE;
        reason = mayEnd ? reasonToEnd(survey.rows(), most) : null;
      }
    } catch (IOException broken) {
      if (survey.rows() == 0) {
        throw broken;
      }
      end = broken;
    }
    surveyed = survey.rows();
  }

  /** Why no more rows should be surveyed; null if they should. */
  private String reasonToEnd(long labelled, long most) {
    if (stream.isSlow()) {
      return "rows arrive slowly";
    }
    boolean hasFewLabels = rows.size() >= MOST_KEPT * most && labelled < most;
    return hasFewLabels ? "few rows have labels" : null;
  }

  /** Notes for users on how the stream was read so far. */
  List<Note> notes() {
    List<Note> notes = new ArrayList<>();
    if (reason != null) {
      String text = "%s: the first %,d with a label determine the task and the scaling";
      notes.add(Note.of(String.format(Locale.ROOT, text, reason, surveyed)));
    }
    notes.addAll(stream.notes());
    return notes;
  }

  List<Instance> rows() {
    return rows;
  }

  /** The line of a row, given its number from 1. */
  long line(long number) {
    return lines.get((int) number - 1);
  }

  /** The stream, which has come to the end of the warm-up. */
  RowStream stream() {
    return stream;
  }

  /** The warm-up and then the rest of the stream, unless a failure has ended it. */
  KeptRows open() {
    return new KeptRows(rows, end == null ? stream.ahead() : null);
  }

  /** Throws the failure that has ended the warm-up, if there was one. */
  void checkEnd() throws IOException {
    if (end != null) {
      throw end;
    }
  }
}
