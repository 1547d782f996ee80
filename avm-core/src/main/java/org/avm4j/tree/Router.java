package org.avm4j.tree;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.avm4j.Features;
import org.avm4j.Kernel;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.form.ModelForm;
import org.avm4j.points.CoreSet;
import org.avm4j.points.KernelRow;

/**
 * Sends an instance to the nearest of a few centres: the coarse cells of a tree. Immutable, and
 * safe to use from several threads.
 *
 * <p>On data of few distinct values an instance is often equally near to several centres. Then the
 * first of them gets it: centres count as equally near if their squared distances differ by at most
 * {@link ModelForm#SAME_DISTANCE} of the least one. Distances are found in floats, and those that
 * floats cannot tell apart are taken again in doubles.
 */
final class Router {
  /** Only distances count. */
  private static final Kernel ANY = Kernel.rationalQuadratic(1);

  private final CoreSet centres;
  private final AtomicReference<KernelRow> spare = new AtomicReference<>();

  private Router(CoreSet centres) {
    this.centres = centres;
  }

  /** A router to these centres. */
  static Router to(List<Features> centres) {
    CoreSet set = new CoreSet();
    KernelRow row = new KernelRow(set, ANY);
    for (Features centre : centres) {
      row.measure(centre);
      set.add(row, true);
    }
    return new Router(set);
  }

  /** Where instances are sent. */
  List<Features> centres() {
    return IntStream.range(0, ways()).mapToObj(centres::vector).toList();
  }

  /** The number of centres. */
  int ways() {
    return centres.size();
  }

  /** The centre that is nearest to x, of equals the first. */
  int route(Features x) {
    KernelRow row = spare.getAndSet(null);
    row = row == null ? new KernelRow(centres, ANY) : row;
    row.measure(x);
    int nearest = row.firstNearest();
    spare.set(row);
    return nearest;
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
