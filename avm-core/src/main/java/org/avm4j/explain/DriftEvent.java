package org.avm4j.explain;

import java.util.List;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * A rise of the error along a stream, and what changed with it.
 *
 * @param since number of the first row of the rise, counted from 1
 * @param noticed number of the row at which the rise was noticed
 * @param errorBefore the error of answers before: the fraction of wrong answers or, for numbers,
 *     the root mean squared error
 * @param errorAfter the error of answers from {@code since} to {@code noticed}
 * @param errorLater the error of later answers until the study of changes; NaN if there were none
 * @param moved columns whose values moved, the farthest first
 * @param effects columns whose effect on the label changed, the strongest first
 * @param labels classes that appeared, grew, shrank or vanished, or the label itself if it is a
 *     number and moved
 * @param isStudied whether there were enough rows on both sides to look for changes
 */
public record DriftEvent(
    long since,
    long noticed,
    double errorBefore,
    double errorAfter,
    double errorLater,
    List<ChangeStudy.Changed> moved,
    List<ChangeStudy.Changed> effects,
    List<ChangeStudy.Changed> labels,
    boolean isStudied) {
  /** The cause of a rise of the error. */
  public enum Cause {
    /** Columns have other values; for the same values, labels follow as before. */
    INPUTS,
    /** Labels follow from the columns in another way. */
    RULE,
    /** Both. */
    INPUTS_AND_RULE,
    /** Only the distribution of the labels changed. */
    LABELS,
    /** No column moved and no effect of a single column changed. */
    UNKNOWN
  }

  /** Most columns or classes that an event names in a file. */
  private static final int MOST_NAMED = 1 << 16;

  public DriftEvent {
    moved = List.copyOf(moved);
    effects = List.copyOf(effects);
    labels = List.copyOf(labels);
  }

  /** The cause of the rise, as far as columns show it. */
  public Cause cause() {
    if (!effects.isEmpty()) {
      return moved.isEmpty() ? Cause.RULE : Cause.INPUTS_AND_RULE;
    }
    if (!moved.isEmpty()) {
      return Cause.INPUTS;
    }
    return labels.isEmpty() ? Cause.UNKNOWN : Cause.LABELS;
  }

  void encode(Encoder out) {
    out.int64(since);
    out.int64(noticed);
    out.float64(errorBefore);
    out.float64(errorAfter);
    out.float64(errorLater);
    for (List<ChangeStudy.Changed> changes : List.of(moved, effects, labels)) {
      out.list(changes, DriftEvent::encode);
    }
    out.bool(isStudied);
  }

  private static void encode(ChangeStudy.Changed change, Encoder out) {
    out.text(change.column());
    out.float64(change.size());
    out.text(change.before());
    out.text(change.after());
  }

  static DriftEvent decode(Decoder in) throws ModelFileException {
    return new DriftEvent(
        in.count("the first row of a drift"),
        in.count("the row that a drift was noticed at"),
        in.finite("an error"),
        in.finite("an error"),
        in.float64(),
        changes(in),
        changes(in),
        changes(in),
        in.bool());
  }

  private static List<ChangeStudy.Changed> changes(Decoder in) throws ModelFileException {
    return in.list(
        "the changes",
        MOST_NAMED,
        c -> new ChangeStudy.Changed(c.text(), c.finite("a change"), c.text(), c.text()));
  }
}
