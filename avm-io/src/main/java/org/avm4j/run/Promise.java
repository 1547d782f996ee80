package org.avm4j.run;

import java.io.IOException;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The expected error on new rows, by one rule for a single learner and for a mean of several. Rows
 * in order of time are read once more, because they were learned in random order.
 */
final class Promise {
  private final PreparedData data;
  private final HeldOut heldOut;
  private final long seed;
  private HeldParts parts;
  private LeftOut leftOut;
  private OptionalDouble deviation;
  private Optional<Estimate> ofOne;

  /** The promise of a run that learns data in the random order of a seed. */
  Promise(PreparedData data, HeldOut heldOut, long seed) {
    this.data = data;
    this.heldOut = heldOut;
    this.seed = seed;
  }

  /** All rows, and which of them are held out. */
  HeldParts parts() throws IOException {
    if (parts == null) {
      leftOut = data.leftOut();
      parts = HeldParts.of(data, seed, (int) heldOut.from());
    }
    return parts;
  }

  /** What was left out when the rows were learned. */
  LeftOut leftOut() {
    return leftOut == null ? data.leftOut() : leftOut;
  }

  /**
   * The expected error of the first learner; empty if there are too few rows, or if they were not
   * shuffled, because the last rows need not be like new data.
   */
  Optional<Estimate> ofOne(boolean areShuffled) throws IOException {
    if (ofOne == null) {
      boolean isTimed = areShuffled && data.timeOrder().isKnown() && heldOut.hasModel();
      ofOne =
          isTimed && ShuffledRows.parts(data) == 1
              ? ofLatest().map(this::widened)
              : heldOut.estimate(areShuffled);
    }
    return ofOne;
  }

  private Optional<Estimate> ofLatest() throws IOException {
    Estimate latest = CommonTrial.estimate(heldOut.model(), parts());
    deviation = PeriodErrors.deviation(heldOut.model(), parts());
    return latest.isTelling() ? Optional.of(latest) : Optional.empty();
  }

  /** The same estimate with a margin for errors that vary from period to period. */
  Estimate widened(Estimate plain) {
    return deviation != null && deviation.isPresent()
        ? plain.overPeriods(deviation.getAsDouble())
        : plain;
  }
}
