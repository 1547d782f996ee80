package org.avm4j.internal;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile.Content;
import org.avm4j.codec.ModelFileException;

/**
 * The file format of the variants of one choice: a tag of four bytes, then what the variant writes.
 * Tags are part of the format: a new variant gets a new tag, and tags are never reused.
 */
public final class Variants<T> {
  /** Writes the numbers of a variant. */
  public interface Writer<V> {
    /** Appends the parameters of a variant. */
    void write(V variant, Encoder out);
  }

  private record Variant<T>(Predicate<T> is, Writer<T> writer, Content<? extends T> reader) {}

  private final String what;
  private final Map<Integer, Variant<T>> byTag = new LinkedHashMap<>();

  /** The variants of what messages call this. */
  public Variants(String what) {
    this.what = what;
  }

  /** Adds a variant that has no numbers. */
  public <V extends T> Variants<T> add(int tag, V variant) {
    byTag.put(tag, new Variant<>(variant::equals, (v, out) -> {}, in -> variant));
    return this;
  }

  /** Adds a variant that has no number where others have one: eight bytes are 0. */
  public <V extends T> Variants<T> addPadded(int tag, V variant) {
    byTag.put(
        tag, new Variant<>(variant::equals, (v, out) -> out.int64(0), in -> padded(in, variant)));
    return this;
  }

  private static <V> V padded(Decoder in, V variant) throws ModelFileException {
    in.int64();
    return variant;
  }

  /** Adds a variant with numbers. */
  public <V extends T> Variants<T> add(
      int tag, Class<V> type, Writer<V> writer, Content<V> reader) {
    return add(tag, type, all -> true, writer, reader);
  }

  /** Adds a variant with numbers, of the values of a type that satisfy a condition. */
  public <V extends T> Variants<T> add(
      int tag, Class<V> type, Predicate<V> condition, Writer<V> writer, Content<V> reader) {
    Predicate<T> is = value -> type.isInstance(value) && condition.test(type.cast(value));
    byTag.put(tag, new Variant<>(is, (v, out) -> writer.write(type.cast(v), out), reader));
    return this;
  }

  /** Appends the tag and the parameters of a choice. */
  public void encode(Encoder out, T choice) {
    for (Map.Entry<Integer, Variant<T>> entry : byTag.entrySet()) {
      if (entry.getValue().is.test(choice)) {
        out.int32(entry.getKey());
        entry.getValue().writer.write(choice, out);
        return;
      }
    }
    throw new IllegalStateException(what + " has no tag: " + choice);
  }

  /** Reads what {@link #encode} wrote. */
  public T decode(Decoder in) throws ModelFileException {
    int tag = in.int32();
    Decoder.check(byTag.containsKey(tag), what + " must be one of " + byTag.keySet(), tag);
    return byTag.get(tag).reader.read(in);
  }
}
