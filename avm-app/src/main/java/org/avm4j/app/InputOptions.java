package org.avm4j.app;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.avm4j.data.Missing;
import org.avm4j.io.Format;
import org.avm4j.io.ReadOptions;
import org.avm4j.run.DataSource;
import org.avm4j.run.LeftOut;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The flags for the source of data and how it is read. */
final class InputOptions {
  @Parameters(
      arity = "1..*",
      paramLabel = "DATA",
      description = "Files to read, in this order, or - for standard input.")
  List<String> data;

  @ArgGroup(validate = false, heading = "%nReading:%n")
  Reading reading = new Reading();

  @ArgGroup(validate = false, heading = "%nColumns of tables:%n")
  ColumnFlags columns = new ColumnFlags();

  /** The data; fails if a file does not exist. */
  DataSource source() {
    return source(data);
  }

  /** Other files with the same options; fails if one does not exist. */
  DataSource source(List<String> names) {
    names.forEach(InputOptions::check);
    return new DataSource(names, read(), reading.skipBadLines);
  }

  private static void check(String name) {
    if (!name.equals("-") && !Files.exists(Path.of(name))) {
      throw new Failure(Failure.NO_INPUT, name + ": no such file");
    }
    if (!name.equals("-") && Files.isDirectory(Path.of(name))) {
      throw new Failure(Failure.NO_INPUT, name + ": is a folder, expected a file with data");
    }
  }

  private ReadOptions read() {
    return new ReadOptions(
        reading.format,
        reading.label,
        !reading.unlabelled,
        reading.zeroBased,
        reading.unsorted,
        reading.missing,
        reading.delimiter,
        reading.header,
        columns.options(),
        reading.sheet);
  }

  /** Prints notes on how the data was read to standard error. */
  static void tell(List<?> notes) {
    notes.stream().distinct().forEach(System.err::println);
  }

  /** Prints which rows were left out to standard error, if any were. */
  static void tell(LeftOut leftOut) {
    if (leftOut.badLines() > 0) {
      System.err.printf(
          "skipped %s, the first: %s%n",
          counted(leftOut.badLines(), "malformed line"), leftOut.firstBadLine().orElse(""));
    }
    if (leftOut.missingValues() > 0) {
      String rows = counted(leftOut.missingValues(), "row");
      System.err.printf("skipped %s with missing values%n", rows);
    }
    if (leftOut.unlabelled() > 0) {
      System.err.printf("skipped %s without a label%n", counted(leftOut.unlabelled(), "row"));
    }
  }

  private static String counted(long count, String what) {
    return Text.format("%,d %s", count, count == 1 ? what : what + "s");
  }

  /** The flags for how data is read. */
  static final class Reading {
    @Option(
        names = "--format",
        paramLabel = "NAME",
        description = "Input format: libsvm, csv, arff or json. Default: detected.")
    Format format;

    @Option(
        names = "--label",
        paramLabel = "COLUMN",
        description =
            "Label column in CSV and ARFF: a name, or a number from 1 (from the end: -1)."
                + " Default: the model's; else label, class, target or y; else the last, except"
                + " for clusters.")
    String label;

    @Option(names = "--no-label", description = "The data has no labels.")
    boolean unlabelled;

    @Option(names = "--zero-based", description = "LIBSVM indices start at 0.")
    boolean zeroBased;

    @Option(names = "--unsorted", description = "LIBSVM indices may be in any order.")
    boolean unsorted;

    @Option(
        names = "--missing",
        paramLabel = "WHAT",
        description =
            "How to treat missing values: zero, mean (of the column so far), skip (the row) or"
                + " error. Default: mean, or zero for a model that was trained with zero.")
    Missing missing = Missing.MEAN;

    @Option(
        names = "--delimiter",
        paramLabel = "CHAR",
        description = "Field separator of CSV. Default: detected.")
    Character delimiter;

    @Option(
        names = "--header",
        negatable = true,
        description = "Whether the first line of CSV holds the column names. Default: detected.")
    Boolean header;

    @Option(
        names = "--sheet",
        paramLabel = "NAME",
        description = "Sheet of an Excel workbook. Default: the first visible one.")
    String sheet;

    @Option(
        names = "--skip-bad-lines",
        description =
            "Skip malformed lines and report their number. Without this option, the first one is"
                + " an error.")
    boolean skipBadLines;
  }
}
