package org.avm4j.auto;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;

/**
 * The instances that automatic mode keeps: the first ones for good, those after them until the
 * metric is learned again, or until there are too many.
 */
final class FirstRows {
  /** The most values of features that are kept after the first instances. */
  private static final long MOST_VALUES = 1 << 21;

  private static final String LATER = "later";

  private final List<Instance> first = new ArrayList<>();
  private final List<Instance> later = new ArrayList<>();
  private long values;

  void clear() {
    first.clear();
    later.clear();
    values = 0;
  }

  List<Instance> first() {
    return first;
  }

  void addFirst(Instance instance) {
    first.add(instance);
  }

  void addLater(Instance instance) {
    values += instance.features().count();
    if (values <= MOST_VALUES) {
      later.add(instance);
    }
  }

  /** Whether there are instances after the first ones, and all of them are kept. */
  boolean hasLater() {
    return !later.isEmpty() && values <= MOST_VALUES;
  }

  List<Instance> all() {
    return Stream.concat(first.stream(), later.stream()).toList();
  }

  void forgetLater() {
    later.clear();
  }

  /** Appends, if there are any, «later» and the number of values (8). */
  void encodeLater(Encoder out) {
    if (!later.isEmpty()) {
      out.section(LATER, section -> AutoCodec.encodeInstances(later, section));
      out.int64(values);
    }
  }

  void decodeLater(Decoder in) throws ModelFileException {
    if (in.hasSection(LATER)) {
      later.addAll(in.section(LATER, AutoCodec::decodeInstances));
      values = in.count("the values kept");
    }
  }
}
