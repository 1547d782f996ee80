package org.avm4j.app;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Stack;
import org.avm4j.Prediction;
import org.avm4j.data.Schema;
import org.avm4j.eval.Metrics;
import org.avm4j.explain.Explainer;
import org.avm4j.io.IdColumns;
import org.avm4j.run.CertaintyText;
import org.avm4j.run.DataSource;
import org.avm4j.run.RowStream;
import org.avm4j.run.ScoreFile;
import org.avm4j.table.Explanation;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** {@code avm predict}: answers rows by a saved model, one line each. */
@Command(
    name = "predict",
    description = {
      "Predict each instance with a saved model, one line per instance.",
      "The data may contain the label column or not. If it does, the accuracy is printed in the"
          + " format of LIBSVM: on standard output with -o, otherwise on standard error."
    },
    footer = {
      "",
      "Examples:",
      "  avm predict test.libsvm -m model.avm -o answers.txt",
      "  avm predict test.libsvm -m model.avm -o answers.csv",
      "  cat new.csv | avm predict - -m model.avm",
      "  avm predict test.libsvm -m model.avm --probability",
      "  avm predict new.csv -m model.avm --explain=3"
    })
final class PredictCommand extends ScoringCommand {
  private static final int MOST_POINTS = 3;

  private static final String PROBABILITIES_COME_FROM =
      "train learns them for classes in one pass if it held out at least 20 rows, online with"
          + " --probability";

  @Option(
      names = {"-o", "--out"},
      paramLabel = "FILE",
      description = "File to write the answers to; - is standard output. Default: standard output.")
  Path out;

  @Option(
      names = "--probability",
      description =
          "Append the probability of each class to each answer, after a first line with the"
              + " labels, as LIBSVM does. A model saved by online must have been trained with"
              + " --probability.")
  boolean probability;

  @Option(
      names = "--interval",
      paramLabel = "PERCENT",
      description =
          "Append to each answer an interval that contains the true number, or a set of labels"
              + " that contains the true one, with this probability in percent. The model must"
              + " have been trained with --interval, at any level.")
  Double interval;

  @Option(
      names = "--explain",
      arity = "0..1",
      parameterConsumer = Count.class,
      paramLabel = "N",
      description =
          "Explain each answer below it: the N columns that contributed most, as the decrease of"
              + " the score if the column had its typical value, and the nearest core points."
              + " Default for N: 5.")
  Integer explain;

  @Option(
      names = "--csv",
      description =
          "Write CSV with a header: the columns that the model does not use, such as ids, the"
              + " answer, and, if the model has them, the probability of each class, the interval"
              + " or the set of labels; far is 1 if the row is far from everything learned."
              + " Default if -o ends in .csv. With --explain, one line per column and per value"
              + " of a core point.")
  boolean csv;

  @Option(names = "--json", description = "With --explain: write JSON, one object per line.")
  boolean json;

  @Option(
      names = "--threshold",
      paramLabel = "X",
      description =
          "For two classes: smallest score for which the higher class is answered, as found by"
              + " evaluate --cost. Default: the threshold that train --cost saved in the model,"
              + " else 0.")
  Double threshold;

  private Explainer explainer;
  private RowStream row;
  private CsvAnswers table;
  private long rows;

  /** Parses an optional number; the next word may also be the data file. */
  static final class Count implements IParameterConsumer {
    private static final int USUAL = 5;

    @Override
    public void consumeParameters(Stack<String> words, ArgSpec option, CommandSpec command) {
      boolean isGiven = !words.isEmpty() && words.peek().matches("-?\\d{1,9}");
      option.setValue(isGiven ? Integer.parseInt(words.pop()) : USUAL);
    }
  }

  private ScoreFile answers;
  private SavedModel saved;
  private LibsvmFigures measured;

  @Override
  public Integer call() throws IOException {
    checkModel();
    checkExplain();
    out = Standard.isMeant(out) ? null : out;
    Standard.besides(scores, out == null ? Path.of("-") : null);
    Failure.ifNotWritable(inputs(), out, scores);
    saved = SavedModel.load(file);
    measured = new LibsvmFigures(saved);
    DataSource source = input.source();
    if (probability && !saved.model().isCalibrated()) {
      throw Failure.usage(file + ": has no probabilities: " + PROBABILITIES_COME_FROM);
    }
    Double level = CoverageText.level(interval, saved.model(), file);
    if (threshold != null && saved.model().classes().length != 2) {
      throw Failure.usage("--threshold needs a model with two classes");
    }
    startExplaining();
    noteMissingProbabilities();
    Path target = out == null ? Path.of("-") : out;
    Metrics metrics =
        Standard.lines(target, source.isStream(), lines -> answer(source, level, lines));
    print(metrics);
    return 0;
  }

  private Metrics answer(DataSource source, Double level, ScoreFile lines) throws IOException {
    answers = lines;
    try (IdColumns ids = ids(source)) {
      if (explain != null && csv) {
        lines.write(ExplainText.CSV_HEADER);
      } else if (isTable()) {
        table = new CsvAnswers(saved, ids, level);
        table.writeHeader(lines);
      } else if (probability && !json) {
        lines.write("labels " + String.join(" ", saved.classes()));
      }
      return score(saved, source);
    }
  }

  /** Whether answers are written as a CSV table. */
  private boolean isTable() {
    boolean isNamed = out != null && out.toString().toLowerCase(Locale.ROOT).endsWith(".csv");
    return explain == null && (csv || isNamed);
  }

  private IdColumns ids(DataSource source) throws IOException {
    Schema schema = saved.model().preparation().schema();
    List<String> files = isTable() && !source.isStream() ? source.names() : List.of("-");
    return IdColumns.open(files, source.options(), schema);
  }

  private void checkExplain() {
    if (explain == null && json) {
      throw Failure.usage("--json needs --explain");
    }
    if (csv && json) {
      throw Failure.usage("--csv and --json cannot be combined");
    }
    if (explain != null && explain < 1) {
      throw Failure.usage("--explain must be at least 1: " + explain);
    }
  }

  private void noteMissingProbabilities() {
    boolean isWithout = saved.model().classes().length > 1 && !saved.model().isCalibrated();
    if (isTable() && isWithout && !quiet) {
      System.err.println(
          file + ": has no probabilities, so the table has none; " + PROBABILITIES_COME_FROM);
    }
  }

  private void startExplaining() {
    if (explain == null) {
      return;
    }
    explainer = saved.model().explainer();
    if (saved.model().preparation().background().usual().isEmpty() && !quiet) {
      System.err.println(
          file
              + ": was saved without typical values; named numeric columns are compared with"
              + " their mean, all others with 0 or no category");
    }
  }

  @Override
  void asked(RowStream asked) {
    row = asked;
  }

  @Override
  void answered(double label, Prediction given) throws IOException {
    rows++;
    Prediction prediction = threshold == null ? given : byThreshold(given);
    if (table != null) {
      table.write(row, prediction, answers);
    } else if (csv || json) {
      answers.write(explained(prediction));
    } else {
      writeText(prediction);
    }
    measured.add(label, prediction.label());
  }

  private Prediction byThreshold(Prediction given) {
    double[] classes = given.classes();
    return given.withLabel(given.scores()[0] >= threshold ? classes[1] : classes[0]);
  }

  private String explained(Prediction prediction) {
    Explanation why = explainer.explain(row.features(), explain, MOST_POINTS);
    String answer = saved.text(prediction.label());
    return csv
        ? ExplainText.csv(rows, answer, why)
        : ExplainText.json(rows, answer, saved.classes(), why);
  }

  private void writeText(Prediction prediction) throws IOException {
    double answer = prediction.label();
    StringBuilder line = new StringBuilder(saved.text(answer));
    if (probability) {
      for (double value : prediction.probabilities()) {
        line.append(' ').append(LibsvmFigures.significant(value));
      }
    }
    if (interval != null) {
      CertaintyText.fields(prediction, interval / 100, saved::text)
          .forEach(field -> line.append(' ').append(field));
    }
    if (explain != null) {
      Explanation why = explainer.explain(row.features(), explain, MOST_POINTS);
      line.append('\n').append(ExplainText.text(why));
    }
    answers.write(line.toString());
  }

  private void print(Metrics metrics) {
    if (!quiet) {
      measured.warnUnknown();
    }
    if (out != null || !quiet) {
      measured.print(out == null ? System.err : System.out, metrics);
    }
  }
}
