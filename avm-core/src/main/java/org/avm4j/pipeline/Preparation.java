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
 * @param scaler the scaling of features
 * @param labels what happens to labels
 */
public record Preparation(Schema schema, Scaler scaler, Labels labels) {
  /** Rows and labels as they are. */
  public static Preparation none() {
    return new Preparation(new Schema(), new Scaler(Scaling.NONE), new Labels.Plain());
  }

  /** The row as it is learned; the next call uses it again, so this is for one thread. */
  public Features learned(Features x) {
    return scaler.apply(x);
  }

  /** The row as it is learned, in a buffer of the caller. */
  public Features learned(Features x, Features.Buffer into) {
    return scaler.apply(x, into);
  }

  /** Appends schema, scaler and labels. */
  public void encode(Encoder out) {
    schema.encode(out);
    scaler.encode(out);
    labels.encode(out);
  }

  /** The preparation that was appended. */
  public static Preparation decode(Decoder in) throws ModelFileException {
    return new Preparation(Schema.decode(in), Scaler.decode(in), Labels.decode(in));
  }
}
