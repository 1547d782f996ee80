package org.avm4j;

import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;

/** The kinds of files that can be read, by name. An immutable value. */
public final class Kinds {
  private final Map<String, Kind> byName;

  private Kinds(Map<String, Kind> byName) {
    this.byName = byName;
  }

  /** Those of this library and of all plug-ins that its class loader sees. */
  public static Kinds installed() {
    return Installed.KINDS;
  }

  /** These kinds and one more, or one instead of that with its name. */
  Kinds with(Kind kind) {
    Map<String, Kind> more = new TreeMap<>(byName);
    more.put(kind.name(), kind);
    return new Kinds(more);
  }

  /** The learner that a file holds. */
  public OnlineLearner learner(ModelFile file) throws ModelFileException {
    return file.read(name -> kind(name).learner());
  }

  /** The model that a file holds, or a snapshot of the learner that it holds. */
  public Model model(ModelFile file) throws ModelFileException {
    return file.read(name -> kind(name).model());
  }

  /** The learner that a file holds, or the model where it holds one that cannot go on learning. */
  public Predictor predictor(ModelFile file) throws ModelFileException {
    return kind(file.kind()).isLearner() ? learner(file) : model(file);
  }

  /** Reads a learner that was appended by {@link org.avm4j.codec.Encoder#nested}. */
  public OnlineLearner learner(Decoder in) throws ModelFileException {
    return in.nested(name -> kind(name).learner());
  }

  /** Reads a model, or a snapshot of a learner, that was appended in the same way. */
  public Model model(Decoder in) throws ModelFileException {
    return in.nested(name -> kind(name).model());
  }

  /** The kind of this name, or a sentence that lists those that are known. */
  public Kind kind(String name) throws ModelFileException {
    Kind kind = byName.get(name);
    if (kind == null) {
      throw new ModelFileException(
          "the file holds '" + name + "', expected one of " + String.join(", ", byName.keySet()));
    }
    return kind;
  }

  private static final class Installed {
    static final Kinds KINDS = find();

    private static Kinds find() {
      Kinds all = new Kinds(Map.of());
      for (KindProvider provider :
          ServiceLoader.load(KindProvider.class, Kinds.class.getClassLoader())) {
        for (Kind kind : provider.kinds()) {
          all = all.with(kind);
        }
      }
      return all;
    }
  }
}
