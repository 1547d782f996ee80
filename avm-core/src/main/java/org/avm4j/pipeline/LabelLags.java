package org.avm4j.pipeline;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.avm4j.Features;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Schema;
import org.avm4j.internal.Rules;
import org.avm4j.table.RefusedRowException;

/**
 * Labels of earlier rows as features of a row, for numbers in the order of time. Feature {@code
 * first} is the label of the latest row whose label is known when the row is answered, the next
 * feature that of the row before it, and so on.
 *
 * <p>In a file: the number of lags (4), the first feature (4), the delay (4), and the labels at the
 * end of the data (4 and 8 each).
 *
 * @param count number of labels that a row sees
 * @param first the feature that holds the latest of them; those of the data come before it
 * @param delay number of answers by which labels are known late
 * @param last the labels at the end of the data, the latest last; they precede later rows
 */
public record LabelLags(int count, int first, int delay, List<Double> last) {
  /** The most lags. */
  public static final int MOST = 100;

  /** The longest delay. */
  public static final int LONGEST_DELAY = 1 << 20;

  static final String SECTION = "lags";

  public LabelLags {
    Rules.require(count >= 1 && count <= MOST, "lags must be from 1 to " + MOST, count);
    Rules.require(first >= 0, "the first feature of lags must be >= 0", first);
    boolean isDelay = delay >= 0 && delay <= LONGEST_DELAY;
    Rules.require(isDelay, "the delay of lags must be from 0 to " + LONGEST_DELAY, delay);
    boolean isFew = last.size() <= count + delay;
    Rules.require(isFew, "there must be at most " + (count + delay) + " last labels", last.size());
    last = List.copyOf(last);
  }

  /** A copy with other labels at the end of the data. */
  public LabelLags endingIn(List<Double> labels) {
    return new LabelLags(count, first, delay, labels);
  }

  /** The names of the features: "price (1 row before)" is the label of the row before. */
  public List<String> names(Schema table) {
    String label = table.origin().label() == null ? "label" : table.origin().label();
    return IntStream.rangeClosed(delay + 1, delay + count)
        .mapToObj(rows -> label + " (" + rows + (rows == 1 ? " row" : " rows") + " before)")
        .toList();
  }

  /** The preparation with names for the features of lags; unchanged if there are none. */
  static Preparation named(Preparation plain, LabelLags lags) {
    Schema table = plain.schema();
    return lags == null
        ? plain
        : plain.withSchema(table.withAppended(lags.first, lags.names(table)));
  }

  /** Throws an exception if a model has lags, for rows whose position in time is unknown. */
  static void checkNone(LabelLags lags) {
    if (lags != null) {
      throw new RefusedRowException(
          RefusedRowException.Reason.VALUE,
          "the model sees labels of earlier rows, so that only rows of a file can be answered");
    }
  }

  void encode(Encoder out) {
    out.int32(count);
    out.int32(first);
    out.int32(delay);
    out.counted(last.stream().mapToDouble(Double::doubleValue).toArray());
  }

  static LabelLags decode(Decoder in) throws ModelFileException {
    int count = in.int32("the lags", MOST);
    Decoder.check(count > 0, "there must be a lag", count);
    int first = in.int32("the feature of a lag", Features.MAX_DIMENSION - MOST);
    int delay = in.int32("the delay of lags", LONGEST_DELAY);
    double[] last = in.counted("the labels at the end", count + delay);
    return new LabelLags(count, first, delay, Arrays.stream(last).boxed().toList());
  }

  /** Reads the next section if it holds lags; else returns null. */
  static LabelLags next(Decoder in) throws ModelFileException {
    return in.optional(SECTION, LabelLags::decode).orElse(null);
  }
}
