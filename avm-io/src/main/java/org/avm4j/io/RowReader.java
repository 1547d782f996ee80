package org.avm4j.io;

import java.io.IOException;
import java.util.function.Supplier;
import org.avm4j.Features;
import org.avm4j.data.BadDataException;
import org.avm4j.data.InstanceReader;
import org.avm4j.data.RowBuilder;
import org.avm4j.data.Schema;

/** What readers of named columns share: a {@link RowBuilder} makes features of their values. */
abstract sealed class RowReader implements InstanceReader permits TableReader, JsonReader {
  final Schema schema;
  final ReadOptions options;
  final Lines lines;
  final RowBuilder row;
  private final String name;
  private final Features.Buffer features = new Features.Buffer();
  private double label;
  private long line;
  private long skipped;

  RowReader(String name, Lines lines, ReadOptions options, Schema schema) {
    this.name = name;
    this.lines = lines;
    this.options = options;
    this.schema = schema;
    row = new RowBuilder(schema, options.missing());
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

  private boolean readNext() throws IOException {
    row.begin();
    label = Double.NaN;
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

  /** The row starts on this line. */
  final void startsAt(long line) {
    this.line = line;
  }

  /** Sets the label, null if it is missing. */
  final void setLabel(String text) {
    label = row.label(text);
  }

  /** The exception that names the file and the line of this row. */
  final BadDataException bad(String expectation) {
    return new BadDataException(name, line, expectation);
  }

  /** Takes a step in which what is refused is bad data. */
  final <T> T allowed(Supplier<T> step) throws BadDataException {
    try {
      return step.get();
    } catch (IllegalArgumentException refused) {
      throw bad(refused.getMessage());
    }
  }

  /** Takes a step in which what is refused is bad data. */
  final void allowed(Runnable step) throws BadDataException {
    try {
      step.run();
    } catch (IllegalArgumentException refused) {
      throw bad(refused.getMessage());
    }
  }
}
