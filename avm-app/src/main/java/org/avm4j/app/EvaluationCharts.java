package org.avm4j.app;

import java.util.List;
import java.util.Map;
import org.avm4j.eval.RareClass;
import org.avm4j.eval.Reliability;

/** Drawings of confusion matrices and of calibration and precision curves. */
final class EvaluationCharts {
  private static final int MOST_CLASSES = 20;
  private static final int MOST_LETTERS = 14;

  private EvaluationCharts() {}

  /**
   * A confusion matrix with a row for each label; the shade shows the share of its row. Null if it
   * is too large.
   */
  static String confusion(Map<?, ?> matrix) {
    List<?> labels = (List<?>) matrix.get("labels");
    List<?> counts = (List<?>) matrix.get("counts");
    int n = labels.size();
    if (n == 0 || n > MOST_CLASSES) {
      return null;
    }
    int cell = Math.max(38, Math.min(90, 620 / n));
    Svg svg =
        new Svg(
            130 + n * cell, 60 + n * cell, "Confusion matrix: labels in rows, answers in columns");
    svg.words(125, 16, "answer", "").words(4, 52, "label", "");
    for (int i = 0; i < n; i++) {
      svg.words(130 + (i + 0.5) * cell, 40, Text.shortened(labels.get(i), MOST_LETTERS), "middle");
      svg.words(122, 60 + (i + 0.5) * cell, Text.shortened(labels.get(i), MOST_LETTERS), "end");
      row(svg, (List<?>) counts.get(i), 50 + i * cell, cell);
    }
    return svg.end();
  }

  private static void row(Svg svg, List<?> counts, double y, int cell) {
    double total = Math.max(1, counts.stream().mapToLong(count -> (Long) count).sum());
    for (int j = 0; j < counts.size(); j++) {
      long count = (Long) counts.get(j);
      svg.rect(130 + j * cell, y, cell, cell, "heat", 0.6 * count / total);
      double x = 130 + (j + 0.5) * cell;
      svg.words(x, y + 0.5 * cell, Text.whole(count), "middle");
      svg.words(x, y + 0.5 * cell + 14, Text.format("%.0f%%", 100 * count / total), "middle");
    }
  }

  /** The precision-recall curve; the dotted line is the precision of random guesses. */
  static String precision(List<RareClass.Point> curve, double share) {
    Svg svg = square("Precision against recall");
    svg.line(x(0), y(share), x(1), y(share), "drift");
    svg.path(
        curve.stream().mapToDouble(at -> x(at.recall())).toArray(),
        curve.stream().mapToDouble(at -> y(at.precision())).toArray(),
        "own");
    return svg.words(380, 396, "recall", "end").words(4, 20, "precision", "").end();
  }

  /** A square plot from 0 to 100 % on both axes. */
  private static Svg square(String what) {
    Svg svg = new Svg(420, 400, what);
    for (int i = 0; i <= 4; i++) {
      double at = i / 4.0;
      String words = Integer.toString(25 * i) + "%";
      svg.line(60, y(at), 380, y(at), "grid").words(52, y(at) + 4, words, "end");
      svg.words(x(at), 378, words, "middle");
    }
    return svg;
  }

  /**
   * The calibration curve: predicted probabilities against observed frequencies; the diagonal is
   * perfect.
   */
  static String calibration(List<Reliability> bins) {
    Svg svg = square("Calibration: predicted probability against observed frequency");
    svg.line(x(0), y(0), x(1), y(1), "drift");
    double[] said = bins.stream().mapToDouble(bin -> x(bin.said())).toArray();
    double[] happened = bins.stream().mapToDouble(bin -> y(bin.happened())).toArray();
    svg.path(said, happened, "own");
    double most = bins.stream().mapToLong(Reliability::instances).max().orElse(1);
    for (Reliability bin : bins) {
      double radius = 2 + 7 * Math.sqrt(bin.instances() / most);
      svg.circle(x(bin.said()), y(bin.happened()), radius, "own");
    }
    return svg.words(380, 396, "said", "end").words(4, 20, "happened", "").end();
  }

  private static double x(double part) {
    return 60 + 320 * part;
  }

  private static double y(double part) {
    return 355 - 320 * part;
  }
}
