package org.avm4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.zip.CRC32C;
import org.avm4j.codec.ModelFileException;
import org.avm4j.math.SplitMix;

/**
 * Files as an accident or an attacker makes them of a good one, and what must hold for each: it is
 * refused in a sentence, or what is read can be used.
 */
public final class HostileBytes {
  private static final int HEADER = 20;
  private static final int CHECKSUM = 4;
  private static final int VERSION_AT = 8;

  /** Numbers at which code breaks, four bytes each. */
  private static final int[] INTS = {
    0, 1, 2, 3, 7, 127, 128, -1, -2, 1 << 16, Integer.MAX_VALUE, Integer.MIN_VALUE
  };

  /** Numbers at which code breaks, eight bytes each. */
  private static final long[] LONGS = {
    0,
    1,
    -1,
    300,
    2047,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    bits(-0.0),
    bits(0.5),
    bits(1),
    bits(-1),
    bits(2),
    bits(1e-9),
    bits(1e15),
    bits(1e30),
    bits(-1e30),
    bits(1e150),
    bits(-1e150),
    bits(1e300),
    bits(-1e300),
    bits(1e-300),
    bits(Double.MIN_VALUE),
    bits(Double.MAX_VALUE),
    bits(-Double.MAX_VALUE),
    bits(Double.NaN),
    bits(Double.NEGATIVE_INFINITY)
  };

  private static final List<Features> ROWS =
      List.of(
          Features.dense(0.1, -0.2, 0.3),
          Features.dense(-0.7, 0.6),
          Features.dense(),
          Features.dense(0.1, -0.2, 0.3),
          Features.dense(0.9, 0.9, -0.9, 0.5),
          Features.sparse(new int[] {1, 9}, new double[] {0.5, -3}),
          Features.dense(-50, 1e6, 3));

  private HostileBytes() {}

  private static long bits(double value) {
    return Double.doubleToRawLongBits(value);
  }

  /** The bytes of a file with something changed somewhere. */
  public static byte[] mutated(byte[] good, SplitMix random) {
    byte[] bad =
        switch (random.nextInt(12)) {
          case 0 -> Arrays.copyOf(good, random.nextInt(good.length));
          case 1 -> Arrays.copyOf(good, good.length + 1 + random.nextInt(64));
          default -> good.clone();
        };
    int changes = 1 + random.nextInt(3);
    for (int i = 0; i < changes && bad.length >= 8; i++) {
      change(ByteBuffer.wrap(bad), random);
    }
    return bad;
  }

  private static void change(ByteBuffer bad, SplitMix random) {
    boolean isNearTheStart = random.nextInt(3) == 0;
    int room = bad.capacity() - 7;
    int at = random.nextInt(isNearTheStart ? Math.min(200, room) : room);
    switch (random.nextInt(5)) {
      case 0 -> bad.put(at, (byte) random.nextLong());
      case 1 -> bad.putInt(at, INTS[random.nextInt(INTS.length)]);
      case 2 -> bad.put(at, (byte) (bad.get(at) ^ 1 << random.nextInt(8)));
      case 3 -> bad.putLong(at, bad.getLong(random.nextInt(room)));
      default -> bad.putLong(at, LONGS[random.nextInt(LONGS.length)]);
    }
  }

  /** A file with a changed payload behind a valid header and a valid checksum. */
  public static byte[] forged(byte[] good, SplitMix random) {
    byte[] payload = payload(good);
    return framed(ByteBuffer.wrap(good).getInt(VERSION_AT), mutated(payload, random));
  }

  /** What is between the header of a file and its checksum. */
  public static byte[] payload(byte[] file) {
    return Arrays.copyOfRange(file, HEADER, file.length - CHECKSUM);
  }

  /** A file with this payload. */
  public static byte[] framed(int version, byte[] payload) {
    ByteBuffer file = ByteBuffer.allocate(HEADER + payload.length + CHECKSUM);
    file.put(new byte[] {'A', 'V', 'M', '4', 'J', '\r', '\n', 0});
    file.putInt(version).putLong(payload.length).put(payload);
    CRC32C crc = new CRC32C();
    crc.update(file.array(), VERSION_AT, file.position() - VERSION_AT);
    return file.putInt((int) crc.getValue()).array();
  }

  /**
   * Reads the model and the learner of a file and uses both. Rows and labels may be refused by an
   * {@link IllegalArgumentException}, and the file by a {@link ModelFileException}; nothing else
   * may be thrown.
   *
   * @return whether anything could be read
   */
  public static boolean useIfReadable(byte[] file) {
    return useIfReadable(file, learner -> true);
  }

  /**
   * The same, but for learners with which it would take too long.
   *
   * @param isQuick whether a learner can be used within a moment
   */
  public static boolean useIfReadable(byte[] file, Predicate<OnlineLearner> isQuick) {
    boolean isRead = false;
    try {
      use(Model.fromBytes(file));
      isRead = true;
      OnlineLearner learner = OnlineLearner.fromBytes(file);
      if (isQuick.test(learner)) {
        use(learner);
      }
    } catch (ModelFileException refused) {
      assertThat(refused.getMessage()).isNotBlank().doesNotContainPattern("\\p{Cntrl}");
    } catch (IOException impossible) {
      throw new AssertionError(impossible);
    }
    return isRead;
  }

  private static void use(OnlineLearner learner) {
    use((Predictor) learner);
    use(learner.snapshot());
    double[] classes = learner.classes();
    for (int t = 0; t < 2 * ROWS.size(); t++) {
      double label = classes.length == 0 ? 0.5 * t : classes[t % classes.length];
      learn(learner, ROWS.get(t % ROWS.size()), label, 1 + t % 2);
    }
    learn(learner, ROWS.get(0), 2, 1);
    use((Predictor) learner);
    use(learner.snapshot());
  }

  private static void learn(OnlineLearner learner, Features x, double label, double weight) {
    try {
      learner.learn(x, label, weight);
    } catch (IllegalArgumentException refused) {
      assertThat(refused.getMessage()).isNotBlank();
    }
  }

  private static void use(Predictor predictor) {
    assertThat(predictor.task()).isNotNull();
    assertThat(predictor.status()).isNotNull();
    for (Features x : ROWS) {
      try {
        assertThat(predictor.score(x)).hasSize(predictor.columns());
        assertThat(predictor.answer(x).classes()).isEqualTo(predictor.classes());
        predictor.predict(x);
      } catch (IllegalArgumentException refused) {
        assertThat(refused.getMessage()).isNotBlank();
      }
    }
  }
}
