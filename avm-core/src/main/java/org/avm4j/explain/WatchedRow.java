package org.avm4j.explain;

import org.avm4j.Features;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * A row of a stream with the answer that was given before its label was known.
 *
 * <p>In a file: number (8), label (8), answer (8), loss (8), the number of its features (4), of its
 * entries (4), and the index (4) and value (8) of each entry.
 *
 * @param number counted from 1
 * @param loss of the answer, from 0 to 1
 */
record WatchedRow(long number, Features x, double label, double answer, double loss) {
  void encode(Encoder out) {
    out.int64(number);
    out.float64(label);
    out.float64(answer);
    out.float64(loss);
    out.int32(x.dimension());
    out.int32(x.count());
    for (int e = 0; e < x.count(); e++) {
      out.int32(x.index(e));
      out.float64(x.value(e));
    }
  }

  static WatchedRow decode(Decoder in) throws ModelFileException {
    long number = in.count("the number of a row");
    double label = in.finite("a label");
    double answer = in.float64();
    double loss = in.finite("a loss");
    return new WatchedRow(number, features(in), label, answer, loss);
  }

  private static Features features(Decoder in) throws ModelFileException {
    int dimension = in.int32("the features", Features.MAX_DIMENSION);
    int entries = in.int32("the entries", dimension);
    Features.Buffer row = new Features.Buffer();
    for (int e = 0; e < entries; e++) {
      int index = in.int32("a feature", dimension - 1);
      Decoder.check(index >= row.features().dimension(), "features must ascend", index);
      row.add(index, in.finite("a value"));
    }
    if (row.features().dimension() < dimension) {
      row.add(dimension - 1, 0);
    }
    return row.features().copy();
  }
}
