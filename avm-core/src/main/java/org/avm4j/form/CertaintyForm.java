package org.avm4j.form;

import java.util.List;

/**
 * How sure the answers of a model are at the level that was asked for, in a form that exporters can
 * write; {@code model.inspect(CertaintyForm.class)} finds it.
 */
public sealed interface CertaintyForm {
  /** The probability that the true label is inside. */
  double level();

  /**
   * Intervals around numbers. The half width of the interval is known at some answers. Between two
   * of them its logarithm is linear in the answer; below the first and above the last it is
   * constant.
   *
   * @param level the probability that the true label is inside
   * @param answers in ascending order, at least one
   * @param halfWidths one for each of them; a single one may be 0 or infinite
   */
  record Intervals(double level, List<Double> answers, List<Double> halfWidths)
      implements CertaintyForm {}

  /**
   * Sets of labels: those whose probability is at least 1 less the threshold.
   *
   * @param level the probability that the true label is inside
   * @param threshold the largest nonconformity of a label in the set; it may be infinite
   */
  record LabelSets(double level, double threshold) implements CertaintyForm {}
}
