package org.avm4j.pipeline;

import org.avm4j.Features;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Scaler;
import org.avm4j.data.Scaling;
import org.avm4j.data.Schema;

/**
 * What turns the rows and labels of a file into what is learned, and answers back into labels.
 *
 * @param schema the names of columns, categories and labels
 * @param scaler the scaling
 * @param pair the two labels of a binary task, or null
 */
public record Preparation(Schema schema, Scaler scaler, LabelPair pair) {
  /** Rows and labels as they are. */
  public static Preparation none() {
    return new Preparation(new Schema(), new Scaler(Scaling.NONE), null);
  }

  /** The row as it is learned; the next call uses it again, so this is for one thread. */
  public Features learned(Features x) {
    return scaler.apply(x);
  }

  /** The row as it is learned, in a buffer of the caller. */
  public Features learned(Features x, Features.Buffer into) {
    return scaler.apply(x, into);
  }

  /** The label as it is learned. */
  public double learned(double label) {
    return pair == null ? label : pair.learned(label);
  }

  /** The answer as it stands in the data. */
  public double given(double answer) {
    return pair == null ? answer : pair.given(answer);
  }

  /** The class labels as they stand in the data. */
  public double[] given(double[] classes) {
    return pair == null ? classes : new double[] {pair.lower(), pair.higher()};
  }

  /** Appends schema, scaler, a flag "has a label pair", and the pair (2 × 8 bytes). */
  public void encode(Encoder out) {
    schema.encode(out);
    scaler.encode(out);
    out.bool(pair != null);
    if (pair != null) {
      out.float64(pair.lower());
      out.float64(pair.higher());
    }
  }

  /** The preparation that was appended. */
  public static Preparation decode(Decoder in) throws ModelFileException {
    Schema schema = Schema.decode(in);
    Scaler scaler = Scaler.decode(in);
    return new Preparation(schema, scaler, in.bool() ? decodePair(in) : null);
  }

  private static LabelPair decodePair(Decoder in) throws ModelFileException {
    try {
      return new LabelPair(in.finite("a label"), in.finite("a label"));
    } catch (IllegalArgumentException refused) {
      throw new ModelFileException("damaged content: " + refused.getMessage());
    }
  }
}
