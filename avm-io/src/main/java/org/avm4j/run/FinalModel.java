package org.avm4j.run;

import java.util.Optional;
import org.avm4j.pipeline.Costs;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.PreparedModel;

/**
 * The model of a run that has ended, and what held-out rows tell about it.
 *
 * @param estimate the expected error on new data, if rows were held out
 * @param average the figures of the mean, if the model is a mean of several learners
 * @param threshold the threshold between two classes, if costs were given
 */
record FinalModel(
    PreparedModel model,
    Optional<Estimate> estimate,
    Optional<Average> average,
    Optional<ThresholdChoice> threshold) {
  /** The model of a run without held-out rows. */
  static FinalModel of(Pipeline pipeline) {
    return new FinalModel(
        pipeline.snapshot(), Optional.empty(), Optional.empty(), Optional.empty());
  }

  /**
   * Adds to a settled pipeline what held-out rows tell: a threshold and probabilities. The model is
   * then that of the pipeline, or the mean of several learners.
   *
   * @param mean empty if there is only one learner
   * @param average the figures of the mean
   * @param ofOne the expected error of the first learner
   * @param costs of the mistakes between two classes; null if they are not given
   */
  static FinalModel of(
      Pipeline pipeline,
      HeldOut heldOut,
      Optional<Averaging.Result> mean,
      Optional<Average> average,
      Optional<Estimate> ofOne,
      Costs costs,
      RunOptions options) {
    Optional<ThresholdChoice> threshold = threshold(heldOut, mean, costs);
    threshold.ifPresent(found -> pipeline.decideBy(found.threshold()));
    if (mean.isEmpty() && options.passes() == 1) {
      calibrate(pipeline, heldOut);
    }
    PreparedModel one = pipeline.snapshot();
    Optional<Estimate> estimate = average.isPresent() ? average.map(Average::estimate) : ofOne;
    return new FinalModel(
        mean.map(found -> found.behind(one)).orElse(one),
        estimate.map(
            plain -> threshold.map(chosen -> chosen.estimate().noSurerThan(plain)).orElse(plain)),
        average,
        threshold);
  }

  /** The threshold for the given costs; empty if too few rows were held out. */
  private static Optional<ThresholdChoice> threshold(
      HeldOut heldOut, Optional<Averaging.Result> mean, Costs costs) {
    boolean isPair = heldOut.hasModel() && heldOut.model().classes().length == 2;
    if (costs == null || !isPair) {
      return Optional.empty();
    }
    Averaging.Answered held = mean.map(Averaging.Result::held).orElseGet(heldOut::answered);
    return ThresholdChoice.of(held.rareClass(heldOut.model().classes()), costs);
  }

  /** Calibrates the probabilities of a single learner of classes on the held-out rows. */
  private static void calibrate(Pipeline pipeline, HeldOut heldOut) {
    boolean isWanted = !pipeline.isCalibrated() && !pipeline.task().isRegression();
    if (isWanted && heldOut.hasModel()) {
      Averaging.Answered held = heldOut.answered();
      if (held.canCalibrate()) {
        pipeline.calibrate(held.calibration(pipeline.preparation().labels()).platt());
      }
    }
  }
}
