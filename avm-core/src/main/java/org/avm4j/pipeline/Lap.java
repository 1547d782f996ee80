package org.avm4j.pipeline;

import org.avm4j.Kernel;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Scaling;

/**
 * How a machine of a race stood at some instance.
 *
 * @param instances how many were learned by then
 * @param scaling how its features are scaled
 * @param kernel its kernel
 * @param width γ times the mean distance of two rows, or its square where the kernel is of that
 * @param prior the strength of its prior
 * @param maxSize the most vectors it may hold
 * @param loss the mean loss of its answers
 * @param answers whether it was the one that answered
 */
public record Lap(
    long instances,
    Scaling scaling,
    Kernel kernel,
    double width,
    double prior,
    int maxSize,
    double loss,
    boolean answers) {
  void encode(Encoder out) {
    out.int64(instances);
    out.int32(scaling.ordinal());
    kernel.encode(out);
    out.float64(width);
    out.float64(prior);
    out.int32(maxSize);
    out.float64(loss);
    out.bool(answers);
  }

  static Lap decode(Decoder in) throws ModelFileException {
    return new Lap(
        in.count("the instances of a lap"),
        Scaling.values()[in.int32("the scaling", Scaling.values().length - 1)],
        Kernel.decode(in),
        in.finite("the width"),
        in.finite("the prior"),
        in.int32("the size cap", Integer.MAX_VALUE),
        in.finite("a loss"),
        in.bool());
  }
}
