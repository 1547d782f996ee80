package org.avm4j.explain;

import org.avm4j.Features;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * A row of a stream with the answer that was given before its label was known.
 *
 * <p>In a file: number (8), label (8), answer (8), loss (8), and the features.
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
    x.encode(out);
  }

  static WatchedRow decode(Decoder in) throws ModelFileException {
    long number = in.count("the number of a row");
    double label = in.finite("a label");
    double answer = in.float64();
    double loss = in.finite("a loss");
    return new WatchedRow(number, Features.decode(in), label, answer, loss);
  }
}
