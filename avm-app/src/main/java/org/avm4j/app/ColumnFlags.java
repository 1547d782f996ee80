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
          "Columns to read as categories. Give names, numbers from 1, ranges such as 3-7 or"
              + " patterns such as zip*, separated by commas.")
  List<String> text = new ArrayList<>();

  @Option(
      names = "--numeric",
      paramLabel = "COLS",
      split = ",",
      hideParamSyntax = true,
      description = "Columns to read as numbers. Any other text in them counts as missing.")
  List<String> numeric = new ArrayList<>();

  @Option(
      names = "--ignore",
      paramLabel = "COLS",
      split = ",",
      hideParamSyntax = true,
      description = "Columns to ignore.")
  List<String> ignore = new ArrayList<>();

  @Option(
      names = "--text-words",
      paramLabel = "COLS",
      split = ",",
      hideParamSyntax = true,
      description =
          "Columns of free text. Each word and each pair of adjacent words becomes a feature.")
  List<String> words = new ArrayList<>();

  @Option(
      names = "--weight",
      paramLabel = "COLUMN",
      description = "Column with the weight of each row, which multiplies its loss.")
  String weight;

  @Option(
      names = "--time-column",
      paramLabel = "COLUMN",
      description =
          "Column with the time of each row. train then measures the model on the latest rows."
              + " Default: detected if the rows are in chronological order.")
  String time;

  @Option(
      names = "--fill-columns",
      description =
          "Treat columns of the model that a file lacks as missing values. Without this option,"
              + " such a file is refused.")
  boolean allowsAbsent;

  TableOptions options() {
    return new TableOptions(
        text, numeric, ignore, words, weight, time, allowsAbsent, false, false, 0);
  }

  /** Throws an exception for flags that have a meaning only while a model is learned. */
  void checkNotLearning() {
    boolean isGiven = !text.isEmpty() || !numeric.isEmpty() || !ignore.isEmpty();
    if (isGiven || !words.isEmpty() || time != null) {
      throw Failure.usage(
          "--text, --numeric, --ignore, --text-words and --time-column apply only to learning: a"
              + " saved model already knows its columns");
    }
  }
}
