package org.avm4j;

import java.util.List;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/** Sends an instance to the nearest of a few centres: the coarse cells of a tree. */
final class Router {
  /** Only distances count. */
  private static final Kernel ANY = new Kernel.RationalQuadratic(1);

  private final CoreSet centres;
  private final KernelRow row;

  private Router(CoreSet centres) {
    this.centres = centres;
    row = new KernelRow(centres, ANY);
  }

  /** A router to these centres. */
  static Router to(List<Features> centres) {
    Router router = new Router(new CoreSet());
    for (Features centre : centres) {
      router.row.measure(centre);
      router.centres.add(router.row, true);
    }
    return router;
  }

  /** The number of centres. */
  int ways() {
    return centres.size();
  }

  /** The centre that is nearest to x. */
  int route(Features x) {
    row.measure(x);
    return row.nearest();
  }

  /** A router to the same centres for another thread. */
  Router twin() {
    return new Router(centres);
  }

  void encode(Encoder out) {
    centres.encode(out);
  }

  static Router decode(Decoder in) throws ModelFileException {
    CoreSet centres = CoreSet.decode(in);
    Decoder.check(centres.size() >= 2, "a router must have two ways", centres.size());
    return new Router(centres);
  }
}
