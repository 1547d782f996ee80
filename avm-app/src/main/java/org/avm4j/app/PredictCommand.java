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
      "Answer each instance by a saved model, one line an instance.",
      "The data may have the label or not; the model knows its columns. Where it has labels, the accuracy is printed as LIBSVM does: on standard output with -o,"
          + " else on standard error."
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

  @Option(
      names = {"-o", "--out"},
      paramLabel = "FILE",
      description = "Where the answers go; standard output if not given, or -.")
  Path out;

  @Option(
      names = "--probability",
      description =
          "Write the probabilities of all classes behind each answer, and before the first a line"
              + " with their labels, as LIBSVM does. A model of online must have been learned with"
              + " it.")
  boolean probability;

  @Option(
      names = "--interval",
      paramLabel = "PERCENT",
      description =
          "Write behind each answer an interval that holds the true number, or the labels of a set that"
              + " holds the true one, that often. The model must have been learned with --interval, at"
              + " any level.")
  Double interval;

  @Option(
      names = "--explain",
      arity = "0..1",
      parameterConsumer = Count.class,
      paramLabel = "N",
      description =
          "Tell below each answer why: the N columns that moved it most, by how much its score would"
              + " fall if the column had its usual value, and the nearest core points. N is 5 if not"
              + " given.")
  Integer explain;

  @Option(
      names = "--csv",
      description =
          "Write a table with a header: the columns that the model does not use, such as ids, the"
              + " answer, and the probability of each class, the interval or the set of labels, where"
              + " the model knows them. Default if -o ends in .csv. With --explain: a line for each"
              + " column and each value of a core point.")
  boolean csv;

  @Option(names = "--json", description = "With --explain: as JSON, an object a line.")
  boolean json;

  @Option(
      names = "--threshold",
      paramLabel = "X",
      description =
          "Score from which the upper of two classes is answered, as evaluate --cost finds it."
              + " Default: the one that train --cost kept in the model, else 0.")
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
      throw new Failure(
          Failure.USAGE,
          file
              + ": knows no probabilities: train has them for classes if it held out 20 rows or more"
              + " in one pass, online with --probability");
    }
    Double level = CoverageText.level(interval, saved.model(), file);
    if (threshold != null && saved.model().classes().length != 2) {
      throw new Failure(Failure.USAGE, "--threshold needs a model of two classes");
    }
    startExplaining();
    Metrics metrics;
    try (ScoreFile lines = Standard.lines(out == null ? Path.of("-") : out);
        IdColumns ids = ids(source)) {
      answers = lines;
      if (explain != null && csv) {
        lines.write(ExplainText.CSV_HEADER);
      } else if (isTable()) {
        table = new CsvAnswers(saved, ids, level);
        table.writeHeader(lines);
      } else if (probability && !json) {
        lines.write("labels " + String.join(" ", saved.classes()));
      }
      metrics = score(saved, source);
    }
    print(metrics);
    return 0;
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
      throw new Failure(Failure.USAGE, "--json is a form of --explain, which is missing");
    }
    if (csv && json) {
      throw new Failure(Failure.USAGE, "--csv and --json exclude each other");
    }
    if (explain != null && explain < 1) {
      throw new Failure(Failure.USAGE, "--explain must be at least 1: " + explain);
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
              + ": knows no usual values, it was saved without them; numbers of named columns are held"
              + " against their mean, all else against 0 or no category");
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
