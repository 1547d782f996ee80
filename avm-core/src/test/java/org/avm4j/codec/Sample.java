package org.avm4j.codec;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A savable value with one of everything that can be encoded. */
record Sample(String name, long count, double ratio, List<Double> weights) implements Savable {
  static final String KIND = "sample";
  static final Sample ONE = new Sample("größe", 1L << 40, -0.25, List.of(1.5, -2.5, 1e-300));

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public void encode(Encoder out) {
    out.section(
        "head",
        head -> {
          head.text(name);
          head.int64(count);
        });
    out.section("body", this::encodeBody);
  }

  private void encodeBody(Encoder out) {
    out.bool(true);
    out.float64(ratio);
    out.section(
        "weights",
        inner -> {
          inner.int32(weights.size());
          inner.doubles(weights.stream().mapToDouble(w -> w).toArray(), weights.size());
          inner.floats(new float[] {0.5f, 0.25f, 9}, 2);
          inner.bytes(new byte[] {1, 2, 3});
        });
  }

  static Sample decode(Decoder in) throws ModelFileException {
    String[] name = new String[1];
    long count =
        in.section(
            "head",
            head -> {
              name[0] = head.text();
              return head.count("the count");
            });
    return in.section("body", body -> decodeBody(body, name[0], count));
  }

  private static Sample decodeBody(Decoder in, String name, long count) throws ModelFileException {
    Decoder.check(in.bool(), "the flag must be set", false);
    double ratio = in.finite("the ratio");
    return new Sample(name, count, ratio, in.section("weights", Sample::decodeWeights));
  }

  private static List<Double> decodeWeights(Decoder in) throws ModelFileException {
    int n = in.int32();
    List<Double> weights = new ArrayList<>();
    for (double weight : in.doubles(n, n)) {
      weights.add(weight);
    }
    in.floats(2, 2);
    in.bytes();
    return weights;
  }

  /** The content, without a frame. */
  byte[] content() {
    Encoder out = new Encoder();
    encode(out);
    return out.toBytes();
  }

  /** A decoder of these bytes, which it finds in chunks of the given size. */
  static Decoder decoder(byte[] bytes, int chunk, int version) {
    List<ByteBuffer> chunks = new ArrayList<>();
    for (int from = 0; from < bytes.length; from += chunk) {
      chunks.add(ByteBuffer.wrap(bytes, from, Math.min(chunk, bytes.length - from)));
    }
    return new Decoder(chunks, version);
  }
}
