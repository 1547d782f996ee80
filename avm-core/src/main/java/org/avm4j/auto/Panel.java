package org.avm4j.auto;

import java.util.Arrays;
import org.avm4j.Features;
import org.avm4j.Predictor;

/** The scores of several members for one row, by member and column. */
final class Panel {
  private final double[][] scores;
  private final double[] classes;
  private double[] own = {};

  /** Room for a given number of members, each with a score for each column. */
  Panel(int members, int columns, double[] classes) {
    scores = new double[members][columns];
    this.classes = classes;
  }

  double[][] scores() {
    return scores;
  }

  int columns() {
    return scores[0].length;
  }

  double[] classes() {
    return classes;
  }

  /** Takes the scores of a member; it is against classes that it does not know. */
  void take(int member, Predictor predictor, Features row) {
    double[] into = scores[member];
    if (predictor.columns() == into.length) {
      predictor.score(row, into);
      return;
    }
    if (own.length < predictor.columns()) {
      own = new double[predictor.columns()];
    }
    predictor.score(row, own);
    double[] known = predictor.classes();
    for (int c = 0; c < into.length; c++) {
      int place = Arrays.binarySearch(known, classes[c]);
      into[c] = place < 0 ? -1 : own[place];
    }
  }
}
