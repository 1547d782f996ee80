package org.avm4j.bench;

import java.util.Arrays;
import java.util.List;
import org.avm4j.data.Instance;
import org.avm4j.pipeline.LabelSurvey;

/**
 * What is to be predicted in a table.
 *
 * @param classes the labels in ascending order; empty for a regression
 */
record TableTask(double[] classes) {
  /** What the labels look like to automatic mode. */
  static TableTask of(List<Instance> rows) {
    LabelSurvey survey = new LabelSurvey();
    rows.forEach(row -> survey.add(row.label()));
    return new TableTask(
        survey.task(false).isRegression()
            ? new double[0]
            : rows.stream().mapToDouble(Instance::label).sorted().distinct().toArray());
  }

  boolean isRegression() {
    return classes.length == 0;
  }

  String measure() {
    return isRegression() ? "RMSE" : "%";
  }

  /** A label as XGBoost wants it: classes are numbered from 0. */
  float coded(double label) {
    return isRegression() ? (float) label : Arrays.binarySearch(classes, label);
  }

  /** The RMSE, or the percentage of mistakes. */
  double error(List<Instance> rows, double[] answers) {
    double sum = 0;
    for (int i = 0; i < answers.length; i++) {
      double off = answers[i] - rows.get(i).label();
      sum += isRegression() ? off * off : off == 0 ? 0 : 1;
    }
    double mean = sum / answers.length;
    return isRegression() ? Math.sqrt(mean) : 100 * mean;
  }
}
