package org.avm4j.auto;

import java.util.ArrayList;
import java.util.List;
import org.avm4j.Kernel;
import org.avm4j.Status.Lap;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.table.Scaling;

/** How the laps of automatic mode stand in files. */
final class LapCodec {
  private LapCodec() {}

  static void encodeLaps(List<Lap> laps, Encoder out) {
    out.int32(laps.size());
    laps.forEach(lap -> encode(lap, out));
  }

  private static void encode(Lap lap, Encoder out) {
    out.int64(lap.instances());
    Scaling.of(lap.scaling()).encode(out);
    lap.kernel().encode(out);
    out.float64(lap.width());
    out.float64(lap.prior());
    out.int32(lap.maxSize());
    out.float64(lap.loss());
    out.bool(lap.answers());
  }

  private static Lap decodeLap(Decoder in) throws ModelFileException {
    return new Lap(
        in.count("the instances of a lap"),
        Scaling.decode(in).word(),
        Kernel.decode(in),
        in.finite("the width"),
        in.finite("the prior"),
        in.int32("the size cap", Integer.MAX_VALUE),
        in.finite("a loss"),
        in.bool());
  }

  static List<Lap> decodeLaps(Decoder in) throws ModelFileException {
    int count = in.int32("the laps", 1 << 20);
    List<Lap> laps = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      laps.add(decodeLap(in));
    }
    return laps;
  }
}
