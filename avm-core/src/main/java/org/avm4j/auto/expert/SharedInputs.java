package org.avm4j.auto.expert;

import java.util.ArrayList;
import java.util.List;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/** The distinct inputs of several experts, so that a file holds shared ones only once. */
public final class SharedInputs {
  private static final int MOST = 1 << 10;

  private final List<Inputs> all = new ArrayList<>();

  /** Adds inputs, unless they are present, and returns their index. */
  public int place(Inputs inputs) {
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i) == inputs) {
        return i;
      }
    }
    inputs.base().ifPresent(this::place);
    all.add(inputs);
    return all.size() - 1;
  }

  /** Appends the index of inputs that were added before. */
  void encode(Inputs inputs, Encoder out) {
    out.int32(place(inputs));
  }

  /** Reads an index and returns the inputs there. */
  Inputs read(Decoder in) throws ModelFileException {
    int place = in.int32("the inputs of an expert", MOST);
    Decoder.check(place < all.size(), "the inputs of an expert must be there", place);
    return all.get(place);
  }

  /** Appends all inputs. */
  public void encode(Encoder out) {
    out.int32(all.size());
    all.forEach(inputs -> inputs.encode(out, this));
  }

  /** Reads what {@link #encode(Encoder)} wrote. */
  public static SharedInputs decode(Decoder in) throws ModelFileException {
    SharedInputs shared = new SharedInputs();
    int count = in.int32("the inputs", MOST);
    for (int i = 0; i < count; i++) {
      shared.all.add(Inputs.decode(in, shared));
    }
    return shared;
  }
}
