package org.avm4j.export;

import java.util.Arrays;
import org.avm4j.pipeline.Calibration;
import org.avm4j.pipeline.Labels;

/**
 * Platt scaling, P(class | s) = 1 / (1 + exp(-(a s + b))), with slopes a and offsets b in the order
 * of the scores. Two classes with one score have one fit, for the higher label.
 */
record PlattFits(double[] slopes, double[] offsets) {
  static PlattFits of(ExportPlan plan) {
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
    return new PlattFits(slopes, offsets);
  }
}
