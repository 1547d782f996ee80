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
 * <p>On data with few distinct values an instance is often equally near to several centres, of
 * which the first is taken. Centres count as equally near if their squared distances differ by at
 * most {@link ModelForm#SAME_DISTANCE} times the smallest one. Distances are computed in floats,
 * and again in doubles where floats cannot tell them apart.
 */
final class Router {
  /** Any kernel will do, because only distances are used. */
  private static final Kernel ANY = Kernel.rationalQuadratic(1);

  private final CoreSet centres;
  private final AtomicReference<KernelRow> spare = new AtomicReference<>();

  private Router(CoreSet centres) {
    this.centres = centres;
  }

  static Router to(List<Features> centres) {
    return new Router(CoreSet.of(centres));
  }

  List<Features> centres() {
    return IntStream.range(0, ways()).mapToObj(centres::vector).toList();
  }

  int ways() {
    return centres.size();
  }

  /** The index of the centre nearest to x; of equally near ones the first. */
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
