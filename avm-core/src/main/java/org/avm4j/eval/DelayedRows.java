package org.avm4j.eval;

import java.util.ArrayDeque;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Queue;
import org.avm4j.Features;
import org.avm4j.OnlineLearner;
import org.avm4j.Prediction;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Rules;

/** Instances that were answered and whose labels are not known yet, the oldest first. */
final class DelayedRows {
  private static final String ANSWERS = "answers";

  /** The most scores of an answer; the limit serves to reject forged files. */
  private static final int MOST_SCORES = 1 << 16;

  /**
   * One instance; of weight 0 if its label never becomes known.
   *
   * @param given its whole answer, from which a learner with intervals or sets learns; else null
   */
  private record Row(Features x, double y, double weight, Prediction given) {
    void learn(OnlineLearner learner) {
      if (given == null) {
        learner.learn(x, y, weight);
      } else {
        learner.learnLate(x, y, weight, given);
      }
    }

    Row with(Prediction answer) {
      return new Row(x, y, weight, answer);
    }
  }

  private final long delay;
  private final Queue<Row> waiting = new ArrayDeque<>();

  /** A queue in which every instance waits for a given number of further answers. */
  DelayedRows(long delay) {
    Rules.require(delay >= 0, "the delay of labels must be at least 0", delay);
    this.delay = delay;
  }

  boolean isNone() {
    return delay == 0;
  }

  long delay() {
    return delay;
  }

  /**
   * Adds an instance; of weight 0 if its label never becomes known.
   *
   * @param given its whole answer; null if the learner does not need it
   */
  void add(Features x, double y, double weight, Prediction given) {
    waiting.add(new Row(x.copy(), y, weight, given));
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
      row.learn(learner);
    } catch (IllegalArgumentException refused) {
      throw new IllegalArgumentException(
          "the row answered " + delay + " answers earlier: " + refused.getMessage(), refused);
    }
    return OptionalDouble.of(row.y);
  }

  /** Learns all waiting instances at the end of a run; an instance that is refused is left out. */
  void learnRest(OnlineLearner learner) {
    for (Row row = waiting.poll(); row != null; row = waiting.poll()) {
      try {
        if (row.weight > 0) {
          row.learn(learner);
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
    if (waiting.stream().anyMatch(row -> row.given != null)) {
      out.section(ANSWERS, section -> waiting.forEach(row -> encode(row.given, section)));
    }
  }

  /**
   * Appends whether there is an answer (1), and if so its label (8), and its classes, scores and
   * probabilities, each with their number (4).
   */
  private static void encode(Prediction given, Encoder out) {
    out.bool(given != null);
    if (given == null) {
      return;
    }
    out.float64(given.label());
    for (double[] some : List.of(given.classes(), given.scores(), given.probabilities())) {
      out.doubles(some, some.length);
    }
  }

  /** The answer that {@link #encode} appended, or null. */
  private static Prediction decodeAnswer(Decoder in) throws ModelFileException {
    if (!in.bool()) {
      return null;
    }
    double label = in.float64();
    return new Prediction(label, numbers(in), numbers(in), numbers(in));
  }

  private static double[] numbers(Decoder in) throws ModelFileException {
    double[] found = new double[in.int32("the numbers of an answer", MOST_SCORES)];
    for (int i = 0; i < found.length; i++) {
      found[i] = in.float64();
    }
    return found;
  }

  static DelayedRows decode(Decoder in) throws ModelFileException {
    DelayedRows rows = new DelayedRows(in.count("the delay of labels"));
    int count = in.int32("the rows that wait for their labels", Integer.MAX_VALUE);
    for (int i = 0; i < count; i++) {
      rows.waiting.add(new Row(Features.decode(in), in.float64(), in.float64(), null));
    }
    if (in.hasSection(ANSWERS)) {
      in.section(
          ANSWERS,
          section -> {
            for (int i = 0; i < count; i++) {
              rows.waiting.add(rows.waiting.remove().with(decodeAnswer(section)));
            }
            return rows;
          });
    }
    return rows;
  }
}
