package org.avm4j.conformal;

import org.avm4j.Prediction;

/** How unlike the answer a label is: the nonconformity score of conformal prediction, 0 or more. */
final class Nonconformity {
  /** Largest nonconformity of a number; that of a class is at most 1. */
  private static final double MOST = 1e100;

  private Nonconformity() {}

  /** The distance from the answer in units of the scale; infinite if all errors so far were 0. */
  static double ofNumber(Prediction answer, double label, double scale) {
    double error = Math.abs(label - answer.label());
    double distance = error == 0 ? 0 : error / scale;
    return distance <= MOST || scale == 0 ? distance : MOST;
  }

  /** 1 minus the probability of each class; equal for all if there are no probabilities. */
  static double[] ofClasses(Prediction answer) {
    double[] nonconformity = new double[answer.classes().length];
    double[] probabilities = answer.probabilities();
    for (int c = 0; c < probabilities.length; c++) {
      nonconformity[c] = 1 - probabilities[c];
    }
    return nonconformity;
  }

  /** 1 minus the probability of a class; infinite for an unknown class, which no set can hold. */
  static double ofClass(Prediction answer, double label) {
    double[] classes = answer.classes();
    double[] all = ofClasses(answer);
    for (int c = 0; c < classes.length; c++) {
      if (classes[c] == label) {
        return all[c];
      }
    }
    return Double.POSITIVE_INFINITY;
  }
}
