package org.avm4j.app;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.avm4j.data.Missing;
import org.avm4j.data.Schema;
import org.avm4j.io.Format;
import org.avm4j.io.ReadOptions;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Where data comes from and how it is read. */
final class InputOptions {
  @Parameters(
      arity = "1..*",
      paramLabel = "DATA",
      description = "Files to read one after the other, or - for standard input.")
  List<String> data;

  @ArgGroup(validate = false, heading = "%nReading:%n")
  Reading reading = new Reading();

  ReadOptions read() {
    return new ReadOptions(
        reading.format,
        reading.label,
        !reading.unlabelled,
        reading.zeroBased,
        reading.unsorted,
        reading.missing,
        reading.delimiter,
        reading.header);
  }

  /** Whether the data can be read only once: standard input, or what is no regular file. */
  boolean isPipe() {
    return data.stream().anyMatch(InputOptions::isPipe);
  }

  private static boolean isPipe(String name) {
    return name.equals("-") || (Files.exists(Path.of(name)) && !Files.isRegularFile(Path.of(name)));
  }

  Input open(Schema schema) {
    Input.check(data);
    return new Input(data, read(), schema, reading.skipBadLines);
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
                + " Default: one called label, class, target or y, else the last.")
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
                + " error. Default: mean.")
    Missing missing = Missing.MEAN;

    @Option(
        names = "--delimiter",
        paramLabel = "CHAR",
        description = "What separates the fields of CSV; found out by itself if not given.")
    Character delimiter;

    @Option(
        names = "--header",
        negatable = true,
        description =
            "CSV begins with the names of its columns; if not given, it does where no field of the"
                + " first line is a number.")
    Boolean header;

    @Option(
        names = "--skip-bad-lines",
        description =
            "Leave out lines that cannot be read, and say how many; else stop at the first.")
    boolean skipBadLines;
  }
}
