package org.avm4j.app;

import java.util.ArrayList;
import java.util.List;
import org.avm4j.Features;
import org.avm4j.data.Instance;
import org.avm4j.math.SplitMix;

/** A reproducible random sample of the rows of a stream. */
final class RowSample {
  private final int most;
  private final boolean needsLabels;
  private final SplitMix random = new SplitMix(1);
  private final List<Instance> rows = new ArrayList<>();
  private long seen;

  /** A sample of at most {@code most} rows: of all, or only of those with a label. */
  RowSample(int most, boolean needsLabels) {
    this.most = most;
    this.needsLabels = needsLabels;
  }

  void add(Features x, double label) {
    if (needsLabels && Double.isNaN(label)) {
      return;
    }
    seen++;
    if (rows.size() < most) {
      rows.add(new Instance(x.copy(), label));
      return;
    }
    long at = (long) (random.getAsDouble() * seen);
    if (at < most) {
      rows.set((int) at, new Instance(x.copy(), label));
    }
  }

  List<Instance> rows() {
    return rows;
  }
}
