package org.avm4j.eval;

import org.avm4j.Features;
import org.avm4j.OnlineLearner;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/** Counts rows without a label, and those of them that the learner used. */
final class UnlabelledRows {
  private long count;
  private long observed;

  long count() {
    return count;
  }

  long observed() {
    return observed;
  }

  /** Counts a row, also one that is refused: a run that goes on must not see it again. */
  void add() {
    count++;
  }

  /** Lets the learner observe the row that was counted last. */
  boolean observe(OnlineLearner learner, Features x) {
    boolean isUsed = learner.observe(x);
    observed += isUsed ? 1 : 0;
    return isUsed;
  }

  void encode(Encoder out) {
    out.int64(count);
    out.int64(observed);
  }

  static UnlabelledRows decode(Decoder in) throws ModelFileException {
    UnlabelledRows rows = new UnlabelledRows();
    rows.count = in.count("the rows without a label");
    rows.observed = in.count("the rows without a label that were of use");
    Decoder.check(
        rows.observed <= rows.count,
        "the rows used must not exceed the rows that came",
        rows.observed);
    return rows;
  }
}
