package org.avm4j.auto;

import java.util.ArrayList;
import java.util.List;
import org.avm4j.FeatureException;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.OnlineLearner;
import org.avm4j.Status.Lap;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;
import org.avm4j.data.Scaling;

/** How the instances that automatic mode keeps, and its laps, stand in files. */
final class AutoCodec {
  private AutoCodec() {}

  static void encodeInstances(List<Instance> first, Encoder out) {
    out.int32(first.size());
    first.forEach(instance -> encode(instance, out));
  }

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

  private static void encode(Instance instance, Encoder out) {
    instance.features().encode(out);
    out.float64(instance.label());
    out.float64(instance.weight());
  }

  static List<Instance> decodeInstances(Decoder in) throws ModelFileException {
    int kept = in.int32("the instances kept", 1 << 20);
    List<Instance> instances = new ArrayList<>();
    for (int i = 0; i < kept; i++) {
      instances.add(decodeInstance(in));
    }
    return instances;
  }

  static List<Lap> decodeLaps(Decoder in) throws ModelFileException {
    int count = in.int32("the laps", 1 << 20);
    List<Lap> laps = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      laps.add(decodeLap(in));
    }
    return laps;
  }

  private static Instance decodeInstance(Decoder in) throws ModelFileException {
    Features x = Features.decode(in);
    double label = in.finite("a label");
    double weight = in.version() == 1 ? 1 : in.float64();
    check(x, label);
    OnlineLearner.checkWeight(weight);
    return new Instance(x, label, weight);
  }

  /** Refuses features and labels that no learner could learn. */
  static void check(Features x, double y) {
    new Task.Regression().check(y);
    FeatureException.check(x);
  }
}
