package org.avm4j.export;

import java.util.Arrays;
import org.avm4j.pipeline.Calibration;
import org.avm4j.pipeline.Labels;

/**
 * The fits P(class | s) = 1 / (1 + exp(-(a s + b))) in the order of the scores. Two classes with
 * one score have one fit, of the higher label.
 */
record Fits(double[] slopes, double[] offsets) {
  static Fits of(ExportPlan plan) {
    Calibration calibration = plan.calibration();
    Labels labels = plan.model().preparation().labels();
    double[] classes = Arrays.stream(plan.model().classes()).map(labels::transform).toArray();
    int scores = plan.model().columns();
    double[] slopes = new double[scores];
    double[] offsets = new double[scores];
    for (int s = 0; s < scores; s++) {
      double label = classes[scores < classes.length ? 1 : s];
      if (Arrays.binarySearch(calibration.labels(), label) >= 0) {
        slopes[s] = calibration.slope(label);
        offsets[s] = calibration.offset(label);
      }
    }
    return new Fits(slopes, offsets);
  }
}
