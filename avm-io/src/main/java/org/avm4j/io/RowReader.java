package org.avm4j.io;

import static org.avm4j.data.BadDataException.quote;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.avm4j.Features;
import org.avm4j.data.BadDataException;
import org.avm4j.data.Decimal;
import org.avm4j.data.InstanceReader;
import org.avm4j.data.Missing;
import org.avm4j.data.Note;
import org.avm4j.data.RowBuilder;
import org.avm4j.data.Schema;

/** The base of readers of named columns: a {@link RowBuilder} turns their values into features. */
abstract sealed class RowReader implements InstanceReader permits TableReader, JsonReader {
  private static final int MOST_LISTED = 20;

  final Schema schema;
  final ReadOptions options;
  final Lines lines;
  final RowBuilder row;
  private final Features.Buffer features = new Features.Buffer();
  private final List<Note> notes = new CopyOnWriteArrayList<>();
  private double label;
  private String labelText;
  private double weight;
  private long line;
  private long skipped;

  RowReader(Lines lines, ReadOptions options, Schema schema) {
    this.lines = lines;
    this.options = options;
    this.schema = schema;
    row = new RowBuilder(schema, options.missing());
    if (options.missing() == Missing.ZERO) {
      schema.describe(schema.origin().withZeros());
    }
  }

  /** Reads the next row into {@link #row}; false at the end of the input. */
  abstract boolean readRow() throws IOException;

  @Override
  public final boolean next() throws IOException {
    features.clear();
    while (readNext()) {
      if (row.end(features)) {
        return true;
      }
      skipped++;
    }
    return false;
  }

  /** Sets the values of a row; if one is refused, the schema is left as it was. */
  final void set(Values values) throws IOException {
    row.begin();
    schema.begin();
    boolean isSet = false;
    try {
      values.set();
      isSet = true;
    } finally {
      if (!isSet) {
        undo();
      }
    }
  }

  /** Code that sets the values of a row. */
  interface Values {
    void set() throws IOException;
  }

  @Override
  public void undo() {
    schema.rollback();
  }

  private boolean readNext() throws IOException {
    label = Double.NaN;
    labelText = null;
    weight = 1;
    return readRow();
  }

  @Override
  public final Features features() {
    return features.features();
  }

  @Override
  public final double label() {
    return label;
  }

  @Override
  public final double weight() {
    return weight;
  }

  @Override
  public final List<Note> notes() {
    if (lines.firstForeign() == 0) {
      return notes;
    }
    List<Note> all = new ArrayList<>(notes);
    all.add(
        Note.of(
            String.format(
                Locale.ROOT,
                "%s:%d: is not valid UTF-8; this line and others like it are read as Windows-1252",
                lines.name(),
                lines.firstForeign())));
    return all;
  }

  /** Adds a note for users. */
  final void add(Note note) {
    notes.add(note);
  }

  /** Adds a remark for users. */
  final void note(String sentence) {
    add(Note.of(sentence));
  }

  @Override
  public final long line() {
    return line;
  }

  @Override
  public final long skipped() {
    return skipped;
  }

  @Override
  public final boolean usesSchema() {
    return true;
  }

  @Override
  public final void close() throws IOException {
    lines.close();
  }

  /** Whether rows arrive too slowly to wait for many more; see {@link Lines#isSlow}. */
  boolean isSlow() {
    return lines.isSlow();
  }

  /** Sets the line on which the current row starts. */
  final void startsAt(long line) {
    this.line = line;
  }

  /** Sets the label, null if it is missing. */
  final void setLabel(String text) {
    if (options.table().knownLabelsOnly() && text != null && !schema.knowsLabel(text)) {
      throw new IllegalArgumentException(
          "the label "
              + quote(text)
              + " is not known to the model, which knows "
              + (schema.labels().isEmpty() ? "numbers" : known())
              + similar(text));
    }
    label = row.label(text);
    labelText = text;
  }

  @Override
  public final String unknownLabel() {
    boolean isUnknown = labelText != null && schema.isFrozen() && !schema.knowsLabel(labelText);
    return isUnknown ? labelText : null;
  }

  private String similar(String text) {
    return schema.labels().stream()
        .filter(known -> LabelProfile.plain(known).equals(LabelProfile.plain(text)))
        .map(
            known ->
                "; it differs from "
                    + quote(known)
                    + " only "
                    + LabelProfile.difference(List.of(known, text)))
        .findFirst()
        .orElse("");
  }

  private String known() {
    String first =
        schema.labels().stream()
            .limit(MOST_LISTED)
            .map(BadDataException::quote)
            .collect(Collectors.joining(", "));
    return schema.labels().size() > MOST_LISTED ? first + ", ..." : first;
  }

  /** Sets the weight, null if it is missing. */
  final void setWeight(String text) {
    weight = text == null ? Double.NaN : Decimal.parse(text);
    if (!(weight > 0 && Double.isFinite(weight))) {
      throw new IllegalArgumentException(
          "a weight must be a number above 0, found " + (text == null ? "none" : quote(text)));
    }
  }

  /** An exception with the file and the line of this row. */
  final BadDataException bad(String expectation) {
    return new BadDataException(lines.name(), line, expectation);
  }

  /** Runs a step, and reports an {@link IllegalArgumentException} as bad data. */
  final <T> T allowed(Supplier<T> step) throws BadDataException {
    try {
      return step.get();
    } catch (IllegalArgumentException refused) {
      throw bad(refused.getMessage());
    }
  }

  /** Runs a step, and reports an {@link IllegalArgumentException} as bad data. */
  final void allowed(Runnable step) throws BadDataException {
    try {
      step.run();
    } catch (IllegalArgumentException refused) {
      throw bad(refused.getMessage());
    }
  }
}
