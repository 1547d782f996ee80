package org.avm4j.bench;

import java.util.Arrays;
import java.util.List;
import org.avm4j.Features;
import org.avm4j.data.Instance;
import org.avm4j.pipeline.LabelSurvey;

/**
 * The rows of a stream in their order, and what is to be predicted.
 *
 * @param list the rows, which all learners share
 * @param classes the labels of the whole data in ascending order; empty for a regression
 */
record Rows(List<Instance> list, double[] classes) {
  /** At most this number of distinct whole numbers are classes, wherever they begin. */
  private static final int MOST_CLASSES = 20;

  /**
   * The classes that labels stand for: where automatic mode sees classes, and where there are at
   * most {@value #MOST_CLASSES} whole numbers that repeat. All else is a regression.
   */
  static double[] classes(List<Instance> rows) {
    LabelSurvey survey = new LabelSurvey();
    rows.forEach(row -> survey.add(row.label()));
    double[] labels = survey.labels().stream().mapToDouble(Double::doubleValue).toArray();
    boolean areWhole = Arrays.stream(labels).allMatch(label -> label == Math.rint(label));
    boolean areFew = areWhole && labels.length <= MOST_CLASSES && 2 * labels.length <= rows.size();
    return areFew || !survey.task(false).isRegression() ? labels : new double[0];
  }

  boolean isRegression() {
    return classes.length == 0;
  }

  /** The word of the task on the command line. */
  String task() {
    return isRegression() ? "regression" : classes.length == 2 ? "binary" : "multiclass";
  }

  int size() {
    return list.size();
  }

  Features features(int t) {
    return list.get(t).features();
  }

  double label(int t) {
    return list.get(t).label();
  }

  int dimension() {
    return list.stream().mapToInt(row -> row.features().dimension()).max().orElse(0);
  }

  /** The label for other libraries, which number classes from 0. */
  double coded(double label) {
    return isRegression() ? label : Arrays.binarySearch(classes, label);
  }

  /** The label of a coded answer. */
  double decoded(double answer) {
    return isRegression() ? answer : classes[(int) answer];
  }
}
