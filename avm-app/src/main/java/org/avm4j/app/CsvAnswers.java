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
 * Writes answers as CSV: the columns that {@link IdColumns} keeps, the answer, and the probability
 * of each class. An interval or a set of labels follows if the model was learned with {@code
 * --interval}; otherwise, if the RMSE of the model is known, a range that contains 90 % of the
 * labels if errors are normal. The last column is 1 for rows that are far from everything learned.
 */
final class CsvAnswers {
  /** 90 % of normally distributed errors are at most this multiple of the RMSE. */
  private static final double NINE_IN_TEN = 1.645;

  private final SavedModel saved;
  private final IdColumns ids;
  private final Optional<Double> rmse;
  private final Double level;

  /** A table; {@code level} is that of intervals or sets of labels, null for none. */
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
    if (!saved.isUnsupervised()) {
      names.add("far");
    }
    to.write(Text.csv(names));
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
    if (!saved.isUnsupervised()) {
      fields.add(answer.isFar() ? "1" : "0");
    }
    to.write(Text.csv(fields));
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
}
