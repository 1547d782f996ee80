package org.avm4j.auto;

import java.util.ArrayList;
import java.util.List;
import org.avm4j.Avm;
import org.avm4j.AvmModel;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/** A few models as they were before the stream changed, because it may change back. */
final class Past {
  /** The most models that are kept; then the oldest gives way. */
  static final int MOST = 4;

  private final List<AvmModel> kept = new ArrayList<>();
  private AvmModel before;
  private AvmModel lately;
  private int next;

  int size() {
    return kept.size();
  }

  AvmModel get(int slot) {
    return kept.get(slot);
  }

  /** Looks at a machine, as it should be from time to time, so that it can be had as it was. */
  void look(Avm machine) {
    before = lately;
    lately = machine.snapshot();
  }

  /** The stream has changed: returns the place of the model that is kept, or -1. */
  int keep() {
    if (before == null) {
      return -1;
    }
    int slot = next;
    if (slot == kept.size()) {
      kept.add(before);
    } else {
      kept.set(slot, before);
    }
    next = (next + 1) % MOST;
    before = null;
    lately = null;
    return slot;
  }

  void encode(Encoder out) {
    out.int32(next);
    out.int32(kept.size());
    kept.forEach(model -> out.section("model", model::encode));
    encode(out, "before", before);
    encode(out, "lately", lately);
  }

  private static void encode(Encoder out, String name, AvmModel model) {
    if (model != null) {
      out.section(name, model::encode);
    }
  }

  static Past decode(Decoder in) throws ModelFileException {
    Past past = new Past();
    past.next = in.int32("the oldest model", MOST - 1);
    int count = in.int32("the models", MOST);
    for (int i = 0; i < count; i++) {
      past.kept.add(in.section("model", AvmModel::decode));
    }
    Decoder.check(past.next <= count, "the oldest model must be there", past.next);
    past.before = decode(in, "before");
    past.lately = decode(in, "lately");
    return past;
  }

  private static AvmModel decode(Decoder in, String name) throws ModelFileException {
    return in.hasSection(name) ? in.section(name, AvmModel::decode) : null;
  }
}
