package org.avm4j.auto.expert;

import java.util.Arrays;
import org.avm4j.Task;

/** An expert that sees rows through {@link Inputs}. */
abstract class InputExpert implements Expert {
  final Task.Kind task;
  final Inputs inputs;
  private final String name;
  private final boolean isCostly;

  InputExpert(String name, Task.Kind task, Inputs inputs, boolean isCostly) {
    this.name = name;
    this.task = task;
    this.inputs = inputs;
    this.isCostly = isCostly;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean isCostly() {
    return isCostly;
  }

  @Override
  public boolean seesLabels() {
    return inputs.seeLabels();
  }

  /**
   * What is added to an answer: if numeric labels are among the inputs, the difference from the
   * latest one is learned.
   */
  double offset(Moment now) {
    return seesLabels() && task == Task.Kind.REGRESSION ? now.latest() : 0;
  }

  /**
   * Writes scores in the order of some classes, and -1 for classes without a score.
   *
   * @param known the class of each score, in ascending order
   */
  static void arrange(double[] scores, double[] known, double[] classes, double[] into) {
    for (int c = 0; c < into.length; c++) {
      int place = Arrays.binarySearch(known, classes[c]);
      into[c] = place < 0 ? -1 : scores[place];
    }
  }
}
