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
      description = "Files to read one after the other, or - for standard input.")
  List<String> data;

  @ArgGroup(validate = false, heading = "%nReading:%n")
  Reading reading = new Reading();

  @ArgGroup(validate = false, heading = "%nColumns of tables:%n")
  ColumnFlags columns = new ColumnFlags();

  /** The data, whose files must be there. */
  DataSource source() {
    return source(data);
  }

  /** Other files, which must be there, read in the same way. */
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

  /** Says on standard error what a person should know about how the data was read. */
  static void tell(List<String> notes) {
    notes.stream().distinct().forEach(System.err::println);
  }

  /** Says on standard error what was left out, if anything was. */
  static void tell(LeftOut leftOut) {
    if (leftOut.badLines() > 0) {
      System.err.printf(
          "%,d bad lines left out, the first: %s%n",
          leftOut.badLines(), leftOut.firstBadLine().orElse(""));
    }
    if (leftOut.missingValues() > 0) {
      System.err.printf("%,d rows with missing values left out%n", leftOut.missingValues());
    }
    if (leftOut.unlabelled() > 0) {
      System.err.printf("%,d rows without a label left out%n", leftOut.unlabelled());
    }
  }

  /** How data is read. */
  static final class Reading {
    @Option(
        names = "--format",
        paramLabel = "NAME",
        description = "libsvm, csv, arff or json; found out by itself if not given.")
    Format format;

    @Option(
        names = "--label",
        paramLabel = "COLUMN",
        description =
            "Column of the label in CSV and ARFF: a name, a number from 1, or from the end as -1."
                + " Default: that of the model; else label, class, target or y; else"
                + " the last, but not for clusters.")
    String label;

    @Option(names = "--no-label", description = "The data has no labels.")
    boolean unlabelled;

    @Option(names = "--zero-based", description = "LIBSVM indices count from 0.")
    boolean zeroBased;

    @Option(names = "--unsorted", description = "LIBSVM indices come in any order.")
    boolean unsorted;

    @Option(
        names = "--missing",
        paramLabel = "WHAT",
        description =
            "What a missing value becomes: zero, the mean of its column so far, or skip the row, or"
                + " error. Default: mean; of a model that learned with zero, zero.")
    Missing missing = Missing.MEAN;

    @Option(
        names = "--delimiter",
        paramLabel = "CHAR",
        description = "What separates the fields of CSV; found out by itself if not given.")
    Character delimiter;

    @Option(
        names = "--header",
        negatable = true,
        description = "CSV begins with the names of its columns; found out by itself if not given.")
    Boolean header;

    @Option(
        names = "--sheet",
        paramLabel = "NAME",
        description = "Sheet of an Excel workbook. Default: the first that can be seen.")
    String sheet;

    @Option(
        names = "--skip-bad-lines",
        description =
            "Leave out lines that cannot be read, and say how many; else stop at the first.")
    boolean skipBadLines;
  }
}
