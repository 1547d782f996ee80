package org.avm4j.auto;

import java.util.ArrayList;
import java.util.List;
import org.avm4j.auto.constants.Constants;
import org.avm4j.auto.expert.InstanceCodec;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;

/**
 * The instances that automatic mode stores: the first ones permanently, later ones while a search
 * runs or is still to come.
 */
final class StoredRows {
  private static final String LATER = "later";

  private final List<Instance> all = new ArrayList<>();
  private int first;
  private long values;

  void clear() {
    all.clear();
    first = 0;
    values = 0;
  }

  /** The first instances; valid until another one is stored. */
  List<Instance> first() {
    return all.subList(0, first);
  }

  private List<Instance> later() {
    return all.subList(first, all.size());
  }

  /** All stored instances, the first ones first; the list grows with them. */
  List<Instance> all() {
    return all;
  }

  /** Stores one of the first instances; later ones are forgotten. */
  void addFirst(Instance instance) {
    forgetLater();
    all.add(instance);
    first++;
  }

  void addLater(Instance instance) {
    values += instance.features().count();
    all.add(instance);
  }

  /** Whether there is room for another instance. */
  boolean hasRoom() {
    return values < Constants.MOST_VALUES && later().size() < Constants.MOST_ROWS;
  }

  void forgetLater() {
    later().clear();
    values = 0;
  }

  /** Appends «later» and the number of values (8), if there are later instances. */
  void encodeLater(Encoder out) {
    if (!later().isEmpty()) {
      out.section(LATER, section -> InstanceCodec.encode(later(), section));
      out.int64(values);
    }
  }

  void decodeLater(Decoder in) throws ModelFileException {
    if (in.hasSection(LATER)) {
      all.addAll(in.section(LATER, InstanceCodec::decode));
      values = in.count("the values kept");
    }
  }
}
