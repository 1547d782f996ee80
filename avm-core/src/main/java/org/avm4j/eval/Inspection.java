package org.avm4j.eval;

import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * The figures at one point of a stream.
 *
 * @param instances how many instances have been answered and learned
 * @param metric the mistake rate or RMSE over all of them
 * @param recent the same since the inspection before
 * @param size the number of vectors
 * @param seconds the time spent so far
 * @param memory the effective number of instances in the model
 * @param drifts how many changes of the stream were found so far
 */
public record Inspection(
    long instances,
    double metric,
    double recent,
    int size,
    double seconds,
    double memory,
    long drifts) {
  void encode(Encoder out) {
    out.int64(instances);
    out.float64(metric);
    out.float64(recent);
    out.int32(size);
    out.float64(seconds);
    out.float64(memory);
    out.int64(drifts);
  }

  static Inspection decode(Decoder in) throws ModelFileException {
    return new Inspection(
        in.int64(), in.float64(), in.float64(), in.int32(), in.float64(), in.float64(), in.int64());
  }
}
