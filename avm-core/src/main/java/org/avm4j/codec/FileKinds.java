package org.avm4j.codec;

import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** The kinds of files that can be read, by name. An immutable value. */
public final class FileKinds {
  private final Map<String, FileKind> byName;

  private FileKinds(Map<String, FileKind> byName) {
    this.byName = byName;
  }

  /** The kinds of this library and of all plug-ins that its class loader sees. */
  public static FileKinds installed() {
    return Installed.KINDS;
  }

  /** Copy with a kind added or replaced. */
  public FileKinds with(FileKind kind) {
    Map<String, FileKind> more = new TreeMap<>(byName);
    more.put(kind.name(), kind);
    return new FileKinds(more);
  }

  /** The learner that a file holds. */
  public <T> T learner(Class<T> type, ModelFile file) throws ModelFileException {
    return type.cast(file.read(name -> kind(name).learner()));
  }

  /** The model that a file holds, or a snapshot of the learner that it holds. */
  public <T> T model(Class<T> type, ModelFile file) throws ModelFileException {
    return type.cast(file.read(name -> kind(name).model()));
  }

  /** The learner that a file holds, or the model if it holds no learner. */
  public <T> T predictor(Class<T> type, ModelFile file) throws ModelFileException {
    return kind(file.kind()).isLearner() ? learner(type, file) : model(type, file);
  }

  /** Reads a learner that was appended by {@link Encoder#nested}. */
  public <T> T learner(Class<T> type, Decoder in) throws ModelFileException {
    return type.cast(in.nested(name -> kind(name).learner()));
  }

  /** Reads a model, or a snapshot of a learner, that was appended in the same way. */
  public <T> T model(Class<T> type, Decoder in) throws ModelFileException {
    return type.cast(in.nested(name -> kind(name).model()));
  }

  /** The kind of this name, or a sentence that lists those that are known. */
  public FileKind kind(String name) throws ModelFileException {
    FileKind kind = byName.get(name);
    if (kind == null) {
      throw new ModelFileException(
          "the file holds '" + name + "', expected one of " + String.join(", ", byName.keySet()));
    }
    return kind;
  }

  private static final class Installed {
    static final FileKinds KINDS = find();

    private static FileKinds find() {
      FileKinds all = new FileKinds(Map.of());
      for (FileKindProvider provider :
          ServiceLoader.load(FileKindProvider.class, FileKinds.class.getClassLoader())) {
        for (FileKind kind : provider.kinds()) {
          all = all.with(kind);
        }
      }
      return all;
    }
  }
}
