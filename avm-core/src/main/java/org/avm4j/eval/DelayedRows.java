package org.avm4j.eval;

import java.util.ArrayDeque;
import java.util.OptionalDouble;
import java.util.Queue;
import org.avm4j.Features;
import org.avm4j.OnlineLearner;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/** Instances that were answered and whose labels are not known yet, the oldest first. */
final class DelayedRows {
  /** One instance; of weight 0 if its label never becomes known. */
  private record Row(Features x, double y, double weight) {}

  private final long delay;
  private final Queue<Row> waiting = new ArrayDeque<>();

  /** A queue in which every instance waits for a given number of further answers. */
  DelayedRows(long delay) {
    if (delay < 0) {
      throw new IllegalArgumentException("the delay of labels must be at least 0: " + delay);
    }
    this.delay = delay;
  }

  boolean isNone() {
    return delay == 0;
  }

  long delay() {
    return delay;
  }

  /** Adds an instance; of weight 0 if its label never becomes known. */
  void add(Features x, double y, double weight) {
    waiting.add(new Row(x.copy(), y, weight));
  }

  /**
   * Learns the instance whose label is known now, if there is one.
   *
   * @return the label that was learned
   */
  OptionalDouble learnDue(OnlineLearner learner) {
    Row row = waiting.size() > delay ? waiting.remove() : null;
    if (row == null || row.weight == 0) {
      return OptionalDouble.empty();
    }
    try {
      learner.learn(row.x, row.y, row.weight);
    } catch (IllegalArgumentException refused) {
      throw new IllegalArgumentException(
          "the row of " + delay + " answers before: " + refused.getMessage(), refused);
    }
    return OptionalDouble.of(row.y);
  }

  /** Learns all waiting instances at the end of a run; an instance that is refused is left out. */
  void learnRest(OnlineLearner learner) {
    for (Row row = waiting.poll(); row != null; row = waiting.poll()) {
      try {
        if (row.weight > 0) {
          learner.learn(row.x, row.y, row.weight);
        }
      } catch (IllegalArgumentException refused) {
        // Its answer was measured before, and the run is over: the refusal is not reported.
      }
    }
  }

  void encode(Encoder out) {
    out.int64(delay);
    out.int32(waiting.size());
    for (Row row : waiting) {
      row.x.encode(out);
      out.float64(row.y);
      out.float64(row.weight);
    }
  }

  static DelayedRows decode(Decoder in) throws ModelFileException {
    DelayedRows rows = new DelayedRows(in.count("the delay of labels"));
    int count = in.int32("the rows that wait for their labels", Integer.MAX_VALUE);
    for (int i = 0; i < count; i++) {
      rows.waiting.add(new Row(Features.decode(in), in.float64(), in.float64()));
    }
    return rows;
  }
}
