package org.avm4j.auto;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import org.avm4j.auto.constants.Constants;
import org.avm4j.auto.expert.KeptInstances;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;

/**
 * The instances that automatic mode stores: the first ones permanently, later ones while a search
 * runs or is still to come.
 */
final class FirstRows {
  private static final String LATER = "later";

  private final List<Instance> first = new ArrayList<>();
  private final List<Instance> later = new ArrayList<>();
  private final List<Instance> all = new View();
  private long values;

  /** The first instances, followed by the later ones. */
  private final class View extends AbstractList<Instance> {
    @Override
    public Instance get(int i) {
      return i < first.size() ? first.get(i) : later.get(i - first.size());
    }

    @Override
    public int size() {
      return first.size() + later.size();
    }
  }

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
    later.add(instance);
  }

  /** Whether there is room for another instance. */
  boolean hasRoom() {
    return values < Constants.MOST_VALUES && later.size() < Constants.MOST_ROWS;
  }

  /** A view of all stored instances. */
  List<Instance> all() {
    return all;
  }

  void forgetLater() {
    later.clear();
    values = 0;
  }

  /** Appends «later» and the number of values (8), if there are later instances. */
  void encodeLater(Encoder out) {
    if (!later.isEmpty()) {
      out.section(LATER, section -> KeptInstances.encode(later, section));
      out.int64(values);
    }
  }

  void decodeLater(Decoder in) throws ModelFileException {
    if (in.hasSection(LATER)) {
      later.addAll(in.section(LATER, KeptInstances::decode));
      values = in.count("the values kept");
    }
  }
}
