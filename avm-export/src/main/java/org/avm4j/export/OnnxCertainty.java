package org.avm4j.export;

import java.util.List;
import org.avm4j.data.Decimal;
import org.avm4j.form.CertaintyForm;

/** Adds intervals or sets of labels as outputs of a graph. */
final class OnnxCertainty {
  private final Graph graph;

  OnnxCertainty(Graph graph) {
    this.graph = graph;
  }

  /** Adds outputs for both ends of the interval around each answer. */
  void ends(String answers, CertaintyForm.Intervals form) {
    String halfWidth = graph.add("Squeeze", halfWidth(answers, form), graph.longs(1));
    String answer = graph.add("Squeeze", answers, graph.longs(1));
    String meaning =
        " end of the interval that holds the truth in " + percent(form) + " of all rows";
    String lower = graph.add("Sub", answer, halfWidth);
    graph.output("lower", lower, Graph.DOUBLE, 0, "the lower" + meaning);
    String upper = graph.add("Add", answer, halfWidth);
    graph.output("upper", upper, Graph.DOUBLE, 0, "the upper" + meaning);
  }

  private String halfWidth(String answers, CertaintyForm.Intervals form) {
    double[] at = numbers(form.answers());
    double[] widths = numbers(form.halfWidths());
    if (at.length == 1) {
      return graph.doubles(widths, 1, 1);
    }
    int pieces = at.length - 1;
    double[] starts = new double[pieces];
    double[] lengths = new double[pieces];
    double[] slopes = new double[pieces];
    for (int i = 0; i < pieces; i++) {
      starts[i] = at[i];
      lengths[i] = at[i + 1] - at[i];
      slopes[i] = (Math.log(widths[i + 1]) - Math.log(widths[i])) / lengths[i];
    }
    String beyond = graph.add("Sub", answers, graph.doubles(starts, 1, pieces));
    String positive = graph.add("Max", beyond, graph.number(0));
    String inside = graph.add("Min", positive, graph.doubles(lengths, 1, pieces));
    String rise = graph.add("MatMul", inside, graph.doubles(slopes, pieces, 1));
    String log = graph.add("Add", rise, graph.number(Math.log(widths[0])));
    return graph.add("Exp", log);
  }

  /** Adds an output that says for each class whether it is in the set of labels. */
  void labelSet(String probabilities, int classes, CertaintyForm.LabelSets form, String names) {
    String strangeness = graph.add("Sub", graph.number(1), probabilities);
    String isIn = graph.add("LessOrEqual", strangeness, graph.number(form.threshold()));
    graph.output(
        "label_set",
        isIn,
        Graph.BOOL,
        classes,
        "whether each class is in the set that holds the truth in "
            + percent(form)
            + " of all rows: "
            + names);
  }

  private static String percent(CertaintyForm form) {
    return Decimal.text((double) Math.round(1e6 * form.level()) / 1e4) + " %";
  }

  private static double[] numbers(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
