package org.avm4j.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import org.avm4j.Features;
import org.avm4j.data.BadDataException;
import org.avm4j.data.InstanceReader;
import org.avm4j.data.Scaler;
import org.avm4j.data.Scaling;
import org.avm4j.data.Schema;
import org.avm4j.io.DataReader;
import org.avm4j.io.ReadOptions;

/** Several files, or standard input, read as one stream. */
final class Input implements InstanceReader {
  private static final int CORES = Runtime.getRuntime().availableProcessors();
  private static final Features NO_ROW = Features.dense();

  private final ReadOptions options;
  private final Schema schema;
  private final boolean skipBadLines;
  private final Iterator<String> names;
  private Scaler scaler = new Scaler(Scaling.NONE);
  private boolean isAhead;
  private DataReader reader;
  private String name;
  private long line;
  private long skipped;
  private long badLines;
  private String firstBadLine;

  Input(List<String> names, ReadOptions options, Schema schema, boolean skipBadLines) {
    this.names = names.iterator();
    this.options = options;
    this.schema = schema;
    this.skipBadLines = skipBadLines;
  }

  /** Refuses names of files that are not there. */
  static void check(List<String> names) {
    for (String name : names) {
      if (!name.equals("-") && !Files.exists(Path.of(name))) {
        throw new Failure(Failure.NO_INPUT, name + ": no such file");
      }
      if (!name.equals("-") && Files.isDirectory(Path.of(name))) {
        throw new Failure(Failure.NO_INPUT, name + ": is a folder, expected a file with data");
      }
    }
  }

  /**
   * Scales rows from here on, and reads them ahead in a thread of its own where there is a core for
   * it. Rows of standard input are not read ahead if they may add names to the schema.
   */
  Input ahead(Scaler by) {
    scaler = by;
    scaler.apply(NO_ROW);
    isAhead = CORES > 1 && (reader == null || !reader.usesSchema());
    if (isAhead && reader != null) {
      reader = reader.ahead(scaler);
    }
    return this;
  }

  @Override
  public boolean next() throws IOException {
    while (reader != null || names.hasNext()) {
      if (reader == null) {
        name = names.next();
        DataReader opened = DataReader.open(name, options, schema);
        reader = isAhead ? opened.ahead(scaler) : opened;
      }
      if (nextGood()) {
        line = reader.line();
        return true;
      }
      skipped += reader.skipped();
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

  /**
   * Leaves out the line just read for a reason of its own, or stops where that was not asked for.
   */
  void reject(String reason) throws BadDataException {
    skip(new BadDataException(name.equals("-") ? "standard input" : name, line(), reason));
  }

  private void skip(BadDataException bad) throws BadDataException {
    if (!skipBadLines) {
      throw bad;
    }
    badLines++;
    firstBadLine = firstBadLine == null ? bad.getMessage() : firstBadLine;
  }

  /** How many lines were left out. */
  long badLines() {
    return badLines;
  }

  /** How many rows were left out because a value was missing. */
  long skipped() {
    return skipped + (reader == null ? 0 : reader.skipped());
  }

  /** Says on standard error what was left out, if anything was. */
  void tellLeftOut(boolean quiet) {
    if (badLines > 0 && !quiet) {
      System.err.printf("%,d bad lines left out, the first: %s%n", badLines, firstBadLine);
    }
    if (skipped() > 0 && !quiet) {
      System.err.printf("%,d rows with missing values left out%n", skipped());
    }
  }

  /** Why the first of them was. */
  String firstBadLine() {
    return firstBadLine;
  }

  @Override
  public Features features() {
    return isAhead ? reader.features() : scaler.apply(reader.features());
  }

  @Override
  public double label() {
    return reader.label();
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
