package org.avm4j.app;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.avm4j.Prediction;
import org.avm4j.explain.Importance;
import org.avm4j.io.IdColumns;
import org.avm4j.run.CertaintyText;
import org.avm4j.run.RowStream;
import org.avm4j.run.ScoreFile;

/**
 * Answers as a table: the columns that the model does not learn from, the answer, and the
 * probability of each class; the interval or the set of labels where the model knows how sure it
 * is, else for numbers the range that holds nine in ten of them if errors are normal.
 */
final class CsvAnswers {
  /** Nine in ten errors are within this many times the RMSE, if they are normal. */
  private static final double NINE_IN_TEN = 1.645;

  private final SavedModel saved;
  private final IdColumns ids;
  private final Optional<Double> rmse;
  private final Double level;

  /** A table; the level is that of intervals or sets of labels, or null if there are none. */
  CsvAnswers(SavedModel saved, IdColumns ids, Double level) {
    this.saved = saved;
    this.ids = ids;
    this.level = level;
    rmse = saved.importance().filter(found -> found.figure().equals("rmse")).map(Importance::error);
  }

  void writeHeader(ScoreFile to) throws IOException {
    List<String> names = new ArrayList<>(ids.names());
    String label = saved.model().preparation().schema().origin().label();
    names.add(label == null ? "predicted" : label + "_predicted");
    if (saved.model().isCalibrated()) {
      saved.classes().forEach(name -> names.add("probability_" + name));
    }
    if (level != null && saved.model().classes().length > 0) {
      names.add("labels");
    } else if (level != null || rmse.isPresent()) {
      names.addAll(List.of("low", "high"));
    }
    to.write(line(names));
  }

  void write(RowStream row, Prediction answer, ScoreFile to) throws IOException {
    List<String> fields = new ArrayList<>(List.of(ids.of(row.file(), row.line())));
    fields.add(saved.text(answer.label()));
    if (saved.model().isCalibrated()) {
      Arrays.stream(answer.probabilities()).forEach(value -> fields.add(number(value)));
    }
    if (level != null) {
      addCertainty(answer, fields);
    } else if (rmse.isPresent()) {
      fields.add(number(answer.label() - NINE_IN_TEN * rmse.get()));
      fields.add(number(answer.label() + NINE_IN_TEN * rmse.get()));
    }
    to.write(line(fields));
  }

  private void addCertainty(Prediction answer, List<String> fields) {
    List<String> sure = CertaintyText.fields(answer, level, saved::text);
    if (answer.classes().length > 0) {
      fields.add(String.join("|", sure));
    } else {
      fields.addAll(sure);
    }
  }

  private static String number(double value) {
    return Double.isFinite(value)
        ? new BigDecimal(value).round(new MathContext(6)).stripTrailingZeros().toPlainString()
        : "";
  }

  private static String line(List<String> fields) {
    return String.join(",", fields.stream().map(CsvAnswers::quoted).toList());
  }

  private static String quoted(String text) {
    boolean isPlain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return isPlain ? text : "\"" + text.replace("\"", "\"\"") + "\"";
  }
}
