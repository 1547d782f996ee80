package org.avm4j.app;

import java.io.IOException;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Stack;
import org.avm4j.Features;
import org.avm4j.Prediction;
import org.avm4j.eval.Metrics;
import org.avm4j.explain.Explainer;
import org.avm4j.explain.Explanation;
import org.avm4j.run.DataSource;
import org.avm4j.run.ScoreFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** {@code avm predict}: answers by a saved model, one a line. */
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
      "  cat new.csv | avm predict - -m model.avm",
      "  avm train train.libsvm -m likely.avm --probability && avm predict test.libsvm -m likely.avm"
          + " --probability",
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
              + " with their labels, as LIBSVM does. The model must have been learned with it.")
  boolean probability;

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
          "With --explain: as CSV, a line for each column and each value of a core point.")
  boolean csv;

  @Option(names = "--json", description = "With --explain: as JSON, an object a line.")
  boolean json;

  private Explainer explainer;
  private Features row;
  private long rows;

  /** A number if one is there; the word behind may also be the data. */
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
  private double squaredError;
  private long labelled;
  private long right;
  private long unknown;
  private final double[] sums = new double[5];

  @Override
  public Integer call() throws IOException {
    checkModel();
    checkExplain();
    out = Standard.isMeant(out) ? null : out;
    Standard.besides(scores, out == null ? Path.of("-") : null);
    Failure.ifNotWritable(out, inputs());
    Failure.ifNotWritable(scores, inputs());
    saved = SavedModel.load(file);
    DataSource source = input.source();
    if (probability && !saved.model().isCalibrated()) {
      throw new Failure(
          Failure.USAGE, file + ": was learned without --probability, so it knows none");
    }
    startExplaining();
    Metrics metrics;
    try (ScoreFile lines = Standard.lines(out == null ? Path.of("-") : out)) {
      answers = lines;
      if (csv) {
        lines.write(ExplainText.CSV_HEADER);
      } else if (probability && !json) {
        lines.write("labels " + String.join(" ", saved.classes()));
      }
      metrics = score(saved, source);
    }
    print(metrics);
    return 0;
  }

  private void checkExplain() {
    if (explain == null && (csv || json)) {
      throw new Failure(Failure.USAGE, "--csv and --json are forms of --explain, which is missing");
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
  void asked(Features x, double label) {
    row = x;
  }

  @Override
  void answered(double label, Prediction prediction) throws IOException {
    rows++;
    if (csv || json) {
      answers.write(explained(prediction));
    } else {
      writeText(prediction);
    }
    measure(label, prediction.label());
  }

  private String explained(Prediction prediction) {
    Explanation why = explainer.explain(row, explain, MOST_POINTS);
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
        line.append(' ').append(significant(value));
      }
    }
    if (explain != null) {
      Explanation why = explainer.explain(row, explain, MOST_POINTS);
      line.append('\n').append(ExplainText.text(why));
    }
    answers.write(line.toString());
  }

  private void measure(double label, double answer) {
    if (!Double.isNaN(label)) {
      labelled++;
      unknown += saved.knows(label) ? 0 : 1;
      right += answer == label ? 1 : 0;
      squaredError += (answer - label) * (answer - label);
      addPair(label, answer);
    }
  }

  private void addPair(double y, double f) {
    sums[0] += y;
    sums[1] += f;
    sums[2] += y * y;
    sums[3] += f * f;
    sums[4] += y * f;
  }

  private void print(Metrics metrics) {
    if (unknown > 0 && !quiet) {
      System.err.printf(
          Locale.ROOT,
          "%,d of %,d labels are none that the model knows and count as mistakes; it knows %s%n",
          unknown,
          labelled,
          String.join(", ", saved.classes()));
    }
    PrintStream to = out == null ? System.err : System.out;
    if (labelled == 0 || (out == null && quiet)) {
      return;
    }
    switch (saved.model().task().kind()) {
      case ANOMALY -> to.printf(Locale.ROOT, "AUC = %s (anomaly)%n", significant(metrics.value()));
      case REGRESSION -> printRegression(to);
      default -> printAccuracy(to);
    }
  }

  private void printAccuracy(PrintStream to) {
    to.printf(
        Locale.ROOT,
        "Accuracy = %s%% (%d/%d) (classification)%n",
        significant(100.0 * right / labelled),
        right,
        labelled);
  }

  private void printRegression(PrintStream to) {
    to.printf(
        Locale.ROOT,
        "Mean squared error = %s (regression)%n",
        significant(squaredError / labelled));
    to.printf(
        Locale.ROOT,
        "Squared correlation coefficient = %s (regression)%n",
        significant(squaredCorrelation()));
  }

  private double squaredCorrelation() {
    double n = labelled;
    double covariance = n * sums[4] - sums[0] * sums[1];
    double spread = (n * sums[2] - sums[0] * sums[0]) * (n * sums[3] - sums[1] * sums[1]);
    return covariance * covariance / spread;
  }

  /** Six significant digits without trailing zeros, as C prints %g. */
  private static String significant(double value) {
    return Double.isFinite(value)
        ? new BigDecimal(value).round(new MathContext(6)).stripTrailingZeros().toPlainString()
        : Double.toString(value);
  }
}
