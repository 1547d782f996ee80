package org.avm4j.app;

import java.util.ArrayList;
import java.util.List;
import org.avm4j.io.TableOptions;
import picocli.CommandLine.Option;

/** The flags for how the columns of a table are read, to override what is detected. */
final class ColumnFlags {
  @Option(
      names = "--text",
      paramLabel = "COLS",
      split = ",",
      hideParamSyntax = true,
      description =
          "Columns that hold categories, whatever they look like: names, numbers from 1, ranges"
              + " such as 3-7, patterns such as zip*, separated by commas.")
  List<String> text = new ArrayList<>();

  @Option(
      names = "--numeric",
      paramLabel = "COLS",
      split = ",",
      hideParamSyntax = true,
      description = "Columns that hold numbers; any other text in them is missing.")
  List<String> numeric = new ArrayList<>();

  @Option(
      names = "--ignore",
      paramLabel = "COLS",
      split = ",",
      hideParamSyntax = true,
      description = "Columns to leave out.")
  List<String> ignore = new ArrayList<>();

  @Option(
      names = "--text-words",
      paramLabel = "COLS",
      split = ",",
      hideParamSyntax = true,
      description = "Columns of free text, of which words and pairs of words are taken.")
  List<String> words = new ArrayList<>();

  @Option(
      names = "--weight",
      paramLabel = "COLUMN",
      description = "Column with the weight of each row: how much its loss counts.")
  String weight;

  @Option(
      names = "--time-column",
      paramLabel = "COLUMN",
      description =
          "Column that tells when a row was made: train then holds out the latest rows to measure"
              + " the model. Default: noticed if rows are in the order of time.")
  String time;

  @Option(
      names = "--fill-columns",
      description =
          "Fill in columns of the model that a file lacks, as if all their values were missing."
              + " Else such a file is bad data.")
  boolean allowsAbsent;

  TableOptions options() {
    return new TableOptions(
        text, numeric, ignore, words, weight, time, allowsAbsent, false, false, 0);
  }

  /** Throws an exception for flags that have a meaning only while a model is learned. */
  void checkNotLearning() {
    boolean isGiven = !text.isEmpty() || !numeric.isEmpty() || !ignore.isEmpty();
    if (isGiven || !words.isEmpty() || time != null) {
      throw new Failure(
          Failure.USAGE,
          "--text, --numeric, --ignore, --text-words and --time-column are for learning: the model"
              + " knows its columns");
    }
  }
}
