package org.avm4j.run;

import java.util.ArrayList;
import java.util.List;
import org.avm4j.Features;
import org.avm4j.pipeline.LabelLags;

/** Keeps the latest labels of a stream, and adds them as features to rows. */
final class LagWindow {
  private final LabelLags lags;
  private final double[] labels;
  private final Features.Buffer row = new Features.Buffer();
  private long added;

  LagWindow(LabelLags lags) {
    this.lags = lags;
    labels = new double[lags.count() + lags.delay()];
    lags.last().forEach(this::add);
  }

  /** Adds the label of a row; NaN, which means no label, is ignored. */
  void add(double label) {
    if (!Double.isNaN(label)) {
      labels[(int) (added++ % labels.length)] = label;
    }
  }

  /** The label that came this number of labels ago; 1 for the latest. */
  private double ago(int rows) {
    return labels[(int) ((added - rows) % labels.length)];
  }

  private int known() {
    return (int) Math.min(added, labels.length);
  }

  /** The row with the known labels as further features; drops features that collide with them. */
  Features widened(Features x) {
    row.clear();
    for (int e = 0; e < x.count() && x.index(e) < lags.first(); e++) {
      row.add(x.index(e), x.value(e));
    }
    for (int lag = 0; lag < lags.count() && lags.delay() + lag < known(); lag++) {
      row.add(lags.first() + lag, ago(lags.delay() + lag + 1));
    }
    return row.features();
  }

  /** The lags with the latest labels up to now. */
  LabelLags lags() {
    List<Double> last = new ArrayList<>();
    for (int rows = known(); rows > 0; rows--) {
      last.add(ago(rows));
    }
    return lags.endingIn(last);
  }
}
