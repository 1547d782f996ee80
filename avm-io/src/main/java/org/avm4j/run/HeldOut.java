package org.avm4j.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.avm4j.Features;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;
import org.avm4j.explain.Importance;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.PreparedModel;

/**
 * The last rows of the first pass, and the model from before it learned any of them. The error and
 * the importance of columns are measured on these rows. At first, no rows are held out.
 *
 * <p>In a checkpoint: the first row that is held out (8); whether the model was taken (1), and if
 * so the model; the number of rows (4), and of each its label (8), the number of its features (4),
 * of its entries (4), and the index (4) and value (8) of each entry.
 */
final class HeldOut {
  private static final int PART = 5;

  private static final long NEVER = Long.MAX_VALUE;

  private long from = NEVER;
  private final List<Instance> rows = new ArrayList<>();
  private PreparedModel model;

  /** Holds out the latest rows if their order in time is known, else the last rows: a fifth. */
  void holdOut(long count, TimeOrder time) {
    from = count - (time.isKnown() ? time.late() : Math.min(Importance.MOST_ROWS, count / PART));
  }

  boolean isWanted() {
    return from < NEVER;
  }

  /** Whether the rows before those that are held out were learned. */
  boolean hasModel() {
    return model != null;
  }

  /**
   * The estimated error of the model. Empty if there are too few rows, or if they were not
   * shuffled: the last rows need not be like new data.
   */
  Optional<Estimate> estimate(boolean areShuffled) {
    return areShuffled && rows.size() >= Estimate.FEWEST
        ? Optional.of(Estimate.of(model, rows))
        : Optional.empty();
  }

  /** The rows with the scores of the model from before them. */
  Averaging.Answered answered() {
    return new Averaging.Answered(rows, HeldScores.of(model, rows));
  }

  /** The number of rows before the first one that is held out. */
  long from() {
    return from;
  }

  /** The model from before these rows. */
  PreparedModel model() {
    return model;
  }

  /** Takes the model once the given number of rows reaches those to hold out. */
  void advance(long read, Pipeline pipeline) {
    if (model == null && read >= from) {
      model = pipeline.settled();
    }
  }

  /** Keeps a row that was answered in the first pass, if it is one to hold out. */
  void take(Features x, double label) {
    if (model != null && rows.size() < Importance.MOST_ROWS) {
      rows.add(new Instance(x.copy(), label));
    }
  }

  /** How much the model depends on each column; empty if there are too few rows. */
  Optional<Importance> importance(long seed) {
    return rows.size() < Estimate.FEWEST
        ? Optional.empty()
        : Optional.of(
            Importance.measure(model, rows, model.preparation().schema(), seed, from + from / 4));
  }

  void encode(Encoder out) {
    out.int64(from);
    out.bool(model != null);
    out.optional("model", model, PreparedModel::encode);
    out.list(rows, HeldOut::encode);
  }

  private static void encode(Instance row, Encoder out) {
    out.float64(row.label());
    row.features().encode(out);
  }

  static HeldOut decode(Decoder in) throws ModelFileException {
    HeldOut held = new HeldOut();
    held.from = in.int64();
    held.model = in.bool() ? in.section("model", PreparedModel::decode) : null;
    held.rows.addAll(in.list("the rows held out", Importance.MOST_ROWS, HeldOut::decodeRow));
    return held;
  }

  private static Instance decodeRow(Decoder in) throws ModelFileException {
    double label = in.finite("a label");
    return new Instance(Features.decode(in), label);
  }
}
