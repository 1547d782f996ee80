package org.avm4j.auto;

import org.avm4j.Kernel;
import org.avm4j.Status.Standing;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.table.Scaling;

/** The file format of a standing. */
final class StandingCodec {
  private StandingCodec() {}

  static void encode(Standing standing, Encoder out) {
    out.int64(standing.instances());
    Scaling.of(standing.scaling()).encode(out);
    standing.kernel().encode(out);
    out.float64(standing.width());
    out.float64(standing.prior());
    out.int32(standing.maxSize());
    out.float64(standing.loss());
    out.bool(standing.isBest());
  }

  static Standing decode(Decoder in) throws ModelFileException {
    return new Standing(
        in.count("the instances"),
        Scaling.decode(in).word(),
        Kernel.decode(in),
        in.finite("the width"),
        in.finite("the prior"),
        in.int32("the size cap", Integer.MAX_VALUE),
        in.finite("a loss"),
        in.bool());
  }
}
