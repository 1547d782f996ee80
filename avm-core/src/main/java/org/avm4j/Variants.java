package org.avm4j;

import java.util.LinkedHashMap;
import java.util.Map;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile.Content;
import org.avm4j.codec.ModelFileException;

/**
 * The variants of one choice as they stand in files: a tag of four bytes, then what the variant
 * writes. Tags are part of the format: a new variant gets a new one, and none is ever used again.
 */
final class Variants<T> {
  /** Writes the numbers of a variant. */
  interface Writer<V> {
    void write(V variant, Encoder out);
  }

  private record Variant<T>(int tag, Writer<T> writer, Content<? extends T> reader) {}

  private final String what;
  private final Map<Class<?>, Variant<T>> byClass = new LinkedHashMap<>();
  private final Map<Integer, Variant<T>> byTag = new LinkedHashMap<>();

  /** The variants of what messages call this. */
  Variants(String what) {
    this.what = what;
  }

  /** Adds a variant that has no numbers. */
  <V extends T> Variants<T> add(int tag, V variant) {
    return put(tag, variant.getClass(), (v, out) -> {}, in -> variant);
  }

  /** Adds a variant with numbers. */
  <V extends T> Variants<T> add(int tag, Class<V> type, Writer<V> writer, Content<V> reader) {
    return put(tag, type, (v, out) -> writer.write(type.cast(v), out), reader);
  }

  private Variants<T> put(int tag, Class<?> type, Writer<T> writer, Content<? extends T> reader) {
    Variant<T> variant = new Variant<>(tag, writer, reader);
    byClass.put(type, variant);
    byTag.put(tag, variant);
    return this;
  }

  void encode(Encoder out, T choice) {
    Variant<T> variant = byClass.get(choice.getClass());
    out.int32(variant.tag);
    variant.writer.write(choice, out);
  }

  T decode(Decoder in) throws ModelFileException {
    int tag = in.int32();
    Decoder.check(byTag.containsKey(tag), what + " must be one of " + byTag.keySet(), tag);
    return byTag.get(tag).reader.read(in);
  }
}
