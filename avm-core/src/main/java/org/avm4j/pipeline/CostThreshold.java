package org.avm4j.pipeline;

import org.avm4j.Prediction;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Rules;

/**
 * The score from which the upper of two classes is answered, instead of 0: the one at which
 * mistakes cost least on held-out rows.
 *
 * <p>In a file: the score (8), whether the upper class is the rarer one (1), the cost of a missed
 * row (8), of a false alarm (8), and the number of rows that chose the score (8).
 *
 * @param score the upper class is answered from this score on
 * @param isUpperRare whether the upper class is the rarer one, to which {@code costs} refers
 * @param costs what mistakes cost
 * @param rows number of rows that chose the score
 */
public record CostThreshold(double score, boolean isUpperRare, Costs costs, long rows) {
  static final String SECTION = "threshold";

  public CostThreshold {
    boolean isChosen = Double.isFinite(score) && rows >= 1;
    Rules.require(
        isChosen,
        "a threshold must be a finite number chosen by at least one row",
        score + " by " + rows);
  }

  /** A copy of an answer with the label that follows from the threshold. */
  public Prediction of(Prediction answer) {
    double[] classes = answer.classes();
    double[] scores = answer.scores();
    return Calibration.isPair(scores, classes)
        ? answer.withLabel(classes[scores[0] >= score ? 1 : 0])
        : answer;
  }

  void encode(Encoder out) {
    out.float64(score);
    out.bool(isUpperRare);
    out.float64(costs.missed());
    out.float64(costs.alarm());
    out.int64(rows);
  }

  static CostThreshold decode(Decoder in) throws ModelFileException {
    double score = in.finite("a threshold");
    boolean isUpperRare = in.bool();
    double missed = in.finite("the cost of a missed row");
    double alarm = in.finite("the cost of a false alarm");
    Decoder.check(missed > 0 && missed <= Costs.MOST, "a cost must be above 0", missed);
    Decoder.check(alarm > 0 && alarm <= Costs.MOST, "a cost must be above 0", alarm);
    long rows = in.int64();
    Decoder.check(rows > 0, "rows must have chosen the threshold", rows);
    return new CostThreshold(score, isUpperRare, new Costs(missed, alarm), rows);
  }

  /** Reads the next section if it is a threshold; else returns null. */
  static CostThreshold next(Decoder in) throws ModelFileException {
    return in.optional(SECTION, CostThreshold::decode).orElse(null);
  }
}
