package org.avm4j.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.avm4j.Features;
import org.avm4j.data.BadDataException;
import org.avm4j.data.Note;
import org.avm4j.data.Schema;
import org.avm4j.io.ColumnSummary;
import org.avm4j.io.ReadOptions;
import org.avm4j.io.TableOptions;
import org.avm4j.io.TableProfile;
import org.avm4j.pipeline.LabelLags;
import org.avm4j.spec.LearnerSpec;
import org.avm4j.spec.Survey;

/** Reads data before it is learned: all rows of files, or the first rows of a stream. */
final class DataSurvey {
  private final DataSource source;
  private final boolean needsLabels;
  private final boolean fillsColumns;
  private final boolean describes;
  private final Schema schema = new Schema();
  private final Survey survey;
  private final LabelOrder order = new LabelOrder();
  private final List<Note> notes = new ArrayList<>();
  private final WarmUp warmUp;
  private LabelLags lags;
  private TimeOrder time = TimeOrder.NONE;
  private List<ColumnSummary> columns = List.of();
  private Optional<String> firstBadLine = Optional.empty();
  private final RowCopies copies = new RowCopies();
  private boolean hasNames;
  private long unlabelled;

  /**
   * What a survey has found.
   *
   * @param source how the rows are read when they are learned
   * @param needsLabels whether only rows with a label are learned
   * @param lags the lags with the last labels of the data; null if there are none
   * @param warmUp the first rows of a stream; null for files
   * @param copies how many rows are exact copies of others
   */
  record Result(
      DataSource source,
      boolean needsLabels,
      Schema schema,
      Survey figures,
      LabelOrder order,
      TimeOrder time,
      List<ColumnSummary> columns,
      List<Note> notes,
      LabelLags lags,
      WarmUp warmUp,
      RowCopies copies) {}

  private DataSurvey(DataSource given, LearnerSpec spec, int warmUpRows, boolean guessesLabel) {
    ReadOptions read = given.options();
    needsLabels = !spec.isUnsupervised();
    describes = guessesLabel && !needsLabels;
    TableOptions table = read.table().withLookAhead(Math.max(1, warmUpRows)).withAbsent(true);
    source = given.withOptions(read.withTable(table.withNamedLabelOnly(!guessesLabel)));
    fillsColumns = read.table().allowsAbsent();
    survey = new Survey(spec.scaling());
    warmUp = source.isStream() ? new WarmUp(source.open(schema)) : null;
  }

  /**
   * Surveys data.
   *
   * @param warmUpRows the number of first rows of a stream that are examined
   * @param guessesLabel whether a column without the name of a label may be the label
   * @param lags labels of earlier rows of files that become features; null for none
   * @throws BadDataException if there is no row, or a bad line that is not to be skipped
   */
  static Result of(
      DataSource source, LearnerSpec spec, int warmUpRows, boolean guessesLabel, LabelLags lags)
      throws IOException {
    DataSurvey found = new DataSurvey(source, spec, warmUpRows, guessesLabel);
    found.lags = lags;
    if (found.warmUp == null || lags != null) {
      found.readFiles();
    } else {
      found.warmUp.read(found, warmUpRows);
    }
    return found.result();
  }

  private Result result() throws BadDataException {
    if (survey.rows() > 0) {
      checkFeatures();
      return new Result(
          source,
          needsLabels,
          schema,
          survey,
          order,
          time,
          columns,
          List.copyOf(notes),
          lags,
          warmUp,
          copies);
    }
    throw new BadDataException(
        source.toString(),
        unlabelled == 0
            ? PreparedData.NO_ROWS
                + firstBadLine.map(line -> "; the first that is bad: " + line).orElse("")
            : noLabel());
  }

  private String noLabel() {
    String label = schema.origin().label();
    return "no row has a label" + (label == null ? "" : " in column '" + label + "'");
  }

  /** Throws an exception for a table without a column to learn from. */
  private void checkFeatures() throws BadDataException {
    String label = schema.origin().label();
    if (warmUp == null && label != null && schema.columns().isEmpty()) {
      String left =
          columns.stream()
              .filter(column -> !column.reason().isEmpty())
              .map(column -> "'" + column.name() + "' (" + column.reason() + ")")
              .collect(Collectors.joining(", "));
      throw new BadDataException(
          source.toString(),
          "there is no column besides the label '"
              + label
              + (left.isEmpty() ? "'" : "' but those that are left out: " + left));
    }
  }

  private void readFiles() throws IOException {
    ReadOptions looking = source.options();
    TableProfile table = declare();
    columns = table.columns();
    if (needsLabels && table.labelProblem().isPresent() && !source.skipsBadLines()) {
      throw new BadDataException(source.toString(), table.labelProblem().get());
    }
    if (describes) {
      table.labelProblem().map(Note::warning).ifPresent(notes::add);
    }
    notes.addAll(table.notes());
    hasNames = table.namesRows();
    time = TimeOrder.of(table);
    try (RowStream rows =
        source
            .withOptions(looking.withTable(looking.table().withLookAhead(1)))
            .open(schema)
            .withLags(lags)
            .ahead()) {
      while (rows.next()) {
        add(rows);
      }
      lags = rows.lags().orElse(null);
      notes.addAll(rows.notes());
      firstBadLine = rows.leftOut().firstBadLine();
    }
    time = time.or(order, table).ofRows(survey.rows());
    boolean lacksLabels = schema.origin().label() != null && unlabelled == survey.rows();
    if (describes && lacksLabels && survey.rows() > 0) {
      notes.add(Note.warning(noLabel()));
    }
  }

  private TableProfile declare() throws IOException {
    try {
      TableOptions given = source.options().table().withAbsent(fillsColumns);
      return TableProfile.declare(source.names(), source.options().withTable(given), schema);
    } catch (IllegalArgumentException refused) {
      throw new BadDataException(source.toString(), refused.getMessage());
    }
  }

  /** Adds a row; returns a copy of it, without new names if it lacks a label that is needed. */
  Features add(RowStream row) {
    if (!needsLabels || !Double.isNaN(row.label())) {
      survey.add(row.features(), row.label());
      if (!hasNames) {
        copies.add(row.features(), row.label());
      }
      unlabelled += Double.isNaN(row.label()) ? 1 : 0;
      order.add(row.label());
      time.add(row.file(), row.line());
      return row.features().copy();
    }
    row.undo();
    unlabelled++;
    return known(row.features());
  }

  /** A copy without features of new names, whose indices other names may get later. */
  private Features known(Features row) {
    if (schema.columns().isEmpty()) {
      return row.copy();
    }
    Features.Buffer known = new Features.Buffer();
    for (int i = 0; i < row.count(); i++) {
      if (row.index(i) < schema.dimension()) {
        known.add(row.index(i), row.value(i));
      }
    }
    return known.features();
  }

  /** The number of rows that can be learned. */
  long rows() {
    return survey.rows();
  }
}
