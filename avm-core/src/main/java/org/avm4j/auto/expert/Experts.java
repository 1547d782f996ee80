package org.avm4j.auto.expert;

import java.util.LinkedHashMap;
import java.util.Map;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/** All kinds of experts and their file format: the name of the kind, then its content. */
public final class Experts {
  /** Reads one expert. */
  private interface Reader {
    Opinion read(Decoder in, SharedInputs shared, Task.Kind task) throws ModelFileException;
  }

  private static final Map<Class<? extends Opinion>, String> NAMES = new LinkedHashMap<>();
  private static final Map<String, Reader> READERS = new LinkedHashMap<>();

  static {
    add("mean", Mean.class, (in, shared, task) -> Mean.decode(in));
    add("last", LastLabel.class, (in, shared, task) -> LastLabel.decode(in, task));
    add("linear", LinearExpert.class, LinearExpert::decode);
    add("kernel", KernelExpert.class, (in, shared, task) -> KernelExpert.decode(in, shared));
    add("machine", MachineExpert.class, MachineExpert::decode);
    add("neighbours", Neighbours.class, Neighbours::decode);
    add("forest", Forest.class, Forest::decode);
    add("boosted", BoostedExpert.class, BoostedExpert::decode);
    add("graph", LabelGraph.class, (in, shared, task) -> LabelGraph.decode(in, task));
    add("frozen", Frozen.class, Frozen::decode);
  }

  private Experts() {}

  private static void add(String name, Class<? extends Opinion> kind, Reader reader) {
    NAMES.put(kind, name);
    READERS.put(name, reader);
  }

  /** Adds the inputs of an expert to the shared ones. */
  public static void take(Opinion expert, SharedInputs shared) {
    expert.encode(new Encoder(), shared);
  }

  /** Appends an expert, live or frozen. */
  public static void encode(Opinion expert, Encoder out, SharedInputs shared) {
    out.text(NAMES.get(expert.getClass()));
    expert.encode(out, shared);
  }

  /** Reads an expert that learns. */
  public static Expert decodeLive(Decoder in, SharedInputs shared, Task.Kind task)
      throws ModelFileException {
    Opinion found = decode(in, shared, task);
    Decoder.check(
        found instanceof Expert expert && expert.learns(), "an expert must learn", found.name());
    return (Expert) found;
  }

  /** Reads what {@link #encode} wrote. */
  public static Opinion decode(Decoder in, SharedInputs shared, Task.Kind task)
      throws ModelFileException {
    String name = in.text();
    Reader reader = READERS.get(name);
    Decoder.check(reader != null, "an expert must be of a known kind", name);
    return reader.read(in, shared, task);
  }
}
